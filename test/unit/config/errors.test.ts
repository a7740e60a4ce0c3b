import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkAttributeNames } from '../../../src/config/check/map-keys.ts';
import { syncKeys } from '../../../src/config/schema/sync-schema.ts';
import { env, events, failure, folder, problems, syncProblems, target } from './setup.ts';

/** A sync with one more line at its end, which is line 6. */
const withLine = (line: string) => syncProblems(`${events}${line}\n`);

/** The keys of a sync file, in the order in which messages list them. */
const KEYS = Object.keys(syncKeys('', 'UTC').shape).join(', ');

describe('A mistake', () => {
  test.each([
    ['colour: red', `6:1: colour is not a known key; the known keys are ${KEYS}`],
    ['windw: { past: 1d }', '6:1: windw is not a known key; did you mean "window"?'],
    ['window: { past: 30 days }', '6:17: window.past must be a number of days, such as 30d, not "30 days"'],
    ['window: { past: 30d, from: 2026-01-01 }', '6:9: window needs either past and future, or from and to'],
    ['window: {}', '6:9: window needs either past and future, or from and to'],
    [
      'window: { from: 2026-02-30 }',
      '6:17: window.from must be an existing date, such as 2026-03-01, not "2026-02-30"',
    ],
    ['window: { from: 2026-03-02, to: 2026-03-01 }', '6:9: window must not have from after to'],
    ['onAttachmentError: ignore', '6:20: onAttachmentError must be one of publish, hold, not "ignore"'],
    ['missing: { policy: forget }', '6:20: missing.policy must be one of keep, delete, set, not "forget"'],
    ['missing: { policy: set }', '6:10: missing needs set, for example set: { isCancelled: true }'],
    [
      'missing: { policy: keep, set: { isFeatured: true } }',
      '6:10: missing has set, which is only allowed with policy: set',
    ],
    [
      'missing: { policy: delete, after: soon }',
      '6:35: missing.after must be a number of runs or a duration up to 24d, such as 3 runs, 12h or 2d, not "soon"',
    ],
    ['missing: { policy: delete, threshold: {} }', '6:39: missing.threshold needs percent, absolute or both'],
    [
      'missing: { policy: set, set: { time.type: tba } }',
      '6:32: missing.set.time.type must be a whole attribute, not a part or a shorthand',
    ],
    [
      'missing: { policy: set, set: { isFeatured: true } }\nauthority: { isFeatured: editor }',
      '6:32: missing.set.isFeatured belongs to the editors of the CMS (authority)',
    ],
    ['schedule: daily', '6:11: schedule must be a mapping, not "daily"; write schedule: { every: 1d }'],
    ['schedule: {}', '6:11: schedule needs either cron or every, for example { every: 15m }'],
    ['schedule: { every: 5 }', '6:20: schedule.every needs a unit: "5"; write 5s or 5m or 5h'],
    [
      'schedule: { every: 5 minutes }',
      '6:20: schedule.every must be a duration with its unit, such as 500ms, 30s, 15m, 2h or 1d, not "5 minutes"',
    ],
    ['schedule: { every: 90d }', '6:20: schedule.every must be at most 24d, not "90d"'],
    [
      'schedule: { cron: "61 * * * *" }',
      '6:19: schedule.cron must be a cron expression (Invalid value for minute: 61), not "61 * * * *"',
    ],
    ['schedule: { cron: "0 0 31 2 *" }', '6:19: schedule.cron never matches any time: "0 0 31 2 *"'],
    [
      'schedule: { cron: "0 * * * *", timezone: Mars }',
      '6:42: schedule.timezone must be an IANA time zone, not "Mars"; write the zone of a large city of the country, such as Europe/Berlin, America/New_York',
    ],
    ['schedule: { every: 5m, timezone: UTC }', '6:11: schedule has a timezone, which is only allowed with cron'],
    [
      'schedule: { every: 1d }\nalerts: { staleAfter: 6h }',
      '7:23: alerts.staleAfter is shorter than schedule.every, so the alert would be sent after every run: "6h"',
    ],
    [
      'attachments: { image: 5 }',
      '6:23: attachments.image must be the name of a field, or a mapping with field, default or alt, not "5"',
    ],
    ['attachments: { image: { alt: a } }', '6:23: attachments.image needs a field, a default, or both'],
    [
      'attachments: { image: { default: no.jpg } }',
      expect.stringMatching(/^6:34: attachments\.image\.default is not a file that can be read \(.*no\.jpg: .*\)/),
    ],
    [
      'attachments: { image: { default: { lookup: { a: https://a.example/a.jpg } } } }',
      expect.stringContaining('attachments.image.default needs both field and lookup'),
    ],
    ['rules: { titel: { required: true } }', '6:10: rules.titel is not an attribute of events; did you mean "title"?'],
    [
      'rules: { locaton: { required: true } }',
      '6:10: rules.locaton never has a value: neither map nor attachments name it',
    ],
    ['rules: { allDay: { required: true } }', '6:10: rules.allDay is a shorthand, which is not published'],
    ['rules: { title: { then: hold } }', '6:17: rules.title has a rule without a test'],
    ['rules: { title: { minLength: 9, maxLength: 5 } }', '6:30: rules.title.minLength is more than maxLength, 5: "9"'],
    [
      'rules: { title: { oneOf: [a, bcd], noneOf: A, maxLength: 2 } }',
      expect.stringMatching(/^6:26: rules\.title\.oneOf has no value that the other tests of the rule allow/),
    ],
    [
      'rules: { date: { after: 2027-02-01, before: 2027-01-01 } }',
      '6:45: rules.date.before is earlier than after, 2027-02-01: "2027-01-01"',
    ],
    [
      'rules: { date: [{ required: true }, { before: tomorrow }] }',
      '6:47: rules.date[1].before must be today, an existing day such as 2027-12-31, or an attribute that the sync maps, not "tomorrow"',
    ],
    [
      'rules: { title: { matches: "(" } }',
      expect.stringMatching(/^6:28: rules\.title\.matches is not a valid regular expression/),
    ],
    [
      'rules: { title: { image: { alt: true } } }',
      expect.stringContaining('rules.title.image is only for files (attachments)'),
    ],
    [
      'attachments: { image: i }\nrules: { image: { maxLength: 3 } }',
      '7:30: rules.image.maxLength is not for files: their tests are required, https and image: "3"',
    ],
    ['rules: { title: { image: {} } }', expect.stringContaining('needs a test: alt, minWidth, maxBytes or type')],
    ['rules: { title: { required: false } }', '6:29: rules.title.required must be true, or left out, not "false"'],
    ['attachmentsDir: 5', '6:17: attachmentsDir must be text, not "5"'],
    ['attachments: { title: t }', '6:16: attachments.title is a standard attribute, which cannot hold a file'],
    ['instance: ""', '6:11: instance must not be empty, not ""'],
    ['__proto__: 1', '6:1: __proto__ cannot be used as a key'],
  ])('in a sync is reported with its place: %s', (line, message) => {
    expect(withLine(line)).toEqual([message]);
  });

  test('A schedule for standard input is a mistake, because only a command has it', () => {
    const sync = `${events.replace('./feeds/events.csv', '"-"')}schedule: { every: 5m }\n`;
    expect(problems({ 'feedferry.yaml': target, 'syncs/talks.yaml': sync })).toEqual([
      'syncs/talks.yaml:6:1: schedule cannot read standard input, which only a command has. Remove it and run `feedferry sync talks < FILE`, or let source.url name a file or an address',
    ]);
  });

  test('An attribute that other programs name so is custom if the map, or that of the connector, has the date', () => {
    const issuesOf = (map: object, defaultMap?: Record<string, string>) =>
      checkAttributeNames({ resource: 'events', map, ...(defaultMap ? { defaultMap } : {}) }).length;
    expect(issuesOf({ title: 't', startDate: 'x' })).toBe(1);
    expect(issuesOf({ title: 't', startDate: 'x', date: 'day' })).toBe(0);
    expect(issuesOf({ startDate: 'x' }, { start: 'dtstart' })).toBe(0);
    expect(issuesOf({ title: 't', constructor: 'x' })).toBe(0);
  });

  test.each([
    ['Title: x', '6:3: map.Title is not an attribute of events; did you mean "title"?'],
    ['descripton: x', '6:3: map.descripton is not an attribute of events; did you mean "description"?'],
    ['time.strat: x', '6:3: map.time.strat is not an attribute of events; did you mean "time.start"?'],
    [
      'time.zone: x',
      '6:3: map.time.zone is not an attribute: layout keys of custom attributes have no dots, brackets or spaces',
    ],
    ['time: x', '6:3: map.time must be mapped by its parts: time.start, time.end, or the shorthands start, end'],
    ['id: x', '6:3: map.id is read-only: the CMS sets it'],
    ['time.isTba: x', '6:3: map.time.isTba is read-only: the CMS sets it'],
    [
      'isFeatured: true',
      '6:15: map.isFeatured must be the name of a field; for a constant write { value: true }, not "true"',
    ],
    [
      'isFeatured:',
      '6:14: map.isFeatured must be the name of a field, or a mapping with field, template or value, not ""',
    ],
    ['room: { field: x, defalt: y }', '6:21: map.room.defalt is not a known key; did you mean "default"?'],
    ['room: { default: x }', '6:9: map.room needs exactly one of field, template and value'],
    ['room: { field: x, value: 1 }', '6:9: map.room needs exactly one of field, template and value'],
    ['room: { value: 1, html: text }', '6:9: map.room is a constant, so html cannot change it'],
    [
      'room: { template: "{{ a | nope }}" }',
      '6:21: map.room.template is not a valid Liquid template (undefined filter: nope): "{{ a | nope }}"',
    ],
    [
      'room: { field: x, lookup: ./none.csv }',
      /^6:29: map\.room\.lookup must be a table or a CSV file \(.*none\.csv: the file does not exist\), not "\.\/none\.csv"$/,
    ],
    [
      'room: { field: x, html: strip }',
      '6:27: map.room.html must be one of auto, sanitize, text, keep, or must be a mapping of keys to values, not "strip"',
    ],
  ])('in a map is reported with its place: %s', (line, message) => {
    expect(withLine(`  ${line}`)).toEqual([message instanceof RegExp ? expect.stringMatching(message) : message]);
  });

  test.each([
    ['source: { connector: xml, url: a }', '2:22: source.connector must be one of json, csv, not "xml"'],
    ['source: { connector: csv }', '2:1: source.url is required'],
    [
      'source: { connector: csv, url: ftp://x/y }',
      '2:32: source.url must be a path, or an http://, https://, webcal:// or file:// address, not "ftp://x/y"',
    ],
    ['source: { connector: csv, url: file://host/y }', '2:32: source.url must be a valid address, not "file://host/y"'],
    [
      'source: { connector: csv, url: a, delimter: x }',
      '2:35: source.delimter is not a known key; did you mean "delimiter"?',
    ],
    [
      'source: { connector: csv, url: a, timezon: UTC }',
      '2:35: source.timezon is not a known key; did you mean "timezone"?',
    ],
    ['source: { connector: csv, url: a, header: 5 }', /^2:43: source\.header must be .*, not "5"$/],
    [
      'source: { connector: csv, url: a, encoding: klingon }',
      '2:45: source.encoding must be a charset, such as utf-8 or windows-1252, not "klingon"',
    ],
    ['source: nothing', '2:9: source must be a mapping of keys to values, not "nothing"'],
    ['', '1:1: source is required'],
  ])('in a source is reported with its place: %s', (source, message) => {
    const found = syncProblems(events.replace(/^source: .*$/m, source));
    expect(found).toEqual([message instanceof RegExp ? expect.stringMatching(message) : message]);
  });

  test.each([
    ['key:', 'key must be'],
    [
      '',
      '1:1: key is required: the format has no key of its own. Name the field that identifies a record, such as `key: id`',
    ],
    ['key: { field: id, normalize: [upper] }', '3:31: key.normalize[0] must be one of trim, lower, nfc, not "upper"'],
    ['key: { normalize: [trim] }', '3:1: key.field is required'],
  ])('in a key is reported with its place: %s', (key, message) => {
    expect(syncProblems(events.replace('key: id', key))).toEqual([expect.stringContaining(message)]);
  });

  test.each([
    ['baseUrl: ftp://x', '2:12: target.baseUrl must be an http:// or https:// address, not "ftp://x"'],
    [
      'baseUrl: https://me:pw@example.edu/',
      '2:12: target.baseUrl must be an address without user name, password, query or fragment, not "https://***@example.edu/"',
    ],
    [
      'token: "my secret"',
      '2:10: target.token must be a token: printable characters without spaces (the value is not shown)',
    ],
    ['timezone: EDT5', '2:13: target.timezone must be an IANA time zone, not "EDT5"; did you mean "America/New_York"?'],
    ['externalId: title', '2:15: target.externalId must be a custom attribute, not a standard one, not "title"'],
    ['concurrency: 0', '2:16: target.concurrency must be at least 1, not "0"'],
    ['concurrency: many', '2:16: target.concurrency must be auto, or must be a number, not "many"'],
    ['maxConcurrency: 0', '2:19: target.maxConcurrency must be at least 1, not "0"'],
    ['requestsPerSecond: 0', '2:22: target.requestsPerSecond must be more than 0, not "0"'],
    ['backoff: 2', '2:12: target.backoff needs a unit: "2"; write 2s or 2m or 2h'],
    ['allowHttp: maybe', '2:14: target.allowHttp must be true or false, not "maybe"'],
  ])('in the target is reported with its place: %s', (line, message) => {
    const [name] = line.split(':');
    const others = target
      .split('\n')
      .slice(1)
      .filter((other) => !other.includes(`${name}:`));
    const text = ['target:', `  ${line}`, ...others].join('\n');
    expect(problems({ 'feedferry.yaml': text, 'syncs/a.yaml': events })).toEqual([`feedferry.yaml:${message}`]);
  });

  test('in the most requests in flight is reported if their number is fixed', () => {
    const text = `${target}  concurrency: 4\n  maxConcurrency: 8\n`;
    expect(problems({ 'feedferry.yaml': text, 'syncs/a.yaml': events })).toEqual([
      'feedferry.yaml:6:19: target.maxConcurrency must not be set unless `concurrency` is auto, not "8"',
    ]);
  });
});

