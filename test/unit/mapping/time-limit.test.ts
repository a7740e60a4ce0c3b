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

test.each([
  ['$pad("x", 1e8)', /\$pad\(\) makes a text of 100,000,000 characters; the longest possible is 1,000,000/],
  ['$fromMillis(0, "[Y,1000000-100000000]")', /\$fromMillis\(\) makes a text/],
  ['$length($reduce([1..25], function($a, $b) { $a & $a }, "0123456789"))', /\$length\(\) is given a text of/],
  ['$reduce([1..25], function($a, $b) { $a & $a }, "0123456789")', /the result is too large/],
  ['$reduce([1..40], function($a, $b) { {"a": $a, "b": $a} }, 1)', /the result is too large/],
  ['$count([1..1e7])', /maximum sequence length/],
])('%s rejects its record soon, and names the attribute and the expression', async (expression, reason) => {
  const startedAt = performance.now();
  const mapped = await compileMapping(withRule('extra', { expression }), context)({ at: 'line 2', fields: event });
  expect(performance.now() - startedAt).toBeLessThan(3000);
  expect(mapped).toMatchObject({ rejection: { at: 'line 2', code: 'FF_RECORD_EXPRESSION' } });
  const text = mapped.is === 'rejected' ? mapped.rejection.reason : '';
  expect(text).toMatch(reason);
  expect(text).toContain(`extra: the expression ${JSON.stringify(expression)} failed: `);
});

test.each([
  ['$count($sort([1..99999]))', 99_999],
  ['$sort([3, 1, 2])', [1, 2, 3]],
  ['$sort(["b", "a"])', ['a', 'b']],
  ['$sort([{"a": 2}, {"a": 1}], function($l, $r) { $l.a > $r.a }).a', [1, 2]],
  ['["a", "b"].$uppercase()', ['A', 'B']],
  ['"2030" ~> $pad(6, "-")', '2030--'],
])('%s is within the limits', async (expression, expected) => {
  const mapped = await compileMapping(withRule('extra', { expression }), context)({ at: 'line 2', fields: event });
  expect(mapped).toMatchObject({ record: { payload: { extra: expected } } });
});

test.each([
  '{% for i in (1..10000000) %}{% endfor %}',
  "{{ 'now' | date: '%90000000d' }}",
  "{% assign a = '1,2,3' %}{% for i in (1..24) %}{% capture a %}{{ a }}{{ a }}{% endcapture %}{% endfor %}{{ a }}",
])('The template %s rejects its record soon', (template) => {
  const startedAt = performance.now();
  expect(rejection(withRule('extra', { template }), event)).toMatchObject({
    code: 'FF_RECORD_TEMPLATE',
    reason: expect.stringMatching(/^extra: the template .* failed: /),
  });
  expect(performance.now() - startedAt).toBeLessThan(3000);
});
