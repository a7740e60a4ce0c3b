import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfig, loadUsableConfig } from '../../../src/config/load.ts';
import { selectSyncs } from '../../../src/config/select.ts';
import { connectors, env, events, folder, loadSync, target } from './setup.ts';

describe('A config', () => {
  test.each([
    ['', { concurrency: 8, adaptsConcurrency: true }],
    ['  concurrency: auto\n', { concurrency: 8, adaptsConcurrency: true }],
    ['  maxConcurrency: 32\n', { concurrency: 32, adaptsConcurrency: true }],
    ['  concurrency: 2\n', { concurrency: 2, adaptsConcurrency: false }],
  ])('finds out how many requests may be in flight, unless that is a number: "%s"', (line, expected) => {
    const dir = folder({ 'feedferry.yaml': `${target}${line}`, 'syncs/talks.yaml': events });
    expect(loadConfig(dir, connectors, env).target).toMatchObject(expected);
  });

  test('that has only the required keys gets the defaults', () => {
    const dir = folder({ 'feedferry.yaml': target, 'syncs/talks.yaml': events });
    expect(loadConfig(dir, connectors, env)).toEqual({
      dir,
      broken: [],
      target: {
        baseUrl: 'https://www.example.edu',
        token: 's3cret-token',
        timezone: 'America/New_York',
        concurrency: 8,
        adaptsConcurrency: true,
        maxAttempts: 5,
        backoffMs: 2000,
        maxBackoffMs: 300_000,
        timeoutMs: 30_000,
        lookupAfterMs: 30_000,
        allowHttp: false,
      },
      retention: {
        runsMs: 90 * 86_400_000,
        rejectsMs: 14 * 86_400_000,
        beforeImagesMs: 30 * 86_400_000,
        filesMs: 180 * 86_400_000,
      },
      syncs: [
        {
          name: 'talks',
          file: join(dir, 'syncs/talks.yaml'),
          resource: 'events',
          source: {
            connector: 'csv',
            url: join(dir, 'syncs/feeds/events.csv'),
            feed: {},
            options: { delimiter: ',', header: true },
          },
          key: { fields: ['id'], normalize: ['trim', 'nfc'] },
          map: { title: { field: 'name' } },
          attachments: {},
          onAttachmentError: 'publish',
          onDeletedInCms: 'leave',
          missing: { policy: 'keep' },
        },
      ],
    });
  });

  test('may have every key', () => {
    const dir = folder({
      'feedferry.yaml': `target:
  baseUrl: http://127.0.0.1:8080/site/
  token: abc
  timezone: Europe/Berlin
  externalId: source_key
  concurrency: \${CONCURRENCY}
  requestsPerSecond: 2.5
  maxAttempts: 3
  backoff: 500ms
  maxBackoff: 1h
  timeout: 1.5m
  lookupAfter: 3s
  allowHttp: \${ALLOW:-true}
`,
      'syncs/a.yaml': `resource: events
instance: main
source:
  connector: csv
  url: https://feeds.example.edu/a.csv
  timezone: Asia/Tokyo
  encoding: windows-1252
  maxBytes: 1000
  timeout: 10s
  headers: { X-Key: "\${KEY}" }
  auth: { user: me, password: "\${KEY}" }
  query: { per_page: 100, all: true }
  body: { query: "{ events }" }
  retries: 0
  maxRatio: 50
  member: data/a.csv
  allowPrivateNetwork: true
  delimiter: ";"
window: { past: 30d, future: 365d }
key: { field: uid, normalize: [trim, nfc] }
map:
  title: { field: t, default: Untitled }
  isFeatured: { value: false }
  category: { template: "{{ c[0] | upcase }}" }
  room: { field: r, lookup: { A: Atrium, "1": 7 }, html: text }
attachments: { image: img }
onAttachmentError: hold
schedule: { cron: "*/15 * * * *" }
missing: { policy: keep }
`,
      'syncs/b.yml': `resource: accounts
source: { connector: json, url: webcal://x.example.edu/a, items: "$.p[*]" }
key: email
schedule: { every: 2h, jitter: 30s }
`,
    });
    const config = loadConfig(dir, connectors, { CONCURRENCY: '4', KEY: 'k' });
    expect(config.target).toEqual({
      baseUrl: 'http://127.0.0.1:8080/site',
      token: 'abc',
      timezone: 'Europe/Berlin',
      externalId: 'source_key',
      concurrency: 4,
      adaptsConcurrency: false,
      requestsPerSecond: 2.5,
      maxAttempts: 3,
      backoffMs: 500,
      maxBackoffMs: 3_600_000,
      timeoutMs: 90_000,
      lookupAfterMs: 3_000,
      allowHttp: true,
    });
    expect(config.syncs[0]).toMatchObject({
      instance: 'main',
      source: {
        url: 'https://feeds.example.edu/a.csv',
        timezone: 'Asia/Tokyo',
        feed: {
          encoding: 'windows-1252',
          maxBytes: 1000,
          timeoutMs: 10_000,
          headers: { 'X-Key': 'k' },
          auth: { user: 'me', password: 'k' },
          query: { per_page: '100', all: 'true' },
          method: 'POST',
          body: '{"query":"{ events }"}',
          retries: 0,
          maxRatio: 50,
          member: 'data/a.csv',
          allowPrivateNetwork: true,
        },
        options: { delimiter: ';', header: true },
      },
      window: { pastDays: 30, futureDays: 365 },
      key: { fields: ['uid'], normalize: ['trim', 'nfc'] },
      map: {
        title: { field: 't', default: 'Untitled' },
        isFeatured: { value: false },
        category: { template: '{{ c[0] | upcase }}' },
        room: { field: 'r', lookup: { A: 'Atrium', '1': 7 }, html: 'text' },
      },
      attachments: { image: { field: 'img' } },
      onAttachmentError: 'hold',
      schedule: { cron: '*/15 * * * *', timezone: 'Europe/Berlin' },
    });
    expect(config.syncs[1]).toMatchObject({
      name: 'b',
      resource: 'accounts',
      source: { url: 'webcal://x.example.edu/a', options: { items: '$.p[*]' } },
      key: { fields: ['email'], normalize: ['trim', 'lower', 'nfc'] },
      schedule: { everyMs: 7_200_000, jitterMs: 30_000 },
    });
    expect(config.syncs[1]?.map).toBeUndefined();
  });

  test('is frozen at every depth', () => {
    const config = loadConfig(folder({ 'feedferry.yaml': target, 'syncs/a.yaml': events }), connectors, env);
    expect(() => Object.assign(config.target, { token: 'x' })).toThrow(TypeError);
    expect(() => Object.assign(config.syncs[0]?.source.options as object, { delimiter: 'x' })).toThrow(TypeError);
    expect(() => config.syncs[0]?.key.normalize.push('nfc')).toThrow(TypeError);
  });

  test('may have a lookup in a CSV file beside the sync file', () => {
    const sync = `${events}  room: { field: r, lookup: ./rooms.csv }\n`;
    const csv = '\uFEFFcode,name,floor\r\nA, "Atrium, east" ,1\r\n\r\ntoString,odd,2\r\n';
    const lookup = loadSync(sync, { 'syncs/rooms.csv': csv }).map?.room?.lookup ?? {};
    expect(Object.entries(lookup)).toEqual([
      ['A', 'Atrium, east'],
      ['toString', 'odd'],
    ]);
  });

  test('may have fixed windows and YAML anchors, and hidden files are ignored', () => {
    const sync = `${events}  note: &rule { field: n }\n  other: *rule\nwindow: { from: 2026-01-01 }\n`;
    const loaded = loadSync(sync, { 'syncs/.a.yaml.swp.yaml': 'broken: [' });
    expect(loaded.window).toEqual({ from: '2026-01-01' });
    expect(loaded.map?.other).toEqual({ field: 'n' });
  });
});