describe('Mistakes of accounts and of several keys', () => {
  const staff = 'resource: accounts\nsource: { connector: json, url: a }\nkey: email\n';

  test('Accounts have no window and no attachments', () => {
    expect(
      syncProblems(`${staff}map:\n  password: pw\n  frstName: a\nwindow: { past: 1d }\nattachments: { photo: p }\n`),
    ).toEqual([
      '6:3: map.frstName is not an attribute of accounts; did you mean "firstName"?',
      '7:1: window is only allowed for events',
      '8:16: attachments.photo cannot be set: only events have attachments',
    ]);
  });

  test('An attribute that is set elsewhere is a mistake', () => {
    const files = {
      'feedferry.yaml': `${target}  externalId: source_key\n`,
      'syncs/a.yaml': `${events}  image: i\n  source_key: k\nattachments: { image: i }\n`,
    };
    expect(problems(files)).toEqual([
      'syncs/a.yaml:7:3: map.source_key is set by feedferry (target.externalId)',
      'syncs/a.yaml:8:16: attachments.image is also in map; an attribute is either mapped or a file',
    ]);
  });

  test('A short custom name does not count as a typing error', () => {
    expect(() => withLine('  kind: k')).toThrow('the config was accepted');
  });

  test('An invalid lookup file is a mistake', () => {
    const sync = `${events}  room: { field: x, lookup: ./rooms.csv }\n`;
    expect(syncProblems(sync, { 'syncs/rooms.csv': 'code,name\nA,1\nA,2\n' })[0]).toContain(
      'line 3: the key "A" appears twice',
    );
    expect(syncProblems(sync, { 'syncs/rooms.csv': 'code\nA\n' })[0]).toContain('line 2: needs two columns');
  });
});

