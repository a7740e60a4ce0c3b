import { describe, expect, test } from 'vitest';
import type { FieldRule } from '../../../../src/config/types.ts';
import { redactionOf } from '../../../../src/sync/plan/redact.ts';
import { accountSync } from '../../mapping/setup.ts';

const plain = redactionOf(accountSync());
const REDACTED = '[redacted]';

function redactionWith(password: FieldRule) {
  return redactionOf(accountSync({ map: { email: { field: 'email' }, password } }));
}

describe('Redacted source fields', () => {
  test('Source fields hide secrets at any depth, and become JSON', () => {
    const fields = {
      email: 'a@example.org',
      login: { name: 'ada', password: 'hunter2-hunter2' },
      tokens: ['one', 'two'],
      list: [{ secret: 1 }],
      id: 12345678901234567890n,
      born: new Date(0),
      gone: undefined,
      endless: Number.POSITIVE_INFINITY,
    };
    expect(plain.fields(fields)).toEqual({
      email: 'a@example.org',
      login: { name: 'ada', password: REDACTED },
      tokens: REDACTED,
      list: [{ secret: REDACTED }],
      id: '12345678901234567890',
      born: '1970-01-01T00:00:00.000Z',
      endless: 'Infinity',
    });
  });

  test('Source fields hide the fields of a password, whatever their name', () => {
    const fields = { email: 'a@example.org', first: 'apple', login: { start: 'pear' }, last: 'plum' };
    expect(redactionWith({ field: 'first' }).fields(fields)).toEqual({ ...fields, first: REDACTED });
    expect(redactionWith({ field: 'login.start' }).fields(fields)).toEqual({ ...fields, login: REDACTED });
    const column = redactionWith({ field: 'first.login' });
    expect(column.fields({ ...fields, 'first.login': 'apple' })).toEqual({
      ...fields,
      first: REDACTED,
      'first.login': REDACTED,
    });
    expect(plain.fields({ ...fields, note: 'log in with apple' }, 'apple')).toEqual({
      ...fields,
      first: REDACTED,
      note: `log in with ${REDACTED}`,
    });
    const templated = redactionWith({ template: '{{ first }}-{{ last }}' });
    expect(templated.fields(fields)).toEqual({ ...fields, first: REDACTED, last: REDACTED });
  });

  test('Source fields are bounded in length and depth', () => {
    const deep: { next?: object } = {};
    let inner = deep;
    for (let level = 0; level < 1000; level += 1) inner = inner.next = {};
    expect(JSON.stringify(plain.fields({ deep })).length).toBeLessThan(500);
    expect(plain.fields({ text: 'x'.repeat(5000) }).text).toHaveLength(2001);
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}`, 'x'.repeat(1000)]));
    expect(JSON.stringify(plain.fields(many)).length).toBeLessThan(17_000);
  });
});

describe('Redacted rejections', () => {
  const rejection = { at: 'line 2', code: 'FF_RECORD_VALUE', key: 'a' } as const;

  test('Rejections do not repeat a secret in their reason', () => {
    const kept = redactionWith({ field: 'start' }).rejection({
      ...rejection,
      reason: 'password: "hunter2" is too short',
      fields: { start: 'hunter2', title: 'x' },
    });
    expect(kept).toEqual({
      ...rejection,
      reason: `password: "${REDACTED}" is too short`,
      fields: { start: REDACTED, title: 'x' },
    });
  });

  test('Rejections hide an unparsed record if the feed has passwords', () => {
    const malformed = { ...rejection, code: 'FF_RECORD_MALFORMED', reason: 'no', fields: { row: 'a,b,c' } } as const;
    expect(redactionWith({ field: 'start' }).rejection(malformed).fields).toEqual({ row: REDACTED });
    const repeating = { ...malformed, reason: 'the item is a string (a,b,c)' };
    expect(redactionWith({ field: 'start' }).rejection(repeating).reason).toBe(`the item is a string (${REDACTED})`);
    expect(plain.rejection(malformed).fields).toEqual({ row: 'a,b,c' });
    expect(plain.rejection({ ...rejection, reason: 'no' })).toEqual({ ...rejection, reason: 'no' });
  });
});