describe('Variables', () => {
  const baseUrl = (written: string, variables: Record<string, string | undefined>) =>
    loadSyncs(written, variables).syncs[0]?.key.fields[0];
  const loadSyncs = (written: string, variables: Record<string, string | undefined>) =>
    loadConfig(
      folder({ 'feedferry.yaml': target, 'syncs/a.yaml': events.replace('key: id', () => `key: "${written}"`) }),
      connectors,
      { ...env, ...variables },
    );

  test.each([
    ['${A}', { A: 'x' }, 'x'],
    ['a-${A}-${B}', { A: '1', B: '2' }, 'a-1-2'],
    ['${A:-d}', {}, 'd'],
    ['${A:-d}', { A: '' }, 'd'],
    ['${A:-d}', { A: 'x' }, 'x'],
    ['${A:-http://x:1}', {}, 'http://x:1'],
    ['$${A}', { A: 'x' }, '${A}'],
    ['${{ price }} ${A}', { A: 'x' }, '${{ price }} x'],
    ['$A $', { A: 'x' }, '$A $'],
    ['${A}', { A: '${B}' }, '${B}'],
  ])('The text %s with the variables %j becomes %s', (written, variables, expected) => {
    expect(baseUrl(written, variables)).toBe(expected);
  });

  test('The token may come from a file', () => {
    const dir = folder({ 'feedferry.yaml': target, 'syncs/a.yaml': events, token: ' from-file\n' });
    const load = (variables: Record<string, string>) =>
      loadConfig(dir, connectors, { CMS_BASE_URL: env.CMS_BASE_URL, ...variables }).target.token;
    const CMS_API_TOKEN_FILE = join(dir, 'token');
    expect(load({ CMS_API_TOKEN_FILE })).toBe('from-file');
    expect(load({ CMS_API_TOKEN_FILE, CMS_API_TOKEN: '' })).toBe('from-file');
    expect(load({ CMS_API_TOKEN_FILE, CMS_API_TOKEN: 'direct' })).toBe('direct');
  });
});

