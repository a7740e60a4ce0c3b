import { describe, expect, test } from 'vitest';
import { loadSync, syncProblems } from './setup.ts';

const head = 'resource: events\nsource: { connector: csv, url: a }\nkey: id\n';
const staff = 'resource: accounts\nsource: { connector: json, url: a }\nkey: email\n';
const rule = (text: string) => loadSync(`${head}map:\n  extra: ${text}\n`).map?.extra;
const mistakes = (text: string) => syncProblems(`${head}map:\n  extra: ${text}\n`);

describe('A rule', () => {
  test('may have every key', () => {
    expect(
      rule(`{ field: x, trim: true, split: ";", lookup: { a: 1 }, format: dd/MM/yyyy, zone: Europe/Paris, language: fr,
        case: title, join: ", ", default: d, html: { tags: [p, a], attributes: { a: [href] } } }`),
    ).toEqual({
      field: 'x',
      trim: true,
      split: ';',
      lookup: { a: 1 },
      format: ['dd/MM/yyyy'],
      zone: 'Europe/Paris',
      language: 'fr',
      case: 'title',
      join: ', ',
      default: 'd',
      html: { tags: ['p', 'a'], attributes: { a: ['href'] } },
    });
  });

  test('may list words for true and false', () =>
    expect(rule('{ field: x, true: [oui, 1, true], false: non }')).toEqual({
      field: 'x',
      true: ['oui', '1', 'true'],
      false: ['non'],
    }));

  test.each([
    ['{ field: x, template: y }', /^5:10: map\.extra needs exactly one of field, template and value$/],
    [
      '{ field: x, format: DD.MM.YYYY }',
      /^5:30: map\.extra\.format is not a valid date format \("DD" is not a part of a date: "DD.MM.YYYY"; did you mean "dd.MM.yyyy"\?\)$/,
    ],
    [
      '{ field: x, format: [dd/MM/yyyy, q] }',
      /^5:43: map\.extra\.format\[1\] is not a valid date format \("q" is not a part of a date; put literal letters in quotes: 'q'\)/,
    ],
    ['{ field: x, format: [] }', /^5:30: map\.extra\.format must not be empty/],
    ['{ field: x, zone: Europe/Paris }', /^5:10: map\.extra has a zone, which is only allowed with format$/],
    ['{ field: x, format: d/M/yy, zone: Paris }', /zone must be an IANA time zone/],
    ['{ field: x, format: d/M/yy, language: "?" }', /language must be a language, such as en or de-AT/],
    ['{ field: x, true: [oui], format: d/M/yy }', /has both a date format and words for true or false/],
    ['{ field: x, html: { tags: [p, script] } }', /^5:40: map\.extra\.html.*script/],
    ['{ field: x, html: { tags: [p], attributes: { p: [onclick] } } }', /is an attribute that is never allowed/],
    [
      '{ field: x, html: { tags: [p], tagz: [a] } }',
      /^5:41: map\.extra\.html\.tagz is not a known key; did you mean "tags"\?$/,
    ],
    ['{ field: x, trimm: true }', /^5:22: map\.extra\.trimm is not a known key; did you mean "trim"\?$/],
    ['{ field: x, case: camel }', /must be one of lower, upper, title, not "camel"/],
    ['{ generate: true }', /^5:10: map\.extra has generate, which is only allowed for the password of accounts/],
  ])('cannot be %s', (text, message) => expect(mistakes(text)).toEqual([expect.stringMatching(message)]));
});

