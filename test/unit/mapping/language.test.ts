import { describe, expect, test } from 'vitest';
import type { Condition, FieldRule, SyncConfig } from '../../../src/config/types.ts';
import { accountSync, desired, eventSync, map, payload, rejection, warnings } from './setup.ts';

const event = { id: '1', title: 'T', start: '2026-03-01T10:00' };
const withRule = (attribute: string, rule: FieldRule) => eventSync({ map: { ...eventSync().map, [attribute]: rule } });
const value = (rule: FieldRule, x: unknown, attribute = 'extra') =>
  payload(withRule(attribute, { field: 'x', ...rule }), { ...event, ...(x === undefined ? {} : { x }) })[attribute];
const refused = (rule: FieldRule, x: unknown, attribute = 'extra') =>
  rejection(withRule(attribute, { field: 'x', ...rule }), { ...event, x });

describe('The steps of a rule', () => {
  test.each<[string, FieldRule, unknown, unknown]>([
    ['trim', { trim: true }, '  a b ', 'a b'],
    ['trim, in a list', { trim: true }, [' a', 1], ['a', 1]],
    ['no trim', {}, ' a ', ' a '],
    ['split', { split: ';' }, 'a; b;;c ', ['a', 'b', 'c']],
    ['split of a list', { split: ',' }, ['a,b', 'c'], ['a', 'b', 'c']],
    ['join', { join: ' / ' }, ['a', '', null, 2], 'a / 2'],
    ['split and join', { split: ';', join: ' & ' }, 'a;b', 'a & b'],
    ['split, lookup, join', { split: ',', lookup: { a: 'Alpha', b: 'Beta' }, join: ', ' }, 'b,a', 'Beta, Alpha'],
    ['lower', { case: 'lower' }, 'ÄB', 'äb'],
    ['upper', { case: 'upper' }, 'straße', 'STRASSE'],
    ['title', { case: 'title' }, "JEAN-LUC O'BRIEN, Ärztin", "Jean-Luc O'brien, Ärztin"],
    ['case of a number', { case: 'upper' }, 5, 5],
    ['words for yes', { true: ['oui', '2'] }, ' OUI ', true],
    ['words for yes, a number', { true: ['oui', '2'] }, 2, true],
    ['the usual words stay', { true: ['oui'] }, 'no', false],
    ['words go over the usual ones', { false: ['x'] }, 'X', false],
    ['default of what is absent', { default: 'd', case: 'upper' }, undefined, 'd'],
    ['default of what split leaves', { split: ';', join: ', ', default: 'none' }, ' ; ', 'none'],
    [
      'html of an allow-list',
      { html: { tags: ['p', 'img'], attributes: { img: ['src'] } } },
      '<p onclick="x">a<script>b</script><img src="https://a/b.png" onerror="x"><b>c</b></p>',
      '<p>a<img src="https://a/b.png" />c</p>',
    ],
  ])('A value passes the steps of its rule: %s', (_, rule, x, expected) => expect(value(rule, x)).toEqual(expected));

  test.each<[string, FieldRule, unknown, unknown, string?]>([
    ['a date', { format: ['dd/MM/yyyy'] }, '03/04/2026', '2026-04-03'],
    [
      'a date and time, from its zone to the site',
      { format: ['dd/MM/yyyy HH:mm'], zone: 'Europe/Paris' },
      '03/04/2026 02:00',
      '2026-04-02T20:00:00',
    ],
    [
      'the time of it',
      { format: ['dd/MM/yyyy HH:mm'], zone: 'Europe/Paris' },
      '03/04/2026 20:00',
      { start: '14:00:00' },
      'time.start',
    ],
    ['one of several', { format: ['d.M.yyyy', 'yyyyMMdd'] }, '20260403', '2026-04-03'],
    ['seconds since 1970', { format: ['unix'] }, 1767225600, '2025-12-31T19:00:00'],
  ])('A format may read %s', (_, rule, x, expected, attribute = 'extra') => {
    const sync = withRule(attribute, { field: 'x', ...rule });
    const got = payload(sync, { ...event, x });
    if (typeof expected === 'string') expect(got[attribute]).toBe(expected);
    else expect(got.time).toMatchObject(expected as object);
  });

  test('The start in a format is a moment in the zone of the rule', () => {
    const sync = withRule('start', {
      template: '{{ day }} {{ hour }}',
      format: ['dd/MM/yyyy H:mm'],
      zone: 'Asia/Tokyo',
    });
    expect(payload(sync, { ...event, day: '02/03/2026', hour: '0:30' })).toMatchObject({
      date: '2026-03-01',
      time: { start: '10:30:00' },
    });
    const days = withRule('start', { field: 'day', format: ['dd/MM/yyyy'], zone: 'Asia/Tokyo' });
    expect(payload(days, { ...event, day: '02/03/2026' })).toMatchObject({
      date: '2026-03-02',
      time: { start: '00:00:00', end: '23:59:59' },
    });
  });

  test.each<[string, FieldRule, unknown, string, string]>([
    [
      'no such format',
      { format: ['dd/MM/yyyy'] },
      '2026-04-03',
      'FF_RECORD_DATE',
      'extra: "2026-04-03" is not a date in the format dd/MM/yyyy (field "x")',
    ],
    [
      'two readings',
      { format: ['dd/MM/yyyy', 'MM/dd/yyyy'] },
      '03/04/2026',
      'FF_RECORD_DATE',
      'extra: "03/04/2026" is ambiguous: 2026-04-03 or 2026-03-04 (field "x")',
    ],
    [
      'an unknown word',
      { true: ['oui'] },
      'peut-être',
      'FF_RECORD_VALUE',
      'extra: "peut-être" is neither true nor false (field "x")',
    ],
    [
      'objects that are joined',
      { join: ', ' },
      [{ a: 1 }],
      'FF_RECORD_VALUE',
      'extra: { a: 1 } is not text (field "x")',
    ],
    ...(
      [
        { join: ', ' },
        { trim: true },
        { case: 'upper' },
        { split: ';' },
        { empty: ['TBA'] },
        { range: 'first' },
      ] satisfies FieldRule[]
    ).map((rule): [string, FieldRule, unknown, string, string] => [
      `an object in place of a text, for ${Object.keys(rule)[0]}`,
      rule,
      { 1: 'x' },
      'FF_RECORD_VALUE',
      `extra: { '1': 'x' } is not text (field "x")`,
    ]),
    [
      'an object in place of a word, beside a default',
      { lookup: { x: 'X' }, default: 'other' },
      { 1: 'x' },
      'FF_RECORD_LOOKUP',
      `extra: { '1': 'x' } is not in the lookup table (field "x")`,
    ],
    [
      'one item of a list',
      { split: ',', lookup: { a: 'A' } },
      'a,b',
      'FF_RECORD_LOOKUP',
      'extra: "b" is not in the lookup table (field "x")',
    ],
  ])('A value that a step cannot convert rejects the record: %s', (_, rule, x, code, reason) =>
    expect(refused(rule, x)).toMatchObject({ code, reason }),
  );

  test('The same date in two formats is not ambiguous', () =>
    expect(value({ format: ['dd/MM/yyyy', 'MM/dd/yyyy'] }, '04/04/2026')).toBe('2026-04-04'));
});