describe('Mistakes of all files', () => {
  test('Mistakes are in the order of files and lines', () => {
    const dir = folder({
      'feedferry.yaml': 'target:\n  token: x\n  timezone: Nowhere\n  colour: red\n',
      'syncs/a.yaml': `${events}  Title: x\n  start: *s\n`,
      'syncs/b.yaml': `resource: event\nsource: { connector: csv, url: "\${FEED}", delimiter: ",;" }\n`,
      'syncs/c.yaml': '',
      'syncs/my talks.yaml': events,
    });
    const error = failure(dir, {});
    expect(error.code).toBe('FF_CONFIG_YAML');
    expect(
      error.problems.map(({ file, line, column, code }) => [file.slice(dir.length + 1), line, column, code]),
    ).toEqual([
      ['feedferry.yaml', 1, 1, 'FF_CONFIG_INVALID'],
      ['feedferry.yaml', 3, 13, 'FF_CONFIG_INVALID'],
      ['feedferry.yaml', 4, 3, 'FF_CONFIG_INVALID'],
      ['syncs/a.yaml', 7, 10, 'FF_CONFIG_YAML'],
      ['syncs/b.yaml', 1, 1, 'FF_CONFIG_INVALID'],
      ['syncs/b.yaml', 1, 11, 'FF_CONFIG_INVALID'],
      ['syncs/b.yaml', 2, 32, 'FF_CONFIG_ENV'],
      ['syncs/b.yaml', 2, 54, 'FF_CONFIG_INVALID'],
      ['syncs/c.yaml', 1, 1, 'FF_CONFIG_INVALID'],
      ['syncs/my talks.yaml', 1, 1, 'FF_CONFIG_INVALID'],
    ]);
    const lines = error.message.split('\n').filter((line) => !line.startsWith('    '));
    expect(lines).toHaveLength(error.problems.length);
  });
});

