import { describe, expect, test } from 'vitest';
import type { FieldRule } from '../../../src/config/types.ts';
import { sha256 } from '../../../src/core/hash.ts';
import { accountSync, desired, eventSync, payload, rejection, warnings } from './setup.ts';

const fields = { id: '1', title: 'Talk', start: '2026-03-01T19:00', email: 'a@example.edu' };

/** What one rule makes of a field named `f`. */
function mapped(attribute: string, value: unknown, rule: FieldRule = { field: 'f' }) {
  const base = eventSync();
  return payload(eventSync({ map: { ...base.map, [attribute]: rule } }), { ...fields, f: value })[attribute];
}

function refused(attribute: string, value: unknown, rule: FieldRule = { field: 'f' }) {
  const base = eventSync();
  return rejection(eventSync({ map: { ...base.map, [attribute]: rule } }), { ...fields, f: value });
}

describe('The types of values', () => {
  test.each([
    ['description', 12, '12'],
    ['description', true, 'true'],
    ['description', ['a', null, '', 'b', 3], 'a, b, 3'],
    ['isFeatured', 'Yes', true],
    ['isFeatured', ' x ', true],
    ['isFeatured', 1, true],
    ['isFeatured', 'no', false],
    ['isFeatured', '0', false],
    ['isFeatured', '', false],
    ['isFeatured', null, null],
    ['custom', { a: [1, null, { b: 'c' }] }, { a: [1, null, { b: 'c' }] }],
    ['custom', [undefined], [null]],
    ['custom', '', null],
    ['description', '', ''],
    ['description', null, ''],
    ['description', [], ''],
    ['description', undefined, undefined],
    ['constructor', 'mine', 'mine'],
  ])('The attribute %s converts %j to %j', (attribute, value, expected) => {
    const result = eventSync();
    const made = payload(eventSync({ map: { ...result.map, [attribute]: { field: 'f' } } }), { ...fields, f: value });
    expect(Object.hasOwn(made, attribute) ? made[attribute] : undefined).toEqual(expected);
  });

  test.each([
    ['description', { a: 1 }, 'FF_RECORD_VALUE'],
    ['description', [[1]], 'FF_RECORD_VALUE'],
    ['isFeatured', 'maybe', 'FF_RECORD_VALUE'],
    ['isFeatured', 2, 'FF_RECORD_VALUE'],
    ['custom', Number.NaN, 'FF_RECORD_VALUE'],
    ['date', '01.03.2026', 'FF_RECORD_DATE'],
    ['date', '2026-03-01T10:00', 'FF_RECORD_DATE'],
    ['time.start', '25:10', 'FF_RECORD_DATE'],
    ['time.start', '13:00 pm', 'FF_RECORD_DATE'],
    ['time.start', '7', 'FF_RECORD_DATE'],
  ])('The attribute %s rejects %j with %s', (attribute, value, code) => {
    const { code: found, reason } = refused(attribute, value);
    expect(found).toBe(code);
    expect(reason).toMatch(/^[\w.]+: .* \(field "f"\)$/s);
  });

  test('A message cuts a long value', () => {
    expect(refused('isFeatured', 'y'.repeat(5000)).reason.length).toBeLessThan(200);
  });

  test('Values that are nested too deeply are rejected', () => {
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(refused('custom', deep).code).toBe('FF_RECORD_VALUE');
  });

  test('The member __proto__ in data stays data', () => {
    const value = JSON.parse('{"__proto__":{"polluted":true}}');
    expect(JSON.stringify(mapped('custom', value))).toBe('{"__proto__":{"polluted":true}}');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test.each([
    ['12 am', '00:00:00'],
    ['12:15 p.m.', '12:15:00'],
    ['7pm', '19:00:00'],
    ['9:05', '09:05:00'],
    ['23:59:59', '23:59:59'],
    ['10:00:00.5', '10:00:00'],
  ])('The time %s becomes %s', (written, expected) => {
    const sync = eventSync({
      map: { title: { field: 'title' }, date: { value: '2026-03-01' }, 'time.start': { field: 'f' } },
    });
    expect(payload(sync, { ...fields, f: written })).toMatchObject({ time: { start: expected } });
  });

  test.each([
    ['Two\vlines\fhere', 'Two\nlines\nhere'],
    ['An\vna\b', 'An\nna'],
    ['a \u001b[1;31mred\u001b[0m day\u0007', 'a red day'],
    ['tab\tand line\nstay\u007f', 'tab\tand line\nstay'],
    ['don\u0092t \u0093quote\u0094 \u0081', 'don’t “quote” '],
    ['soft\u00adhyphen', 'soft\u00adhyphen'],
  ])('Control characters never reach visitors: %j', (text, shown) => {
    const sync = eventSync({ map: { ...eventSync().map, place: { field: 'place' } } });
    const event = { id: '1', title: text, start: '2027-03-01T10:00', place: text };
    expect(payload(sync, event)).toMatchObject({ title: shown.trim(), place: shown });
    const person = { email: 'a@example.edu', lastName: text };
    const names = accountSync({ map: { email: { field: 'email' }, lastName: { field: 'lastName' } } });
    expect(payload(names, person)).toMatchObject({ lastName: shown });
  });

  test('Blanks around a title are removed', () =>
    expect(payload(eventSync(), { id: '1', title: '\u00a0 A talk ', start: '2027-03-01T10:00' }).title).toBe('A talk'));

  test('NUL and lone surrogates are removed, with a warning', () => {
    const sync = eventSync({ map: { ...eventSync().map, custom: { field: 'f' } } });
    const record = { ...fields, title: 'a\0b\ud800c😀', f: { 'k\0': ['\udc00x'] } };
    expect(payload(sync, record)).toMatchObject({ title: 'abc😀', custom: { k: ['x'] } });
    expect(warnings(sync, record).map(({ message }) => message.split(':')[0])).toEqual(['title', 'custom', 'custom']);
  });
});

describe('Rules', () => {
  test('The default is used if the value is absent or empty', () => {
    const rule = { field: 'f', default: 'none' };
    expect([undefined, null, '', ' ', []].map((value) => mapped('custom', value, rule))).toEqual(Array(5).fill('none'));
    expect(mapped('custom', 0, rule)).toBe(0);
    expect(mapped('isFeatured', '', { field: 'f', default: true })).toBe(true);
  });

  test('A lookup replaces each item of a list', () => {
    const lookup = { T: 'Talk', '2': 'Tour' };
    expect(mapped('custom', ' T ', { field: 'f', lookup })).toBe('Talk');
    expect(mapped('custom', 2, { field: 'f', lookup })).toBe('Tour');
    expect(mapped('description', ['T', '2'], { field: 'f', lookup })).toBe('Talk, Tour');
    expect(mapped('custom', 'X', { field: 'f', lookup, default: 'Other' })).toBe('Other');
    expect(mapped('custom', '', { field: 'f', lookup })).toBeNull();
    for (const unknown of ['X', 'toString', '__proto__', { a: 1 }]) {
      expect(refused('custom', unknown, { field: 'f', lookup }).code).toBe('FF_RECORD_LOOKUP');
    }
  });

  test('A constant is the value of an attribute', () => {
    expect(mapped('custom', 'x', { value: 3 })).toBe(3);
    expect(mapped('description', 'x', { value: null })).toBe('');
  });

  test('HTML is sanitized, converted to text or kept', () => {
    const dirty =
      '<p onclick="x()">Hi <b>you</b> &amp; <a href="javascript:x">me</a><script>alert(1)</script></p><ul><li>one</li><li>two</li></ul>';
    expect(mapped('description', dirty, { field: 'f', html: 'sanitize' })).toBe(
      '<p>Hi <b>you</b> &amp; <a>me</a></p><ul><li>one</li><li>two</li></ul>',
    );
    expect(mapped('description', dirty, { field: 'f', html: 'text' })).toBe('Hi you & me\none\ntwo');
    expect(mapped('description', '&lt;b&gt; &amp;amp; &eacute;', { field: 'f', html: 'text' })).toBe('&lt;b> &amp; é');
    expect(mapped('description', dirty, { field: 'f', html: 'keep' })).toBe(dirty);
    expect(mapped('description', '<img src=x onerror=alert(1)>', { field: 'f', html: 'sanitize' })).toBe('');
  });

  test.each([
    ['&lt;script&gt;alert(1)&lt;/script&gt;', '&lt;script>alert(1)&lt;/script>'],
    ['&lt;&#0;script&gt; &lt;&#xD800;img&gt;', /^(?!.*<[a-z/!?])/i],
    ['&amp;lt;script&amp;gt;', '&lt;script&gt;'],
    ['<<script>script>x', /^(?!.*<[a-z/!?])/i],
    ['<scr<b></b>ipt>alert(1)', /^(?!.*<[a-z/!?])/i],
    ['<p>1 &lt; 2 &amp; 3 &gt; 2</p>', '1 < 2 & 3 > 2'],
  ])('The plain text of %s has no markup', (html, text) => {
    for (const attribute of ['description', 'title', 'custom']) {
      expect(mapped(attribute, html, { field: 'f', html: 'text' })).toEqual(
        typeof text === 'string' ? text : expect.stringMatching(text),
      );
    }
  });

  test('A description is sanitized unless its rule keeps the HTML', () => {
    const html = '<p>Hi</p><script>alert(1)</script><img src=x onerror=alert(1)>';
    expect(mapped('description', html, { field: 'f' })).toBe('<p>Hi</p>');
    expect(mapped('description', html, { template: '{{ f }}' })).toBe('<p>Hi</p>');
    expect(mapped('description', html, { field: 'f', html: 'keep' })).toBe(html);
    expect(mapped('description', 'x', { value: html })).toBe(html);
    expect(mapped('custom', html, { field: 'f' })).toBe(html);
  });

  test('A path reads nested fields, and no inherited ones', () => {
    const value = { a: { b: [{ c: 'deep' }] }, 'x.y': 'dotted' };
    expect(mapped('custom', value, { field: 'f.a.b[0].c' })).toBe('deep');
    expect(mapped('custom', value, { field: 'f["x.y"]' })).toBe('dotted');
    expect(mapped('custom', value, { field: 'f.a.b[7].c' })).toBeUndefined();
    expect(mapped('custom', value, { field: 'f.constructor.name' })).toBeUndefined();
    expect(mapped('custom', value, { field: 'f.__proto__' })).toBeUndefined();
  });

  test('A field with the whole path as its name takes precedence', () => {
    const sync = eventSync({ map: { ...eventSync().map, custom: { field: 'a.b' }, price: { field: 'Price [USD]' } } });
    const record = { ...fields, a: { b: 'nested' }, 'a.b': 'header', 'Price [USD]': '5' };
    expect(payload(sync, record)).toMatchObject({ custom: 'header', price: '5' });
  });
});

describe('Keys', () => {
  const key = (value: unknown, normalize: Array<'trim' | 'lower' | 'nfc'> = ['trim']) =>
    desired(eventSync({ key: { fields: ['id'], normalize } }), { ...fields, id: value }).key;

  test('are normalised text', () => {
    expect(key(' A1 ')).toBe('A1');
    expect(key(42)).toBe('42');
    expect(key(12345678901234567890n)).toBe('12345678901234567890');
    expect(key(' É ', ['trim', 'lower', 'nfc'])).toBe('é');
  });

  test.each([[undefined], [null], [''], ['  '], ['\0'], [{}], [['a']], [true], [2 ** 53]])('cannot be %j', (id) => {
    expect(rejection(eventSync(), { ...fields, id })).toMatchObject({
      code: 'FF_RECORD_KEY',
      reason: expect.stringContaining('"id"'),
    });
  });

  test('join several fields, of which some may be empty', () => {
    const sync = eventSync({ key: { fields: ['name', 'day', 'place'], normalize: ['trim'] } });
    const keyOf = (values: object) => desired(sync, { ...fields, ...values }).key;
    expect(keyOf({ name: ' Choir ', day: '2027-03-01', place: 'Hall' })).toBe('Choir | 2027-03-01 | Hall');
    expect(keyOf({ name: 'Choir', day: '2027-03-01' })).toBe('Choir | 2027-03-01 | ');
    expect(rejection(sync, { ...fields, name: ' ', day: null }).reason).toBe(
      'the key field "name" + "day" + "place" is empty',
    );
  });

  test('are cut if they are long, but stay distinct', () => {
    const [one, other] = [key(`${'k'.repeat(600)}1`), key(`${'k'.repeat(600)}2`)];
    expect(one).toHaveLength(500);
    expect(one).not.toBe(other);
    expect(one.endsWith(sha256(`${'k'.repeat(600)}1`))).toBe(true);
    expect(key('k'.repeat(500))).toBe('k'.repeat(500));
  });
});

describe('Accounts', () => {
  test('have text in NFC and a trimmed e-mail', () => {
    const sync = accountSync({
      map: { email: { field: 'email' }, lastName: { field: 'name.last' }, fax: { field: 'fax' } },
    });
    const record = { email: ' Ann@Example.edu ', name: { last: 'Núñez' }, fax: 5550100 };
    expect(desired(sync, record)).toMatchObject({
      key: 'ann@example.edu',
      resource: 'accounts',
      payload: { email: 'Ann@Example.edu', lastName: 'Núñez', fax: '5550100' },
    });
  });

  const accountWith = (attribute: string) =>
    accountSync({ key: { fields: ['id'], normalize: [] }, map: { [attribute]: { field: 'f' } } });

  test.each([
    ['email', 7, 'email: "7" is not an e-mail address'],
    ['email', 'ann at example.edu', 'email: "ann at example.edu" is not an e-mail address'],
    ['email', 'ann@', 'email: "ann@" is not an e-mail address'],
    ['email', ['a@x.org', 'b@x.org'], 'email: "a@x.org, b@x.org" is not an e-mail address'],
    ['website', 'n/a', 'website: "n/a" is not a web address'],
    ['website', 7, 'website: "7" is not a web address'],
    ['website', 'javascript://x.org/%0aalert(1)', /^website: "javascript:.* is not a web address$/],
    ['website', 'ftp://x.org', 'website: "ftp://x.org" is not a web address'],
    ['gender', 1, 'gender: "1" is not a word such as unknown or male'],
    ['gender', true, 'gender: "true" is not a word such as unknown or male'],
    ['firstName', { a: 1 }, 'firstName: { a: 1 } is not text (field "f")'],
  ])('are rejected if %s is %j', (attribute, f, reason) => {
    const expected = typeof reason === 'string' ? reason : expect.stringMatching(reason);
    expect(rejection(accountWith(attribute), { id: '1', f })).toMatchObject({
      code: 'FF_RECORD_VALUE',
      reason: expected,
    });
  });

  test.each([
    ['email', "Ann.O'Brien+news@x.example.edu"],
    ['email', 'r&d@x.org'],
    ['email', 'josé@bücher.example'],
    ['email', ''],
    ['website', 'https://x.org/a b?c=d'],
    ['website', 'www.example.org/ann'],
    ['website', 'http://intranet/ann'],
    ['website', ''],
    ['gender', 'divers'],
    ['phoneOffice', '5550100'],
  ])('take the %s %j', (attribute, f) => {
    expect(payload(accountWith(attribute), { id: '1', f })).toEqual({ [attribute]: f });
  });

  test('do not show a password that is not valid', () => {
    expect(rejection(accountWith('password'), { id: '1', f: { word: 'marker' } }).reason).toBe(
      'password: the value is not valid (field "f")',
    );
  });

  test('have their attributes mapped by name if there is no map', () => {
    const record = { email: 'a@example.edu', firstName: 'Ann', age: 7, password: 'x' };
    expect(payload(accountSync({ map: undefined }), record)).toEqual({ email: 'a@example.edu', firstName: 'Ann' });
  });

  test('are rejected if the key is a list or missing', () => {
    expect(rejection(accountSync(), { email: ['a@b.c'] }).code).toBe('FF_RECORD_KEY');
    expect(rejection(accountSync(), { name: 'x' })).toMatchObject({ code: 'FF_RECORD_KEY', fields: { name: 'x' } });
  });
});