// The table in docs/mapping.md, row by row.
describe('Absent, null and empty values', () => {
  test.each<[string, unknown, unknown, unknown, unknown]>([
    ['an absent value', undefined, undefined, undefined, undefined],
    ['null', null, '', null, null],
    ['an empty list', [], '', null, null],
    ['an empty text', '', '', false, null],
    ['blanks', ' \t', '', false, null],
  ])('Each type of attribute has its own result for %s', (_, x, text, yesNo, custom) => {
    expect(value({}, x, 'description')).toEqual(text);
    expect(value({}, x, 'isFeatured')).toEqual(yesNo);
    expect(value({}, x, 'extra')).toEqual(custom);
    const { title, ...others } = event;
    const untitled = withRule('title', { field: 'x' });
    expect(rejection(untitled, { ...others, ...(x === undefined ? {} : { x }) }).code).toBe('FF_RECORD_REQUIRED');
  });

  test('An absent attribute is not in the payload', () =>
    expect(Object.keys(payload(withRule('extra', { field: 'x' }), event))).not.toContain('extra'));

  test('No step of a rule changes them', () => {
    const steps: FieldRule = { trim: true, split: ',', join: ';', case: 'upper', format: ['unix'] };
    expect([undefined, null, ''].map((x) => value(steps, x))).toEqual([undefined, null, null]);
  });
});

describe('Filters of templates', () => {
  test.each([
    ['{{ x | add_days: -1 }}', '2027-03-01', '2027-02-28'],
    ['{{ x | add_days: 1 }}', '2028-02-28T23:30:00-05:00', '2028-02-29'],
    ['{{ x | add_days: -1 }}', 'soon', 'soon'],
    ['{{ x | add_days: -1 }}', '2027-02-30', '2027-02-30'],
    ['{{ x | add_days: -1 }}', '', null],
    ['{{ x | decimals: 2 }}', 18, '18.00'],
    ['{{ x | decimals }}', '7.5', '7.50'],
    ['{{ x | decimals: 0 }}', 'free', 'free'],
    ['{{ x | decimals: 2 }}', null, null],
  ])('%s of %j', (template, x, expected) =>
    expect(payload(withRule('extra', { template }), { ...event, x }).extra).toBe(expected),
  );

  test('A number of days that is none rejects the record', () =>
    expect(
      rejection(withRule('extra', { template: '{{ x | add_days: "a" }}' }), { ...event, x: '2027-03-01' }),
    ).toMatchObject({
      code: 'FF_RECORD_TEMPLATE',
      reason: expect.stringContaining('add_days needs a whole number of days'),
    }));
});