describe('Files and YAML', () => {
  test('A folder without files is a mistake', () => {
    const dir = folder({});
    const error = failure(dir);
    expect(error.code).toBe('FF_CONFIG_MISSING');
    expect(error.problems.map(({ file }) => file)).toEqual([join(dir, 'feedferry.yaml'), join(dir, 'syncs')]);
  });

  test('Two files with one name are a mistake', () => {
    expect(problems({ 'feedferry.yaml': target, 'syncs/a.yaml': events, 'syncs/a.yml': events })).toEqual([
      'syncs/a.yml:1:1: another sync file has the same name, "a"',
    ]);
  });

  test.each([
    ['key: id2', '6:1: this key appears twice'],
    ['instance: a: b', '6:11: the next line is indented too far, or a value contains ": " and needs quotes'],
    ['instance\nkey2: a', '6:1: this line is not "key: value"; is the colon or the space after it missing?'],
    ['instance a\nkey2: a', '6:1: the colon is missing: write instance: a'],
    ['instance:a\nkey2: a', '6:1: the space after the colon is missing: write instance: a'],
    ['schedule:\n\tevery: 5m', '7:1: lines must be indented with spaces, not with tabs'],
    ['instance: "a" b', '6:15: this is not valid here; if it belongs to a value, put the whole value in quotes'],
    ['instance: *a b', '6:14: a value that starts with * needs quotes: write instance: "*a b"'],
    ['instance: {{ Title }}', '6:12: a template needs quotes: write instance: { template: "{{ Title }}" }'],
    ['instance: { { Title } }', '6:13: a key or value that starts with { or [ needs quotes'],
    ['window: [', /^\d+:\d+: .*flow sequence/i],
    ['instance: !secret x', '6:11: Unresolved tag: !secret'],
    ['---\nresource: events', '6:1: the file may contain only one document, so only one line ---'],
  ])('A mistake in the YAML is explained: %s', (line, message) => {
    const found = withLine(line);
    expect(found[0]).toEqual(message instanceof RegExp ? expect.stringMatching(message) : message);
  });

  test.each([
    ['password: s3cret: x', '    password: ••••••: •\n    '],
    ['token s3cret-token', '    token ••••••••••••\n    ^'],
    ['token:\n  s3cret: a: b', '      ••••••: •: •\n    '],
    ['headers: { X-Key: s3cret, a: b: c }', '    headers: { •••••: ••••••, •: •: • }'],
    ['instance: { url: https://s3cret@x: a', 'https://••••••••'],
    ['source: { bearer: s3cret, token: ${S3CRET} }', '    source: { bearer: ••••••, token: ${S3CRET} }'],
  ])('The line of a mistake in the YAML is shown without secrets: %s', (line, excerpt) => {
    const dir = folder({ 'feedferry.yaml': target, 'syncs/a.yaml': `${events}${line}\n` });
    const { message } = failure(dir);
    expect(message).toContain(excerpt);
    expect(message).not.toContain('s3cret');
  });

  test('A syntax error is reported once, without its consequences', () => {
    expect(withLine('window: [a}\nmissing: { policy: keep }\nschedule: { every: 1h }\n')).toHaveLength(1);
  });

  test('An alias bomb is refused', () => {
    const levels = 'abcdefghi'.split('').map((name, index) => {
      const inner = index === 0 ? 'x' : `*${'abcdefghi'[index - 1]}`;
      return `${name}: &${name} [${Array(9).fill(inner).join(', ')}]`;
    });
    expect(syncProblems(levels.join('\n'))).toEqual(['1:1: the aliases of this file expand to more than 100 values']);
  });
});

