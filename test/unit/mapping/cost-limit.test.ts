import { expect, onTestFinished, test, vi } from 'vitest';
import type { FieldRule } from '../../../src/config/types.ts';
import { compileMapping } from '../../../src/mapping/compile.ts';
import { context, desired, eventSync, rejection } from './setup.ts';

const event = { id: '1', title: 'T', start: '2026-03-01T10:00' };
const withRule = (attribute: string, rule: FieldRule) => eventSync({ map: { ...eventSync().map, [attribute]: rule } });

test('A regular expression that would take years rejects its records, and no others', async () => {
  const map = compileMapping(withRule('extra', { expression: '$contains(title, /^(\\w+\\s?)*$/)' }), context);
  for (let record = 0; record < 3; record++) {
    expect(await map({ at: 'line 2', fields: { ...event, title: `${'a'.repeat(40)}!` } })).toMatchObject({
      rejection: { code: 'FF_RECORD_EXPRESSION', reason: expect.stringMatching(/takes longer than 1,000,000 steps/) },
    });
  }
  expect(await map({ at: 'line 3', fields: { ...event, title: 'Talk' } })).toMatchObject({ is: 'desired' });
});

test('A machine that is slow rejects no record', async () => {
  const html = '<b>'.repeat(3_000);
  const rules: FieldRule[] = [
    { expression: '$contains(title, /^(\\w+\\s?)*$/)' },
    { expression: '$sum($map([1..20], function($i) { $i * 2 }))' },
    { expression: '$length($pad(title, 20000))' },
    { template: '{% for i in (1..20) %}{{ i }}{% endfor %}' },
  ];
  onTestFinished(() => void vi.restoreAllMocks());
  let ms = performance.now();
  const later = () => {
    ms += 3_600_000;
    return ms;
  };
  vi.spyOn(performance, 'now').mockImplementation(later);
  vi.spyOn(Date, 'now').mockImplementation(later);
  for (const rule of rules) {
    const mapped = await compileMapping(withRule('extra', rule), context)({ at: 'line 2', fields: event });
    expect(mapped, JSON.stringify(rule)).toMatchObject({ is: 'desired' });
  }
  expect(desired(withRule('description', { field: 'text' }), { ...event, text: `${html}Talk` })).toMatchObject({
    key: '1',
  });
});

test.each([
  ['a loop without end', '($f := function($n) { $f($n + 1) }; $f(0))'],
  ['lists that are made again and again', '$count($map([1..50000], function($i) { $count([1..50000]) }))'],
  ['texts that are made again and again', '$count($map([1..9000], function($i) { $length($pad("x", 50000)) }))'],
  ['one list beside itself', '$count($distinct([1..6000]))'],
])('%s rejects the record', async (_, expression) => {
  const mapped = await compileMapping(withRule('extra', { expression }), context)({ at: 'line 2', fields: event });
  expect(mapped).toMatchObject({
    rejection: {
      code: 'FF_RECORD_EXPRESSION',
      reason: expect.stringMatching(/longer than 500,000 steps|at most 5,000/),
    },
  });
});

test('HTML that is nested without end rejects the record', () => {
  const nested = rejection(withRule('description', { field: 'title' }), {
    ...event,
    title: '<ul><li>'.repeat(200_000),
  });
  expect(nested).toMatchObject({
    code: 'FF_RECORD_VALUE',
    reason: expect.stringContaining('more than 10,000 elements are nested'),
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
])('The regular expression in %s finds what it should', async (expression, expected) => {
  const mapped = await compileMapping(withRule('extra', { expression }), context)({ at: 'line 2', fields: event });
  expect(mapped).toMatchObject({ record: { payload: { extra: expected } } });
});

test.each([
  ['$pad("x", 1e8)', /\$pad\(\) makes a text of 100,000,000 characters; the longest possible is 1,000,000/],
  ['$fromMillis(0, "[Y,1000000-100000000]")', /\$fromMillis\(\) makes a text/],
  ['$length($reduce([1..25], function($a, $b) { $a & $a }, "0123456789"))', /takes longer than 500,000 steps/],
  ['$reduce([1..25], function($a, $b) { $a & $a }, "0123456789")', /takes longer than 500,000 steps/],
  ['$reduce([1..40], function($a, $b) { {"a": $a, "b": $a} }, 1)', /the result is too large/],
  ['$count([1..1e7])', /maximum sequence length/],
])('%s rejects its record soon, and names the attribute and the expression', async (expression, reason) => {
  const mapped = await compileMapping(withRule('extra', { expression }), context)({ at: 'line 2', fields: event });
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
  expect(rejection(withRule('extra', { template }), event)).toMatchObject({
    code: 'FF_RECORD_TEMPLATE',
    reason: expect.stringMatching(/^extra: the template .* failed: /),
  });
});