describe('Conditions', () => {
  const skip = (when: Condition, fields: object) => map(eventSync({ when }), { ...event, ...fields });

  test.each<[Condition, object, string | undefined]>([
    [{ field: 'status', is: ['published'] }, { status: ' Published' }, undefined],
    [{ field: 'status', is: ['published'] }, { status: 'draft' }, 'when: status is "draft"'],
    [{ field: 'status', is: ['published'] }, {}, 'when: status is empty'],
    [{ field: 'tags', is: ['public'] }, { tags: ['a', 'public'] }, undefined],
    [{ field: 'status', not: ['draft'] }, { status: 'DRAFT' }, 'when: status is "DRAFT"'],
    [{ field: 'status', not: ['draft'] }, {}, undefined],
    [{ field: 'image', present: true }, { image: ' ' }, 'when: image has no value'],
    [{ field: 'image', present: true }, { image: 'a' }, undefined],
    [{ field: 'hidden', present: false }, { hidden: 1 }, 'when: hidden is 1'],
  ])('The condition %j is judged for the fields %j', (when, fields, reason) => {
    expect(skip(when, fields)).toMatchObject(reason ? { is: 'skipped', key: '1', reason } : { is: 'desired' });
  });

  const draft: Condition = { field: 'status', is: ['draft'] };
  const isPublic: Condition = { field: 'audience', is: ['public'] };
  test.each<[Condition, object, string | undefined]>([
    [{ all: [isPublic, { not: draft }] }, { audience: 'public', status: 'live' }, undefined],
    [{ all: [isPublic, { not: draft }] }, { audience: 'staff', status: 'live' }, 'when: audience is "staff"'],
    [{ all: [isPublic, { not: draft }] }, { audience: 'public', status: 'draft' }, 'when: status is "draft"'],
    [{ any: [isPublic, draft] }, { audience: 'staff', status: 'draft' }, undefined],
    [{ any: [isPublic, draft] }, { audience: 'staff' }, 'when: audience is "staff", status is empty'],
    [{ not: { all: [isPublic, draft] } }, { audience: 'public', status: 'live' }, undefined],
    [{ not: { any: [isPublic, draft] } }, { status: 'draft' }, 'when: status is "draft"'],
    [{ ...isPublic, not: draft }, { audience: 'public', status: 'draft' }, 'when: status is "draft"'],
    [{ ...isPublic, any: [draft] }, { audience: 'staff', status: 'draft' }, 'when: audience is "staff"'],
    [{ field: 'n', equals: 5 }, { n: '5' }, undefined],
    [{ field: 'n', equals: true }, { n: true }, undefined],
    [{ field: 'n', equals: 'a' }, { n: 'A' }, 'when: n is "A"'],
    [{ field: 'n', equals: 'a' }, { n: ['b', 'a'] }, undefined],
    [{ field: 'room', matches: '^(hall|stage) \\d+$' }, { room: 'HALL 12' }, undefined],
    [{ field: 'room', matches: '^hall' }, { room: 'Town hall' }, 'when: room is "Town hall"'],
    [{ field: 'room', matches: 'hall' }, { room: ['Pier', 'Town hall'] }, undefined],
    [{ field: 'room', matches: '^$' }, {}, undefined],
    [{ field: 'flags', bit: 2 }, { flags: '514' }, undefined],
    [{ field: 'flags', bit: 2 }, { flags: 512 }, 'when: flags is 512'],
    [{ field: 'flags', bit: 2 }, { flags: ['66050'] }, undefined],
    [{ field: 'flags', bit: 0x80000000 }, { flags: '-2147483646' }, undefined],
    [{ field: 'flags', bit: 6 }, { flags: '2' }, 'when: flags is "2"'],
    [{ field: 'flags', bit: 1 }, { flags: 'one' }, 'when: flags is "one"'],
    [{ field: 'flags', bit: 1 }, {}, 'when: flags is empty'],
    [{ field: 'people[0].mail[0]', matches: '@' }, { people: { mail: ['a@b.c'] } }, undefined],
  ])('The condition %j is judged for several values: %j', (when, fields, reason) => {
    expect(skip(when, fields)).toMatchObject(reason ? { is: 'skipped', key: '1', reason } : { is: 'desired' });
  });

  test('A skipped record may be invalid otherwise', () =>
    expect(skip({ field: 'status', is: ['live'] }, { title: '', start: 'x' })).toMatchObject({ is: 'skipped' }));
});