describe('Variables', () => {
  const files = { 'feedferry.yaml': target, 'syncs/a.yaml': events };

  test('Unset variables are named, and the values of others are not shown', () => {
    const error = failure(folder(files), { CMS_BASE_URL: undefined });
    expect(error.code).toBe('FF_CONFIG_ENV');
    expect(error.problems.map(({ line, column, message }) => [line, column, message])).toEqual([
      [2, 12, 'the environment variable CMS_BASE_URL is not set'],
      [3, 10, 'the environment variable CMS_API_TOKEN is not set'],
    ]);
  });

  test('An unreadable token file is a mistake', () => {
    const [problem] = problems(files, { CMS_BASE_URL: env.CMS_BASE_URL, CMS_API_TOKEN_FILE: '/nowhere/token' });
    expect(problem).toBe('feedferry.yaml:3:10: the file named by CMS_API_TOKEN_FILE cannot be read: /nowhere/token');
  });

  test('Empty variables are reported once', () => {
    expect(problems(files, { ...env, CMS_API_TOKEN: '' })).toEqual([
      'feedferry.yaml:3:10: target.token must not be empty: the variable CMS_API_TOKEN is empty',
    ]);
  });

  test('Text that is no reference is left unchanged', () => {
    expect(withLine('instance: "${not a name}"')).toEqual([
      '6:11: ${not a name} is not a valid variable reference; write $${ for a literal ${',
    ]);
  });

  test('The values of variables are never shown', () => {
    const url = { CMS_BASE_URL: 'not-a-url-but-secret', CMS_API_TOKEN: 'two words' };
    const message = problems(files, url).join('\n');
    expect(message).toContain('not "${CMS_BASE_URL}"');
    expect(message).not.toContain('secret');
    expect(message).not.toContain('two words');
  });
});

