import { expect, onTestFinished, test, vi } from 'vitest';
import type { FieldRule } from '../../../src/config/types.ts';
import { compileMapping } from '../../../src/mapping/compile.ts';
import { context, desired, eventSync, map, rejection } from './setup.ts';

const event = { id: '1', title: 'T', start: '2026-03-01T10:00' };
const withRule = (attribute: string, rule: FieldRule) => eventSync({ map: { ...eventSync().map, [attribute]: rule } });

test('A regular expression that would take years rejects its records, and no others', () => {
  const mapped = compileMapping(eventSync({ when: { field: 'title', matches: '^(\\w+\\s?)*$' } }), context);
  for (let record = 0; record < 3; record++) {
    expect(mapped({ at: 'line 2', fields: { ...event, title: `${'a'.repeat(40)}!` } })).toMatchObject({
      rejection: {
        code: 'FF_RECORD_PATTERN',
        reason: expect.stringMatching(/"title".*takes longer than 10,000,000 steps/),
      },
    });
  }
  expect(mapped({ at: 'line 3', fields: { ...event, title: 'Talk' } })).toMatchObject({ is: 'desired' });
  expect(mapped({ at: 'line 3', fields: { ...event, title: 'Talk!' } })).toMatchObject({ is: 'skipped' });
});

test('A plain regular expression finds its match in a long text', () => {
  const text = `${'Lorem ipsum '.repeat(200_000)}dolor`;
  const sync = (matches: string) => eventSync({ when: { field: 'text', matches } });
  expect(map(sync('dolor$'), { ...event, text })).toMatchObject({ is: 'desired' });
  expect(map(sync('amet'), { ...event, text })).toMatchObject({ is: 'skipped' });
});

test('A machine that is slow rejects no record', () => {
  const html = '<b>'.repeat(3_000);
  const rules: FieldRule[] = [{ template: '{% for i in (1..20) %}{{ i }}{% endfor %}' }];
  onTestFinished(() => void vi.restoreAllMocks());
  let ms = performance.now();
  const later = () => {
    ms += 3_600_000;
    return ms;
  };
  vi.spyOn(performance, 'now').mockImplementation(later);
  vi.spyOn(Date, 'now').mockImplementation(later);
  for (const rule of rules) {
    expect(map(withRule('extra', rule), event), JSON.stringify(rule)).toMatchObject({ is: 'desired' });
  }
  expect(desired(withRule('description', { field: 'text' }), { ...event, text: `${html}Talk` })).toMatchObject({
    key: '1',
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
  '{% for i in (1..10000000) %}{% endfor %}',
  "{{ 'now' | date: '%90000000d' }}",
  "{% assign a = '1,2,3' %}{% for i in (1..24) %}{% capture a %}{{ a }}{{ a }}{% endcapture %}{% endfor %}{{ a }}",
])('The template %s rejects its record soon', (template) => {
  expect(rejection(withRule('extra', { template }), event)).toMatchObject({
    code: 'FF_RECORD_TEMPLATE',
    reason: expect.stringMatching(/^extra: the template .* failed: /),
  });
});