describe('The selection of syncs', () => {
  const config = () =>
    loadConfig(
      folder({ 'feedferry.yaml': target, 'syncs/staff.yaml': events, 'syncs/campus-events.yaml': events }),
      connectors,
      env,
    );
  const names = (...chosen: string[]) => selectSyncs(config(), chosen).map(({ name }) => name);

  test('All syncs are selected without names, or each named sync once', () => {
    expect(names()).toEqual(['campus-events', 'staff']);
    expect(names('staff', 'campus-events', 'staff')).toEqual(['staff', 'campus-events']);
  });

  test('An unknown name is reported with a suggestion', () => {
    expect(() => names('campus-event')).toThrow(
      expect.objectContaining({
        code: 'FF_SYNC_UNKNOWN',
        message: 'there is no sync named "campus-event"; did you mean "campus-events"?',
      }),
    );
    expect(() => names('x')).toThrow('the syncs are campus-events, staff');
  });
});

describe('Sync files with mistakes', () => {
  test('do not affect the others, except that strict loading reports them all', () => {
    const dir = folder({
      'feedferry.yaml': target,
      'syncs/a.yaml': events,
      'syncs/b.yaml': `${events}colour: red\n`,
      'syncs/c.yaml': events,
      'syncs/c.ts': 'export default {}',
      'syncs/my talks.yaml': events,
    });
    const { syncs, broken } = loadUsableConfig(dir, connectors, env);
    expect(syncs.map(({ name }) => name)).toEqual(['a']);
    expect(broken.map(({ name }) => name)).toEqual(['b', 'c', 'my talks']);
    expect(() => loadConfig(dir, connectors, env)).toThrow(
      /b\.yaml:6:1: colour.*c\.yaml:1:1: another sync file.*my talks/s,
    );
    expect(() => selectSyncs({ syncs, broken }, ['b'])).toThrow(/^[^\n]*b\.yaml:6:1: colour[^\n]*$/);
    expect(selectSyncs({ syncs, broken }, ['a'])).toEqual(syncs);
  });

  test('do not hide mistakes in feedferry.yaml', () => {
    const dir = folder({ 'feedferry.yaml': `${target}colour: red\n`, 'syncs/a.yaml': events });
    expect(() => loadUsableConfig(dir, connectors, env)).toThrow(/feedferry\.yaml:5:1: colour/);
  });
});