describe('A condition', () => {
  test.each([
    ['{ field: status, is: published }', { field: 'status', is: ['published'] }],
    ['{ field: status, not: [draft, 0] }', { field: 'status', not: ['draft', '0'] }],
    ['{ field: image, present: true }', { field: 'image', present: true }],
    ['{ field: a, equals: 1, matches: "^b", bit: 0x2 }', { field: 'a', equals: 1, matches: '^b', bit: 2 }],
    ['{ not: { field: a, is: b } }', { not: { field: 'a', is: ['b'] } }],
    [
      '{ any: [{ field: a, is: b }, { all: [{ field: c, not: d }, { field: e, present: true }] }] }',
      {
        any: [
          { field: 'a', is: ['b'] },
          {
            all: [
              { field: 'c', not: ['d'] },
              { field: 'e', present: true },
            ],
          },
        ],
      },
    ],
  ])('may be %s', (text, when) => expect(loadSync(`${head}when: ${text}\n`).when).toEqual(when));

  test.each([
    ['{ field: status }', '4:7: when needs a test of status: is, not, equals, matches, bit or present'],
    ['{ is: b }', '4:7: when needs the field that it is about'],
    ['{}', '4:7: when needs a field with a test, all, any or not'],
    ['{ all: [] }', '4:14: when.all must not be empty'],
    ['{ any: [{ feld: a, is: b }] }', '4:17: when.any[0].feld is not a known key; did you mean "field"?'],
    ['{ not: { feld: a } }', '4:16: when.not.feld is not a known key; did you mean "field"?'],
    ['{ not: { field: a } }', '4:14: when.not needs a test of a: is, not, equals, matches, bit or present'],
    [
      '{ field: a, matches: "(" }',
      '4:28: when.matches is not a valid regular expression (Invalid regular expression: /(/iu: Unterminated group): "("',
    ],
    ['{ field: a, bit: 0 }', '4:24: when.bit must be more than 0, not "0"'],
    ['published', '4:7: when must be a mapping of keys to values, not "published"'],
  ])('cannot be %s', (text, message) => expect(syncProblems(`${head}when: ${text}\n`)).toEqual([message]));
});

describe('The password', () => {
  test('may be mapped or generated', () => {
    expect(loadSync(`${staff}map: { email: email, password: pw }\n`).map?.password).toEqual({ field: 'pw' });
    const sync = loadSync(`${staff}map: { email: email, password: { generate: true } }\n`);
    expect(sync).toMatchObject({ generatePassword: true, map: { email: { field: 'email' } } });
    expect(sync.map).not.toHaveProperty('password');
  });

  test.each([
    ['{ value: secret }', '5:13: map.password would give every account the same password'],
    ['{ generate: true, default: x }', '5:13: map.password is generated, so default cannot change it'],
    ['{ generate: false }', '5:25: map.password.generate must be true'],
  ])('cannot be mapped as %s', (text, message) =>
    expect(syncProblems(`${staff}map:\n  password: ${text}\n`)[0]).toMatch(message),
  );
});

describe('The keys authority and adopt', () => {
  test('name attributes', () => {
    const more =
      'authority: { title: editor, time: initial, extra: source }\nadopt: { match: [title, date, time.start] }\n';
    expect(loadSync(head + more)).toMatchObject({
      authority: { title: 'editor', time: 'initial', extra: 'source' },
      adopt: { match: ['title', 'date', 'time.start'] },
    });
  });

  test.each([
    [
      'authority: { titel: editor }',
      head,
      '4:14: authority.titel is not an attribute of events; did you mean "title"?',
    ],
    ['authority: { start: editor }', head, '4:14: authority.start is not stored by the CMS; use date, endDate, time'],
    ['authority: { title: cms }', head, '4:21: authority.title must be one of source, initial, editor, not "cms"'],
    [
      'adopt: { match: [title, start] }',
      head,
      '4:25: adopt.match[1] is not stored by the CMS; use date, endDate, time.start or time.end: "start"',
    ],
    ['adopt: { match: [] }', head, '4:17: adopt.match must not be empty'],
    [
      'adopt: { match: [password] }',
      staff,
      '4:18: adopt.match[0] is only sent when an account is created, and cannot be read back',
    ],
    ['adopt: { match: [id] }', staff, '4:18: adopt.match[0] is read-only: the CMS sets it: "id"'],
  ])('cannot be %s', (line, lines, message) => expect(syncProblems(`${lines}${line}\n`)[0]).toContain(message));
});