describe('Requests for a feed', () => {
  const withSource = (more: string) =>
    syncProblems(`resource: events\nsource: { connector: csv, url: "https://x.edu/a", ${more} }\nkey: id\n`);

  test.each([
    [
      'auth: { bearer: "two words" }',
      'source.auth.bearer must be a token: printable characters without spaces (the value is not shown)',
    ],
    ['auth: { user: me }', 'source.auth needs either bearer, or user and password'],
    ['auth: { bearer: a, user: me, password: b }', 'source.auth needs either bearer, or user and password'],
    ['auth: { bearer: a, pasword: p }', 'source.auth.pasword is not a known key; did you mean "password"?'],
    ['auth: { type: oauth, tokenUrl: x }', 'source.auth.type must be oauth2 or google-service-account, not "oauth"'],
    [
      'auth: { type: oauth2, tokenUrl: "ftp://a.edu", clientId: a, clientSecret: b }',
      'source.auth.tokenUrl must be an https:// address',
    ],
    ['auth: { type: oauth2, tokenUrl: "https://a.edu", clientId: a }', 'source.auth.clientSecret is required'],
    ['auth: { type: google-service-account, scope: x }', 'source.auth needs either key or keyFile'],
    ['method: DELETE', 'source.method must be one of GET, POST, not "DELETE"'],
    ['body: 5', 'source.body must be text, or must be a mapping of keys to values, or must be a list'],
    ['retries: 99', 'source.retries must be at most 10, not "99"'],
    ['maxRatio: 0', 'source.maxRatio must be at least 1, not "0"'],
  ])('A mistake in a request for a feed is reported: %s', (more, message) => {
    expect(withSource(more)).toEqual([expect.stringContaining(message)]);
  });

  test('Standard input, patterns and archives are valid locations', () => {
    for (const url of ['-', './feeds/*.csv', './feeds/all.zip']) {
      expect(syncProblems(`${events.replace('./feeds/events.csv', `"${url}"`)}instence: x\n`)).toHaveLength(1);
    }
  });
});