describe('Passwords', () => {
  const staff = (password: FieldRule) => accountSync({ map: { email: { field: 'email' }, password } });

  test('Passwords are beside the payload', () => {
    const record = desired(staff({ field: 'pw' }), { email: 'a@b.c', pw: 's3cret' });
    expect(record.password).toBe('s3cret');
    expect(record.payload).toEqual({ email: 'a@b.c' });
  });

  test.each([[undefined], [''], [null]])('The value %j is no password', (pw) =>
    expect(desired(staff({ field: 'pw' }), { email: 'a@b.c', pw })).not.toHaveProperty('password'),
  );

  test('Passwords are not shown in messages', () => {
    for (const rule of [{ field: 'pw' }, { field: 'pw', lookup: { a: 'b' } }]) {
      const { reason } = rejection(staff(rule), { email: 'a@b.c', pw: [{ s3cret: 's3cret' }] });
      expect(reason).toBe('password: the value is not valid (field "pw")');
    }
    expect(JSON.stringify(warnings(staff({ field: 'pw' }), { email: 'a@b.c', pw: 's3\0cret' }))).not.toMatch(/s3/);
  });

  test('Passwords are not mapped by name', () => {
    const record = desired(accountSync({ map: undefined }), { email: 'a@b.c', password: 's3cret' });
    expect(JSON.stringify(record)).not.toContain('s3cret');
  });
});

describe('A map function', () => {
  const script = (mapFunction: SyncConfig['mapFunction'], parts: Partial<SyncConfig> = {}) =>
    eventSync({ map: undefined, mapFunction, ...parts });

  test('follows the rules of every map', () => {
    const sync = script(({ name }) => ({
      title: name,
      start: '2026-03-01T10:00',
      end: undefined,
      isFeatured: 'yes',
      extra: { a: [1] },
      description: null,
    }));
    expect(payload(sync, { id: '1', name: 'T' })).toEqual({
      title: 'T',
      date: '2026-03-01',
      endDate: '2026-03-01',
      time: { start: '10:00:00', end: '10:00:00', type: 'timed' },
      isMultiDay: false,
      spansMultipleDays: false,
      isFeatured: true,
      extra: { a: [1] },
      description: '',
    });
  });

  test('A description from a function is sanitized', () => {
    const description = '<p>Hi</p><script>alert(1)</script>';
    expect(
      payload(
        script(() => ({ title: 'A', date: '2026-03-01', start: '2026-03-01T19:00', description })),
        event,
      ),
    ).toMatchObject({ description: '<p>Hi</p>' });
  });

  test('may return the whole attribute time, and a password', () => {
    const sync = script(() => ({ title: 'T', date: '2026-03-01', time: { start: '9:00', end: '10:00' } }));
    expect(payload(sync, event).time).toEqual({ start: '09:00:00', end: '10:00:00', type: 'timed' });
    const staff = accountSync({ map: undefined, mapFunction: () => ({ email: 'a@b.c', password: 'p' }) });
    expect(desired(staff, { email: 'a@b.c' })).toMatchObject({ password: 'p', payload: { email: 'a@b.c' } });
  });

  test.each<[reason: string, code: string, SyncConfig['mapFunction']]>([
    [
      'map failed: no luck',
      'FF_RECORD_SCRIPT',
      () => {
        throw new Error('no luck');
      },
    ],
    ['map must return an object of attributes, not a promise of one', 'FF_RECORD_SCRIPT', () => [] as never],
    ['map must return an object of attributes, not a promise of one', 'FF_RECORD_SCRIPT', (async () => ({})) as never],
    ['map: titel is not an attribute of events; did you mean "title"?', 'FF_RECORD_SCRIPT', () => ({ titel: 'T' })],
    ['map: id is read-only: the CMS sets it', 'FF_RECORD_SCRIPT', () => ({ id: 5 })],
    ['start: "soon" is not a date or date-time (ISO 8601)', 'FF_RECORD_DATE', () => ({ title: 'T', start: 'soon' })],
    [
      'extra: [Function: extra] cannot be represented in JSON',
      'FF_RECORD_VALUE',
      () => ({ title: 'T', extra: () => 1 }),
    ],
  ])('rejects the record: %s', (reason, code, mapFunction) =>
    expect(rejection(script(mapFunction), event)).toMatchObject({ code, reason }),
  );
});
