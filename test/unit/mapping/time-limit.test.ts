import { expect, test } from 'vitest';
import type { FieldRule } from '../../../src/config/types.ts';
import { compileMapping } from '../../../src/mapping/compile.ts';
import { context, eventSync, rejection } from './setup.ts';

const event = { id: '1', title: 'T', start: '2026-03-01T10:00' };
const withRule = (attribute: string, rule: FieldRule) => eventSync({ map: { ...eventSync().map, [attribute]: rule } });

test('A regular expression that would take years rejects its records, each sooner than the last', async () => {
  const map = compileMapping(withRule('extra', { expression: '$contains(title, /^(\\w+\\s?)*$/)' }), context);
  const times: number[] = [];
  for (let record = 0; record < 6; record++) {
    const startedAt = performance.now();
    const mapped = await map({ at: 'line 2', fields: { ...event, title: `${'a'.repeat(40)}!` } });
    times.push(performance.now() - startedAt);
    expect(mapped).toMatchObject({
      rejection: { code: 'FF_RECORD_EXPRESSION', reason: expect.stringMatching(/takes longer than/) },
    });
  }
  expect(times[5]).toBeLessThan(500);
  expect(await map({ at: 'line 3', fields: { ...event, title: 'Talk' } })).toMatchObject({ is: 'desired' });
});

test('HTML that is nested without end rejects the record', () => {
  const nested = rejection(withRule('description', { field: 'title' }), {
    ...event,
    title: '<ul><li>'.repeat(200_000),
  });
  expect(nested).toMatchObject({
    code: 'FF_RECORD_VALUE',
    reason: expect.stringContaining('takes longer than 1000 ms'),
  });
});

test.each([
  ['$match("a1b22", /[0-9]+/).match', ['1', '22']],
  ['$replace("a  b   c", /\\s+/, " ")', 'a b c'],
  ['$replace("a,b,c", /,/, ";", 1)', 'a;b,c'],
  ['$split("a1b22c", /\\d+/)', ['a', 'b', 'c']],
  ['$map(["x1", "y", "z2"], function($item) { $contains($item, /\\d/) })', [true, false, true]],
  ['$match("Ab", /(?<first>a)(b)/i)[0].groups', ['A', 'b']],
  ['$length($replace($pad("", 100000, " x"), /\\s/, ""))', 50_000],
])('The regular expression in %s finds what it should', { timeout: 2000 }, async (expression, expected) => {
  const mapped = await compileMapping(withRule('extra', { expression }), context)({ at: 'line 2', fields: event });
  expect(mapped).toMatchObject({ record: { payload: { extra: expected } } });
});
