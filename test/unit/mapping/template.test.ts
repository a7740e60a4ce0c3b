import { describe, expect, test } from 'vitest';
import { ruleKeys } from '../../../src/config/schema/rule-schema.ts';
import { compileMapping } from '../../../src/mapping/compile.ts';
import { mappedFields } from '../../../src/mapping/field-usage.ts';
import { context, eventSync, payload, rejection } from './setup.ts';

const fields = { id: '1', title: 'Talk', start: '2026-03-01T19:00' };

function withTemplate(template: string) {
  return eventSync({ map: { ...eventSync().map, custom: { template } } });
}

function rendered(template: string, record: Record<string, unknown> = {}) {
  return payload(withTemplate(template), { ...fields, ...record }).custom;
}

describe('A template', () => {
  test('reads fields, and absent ones as nothing', () => {
    expect(rendered("{{ categories[0] | default: 'General' }}", { categories: ['Art'] })).toBe('Art');
    expect(rendered("{{ categories[0] | default: 'General' }}")).toBe('General');
    expect(rendered('{{ name.first }} {{ name.last }}', { name: { first: 'Ann', last: 'Lee' } })).toBe('Ann Lee');
    expect(rendered('{{ ["Start Date"] }}', { 'Start Date': 'soon' })).toBe('soon');
    expect(rendered('{{ nothing }}')).toBeUndefined();
    expect(rendered('{{ nothing }}', { nothing: null })).toBeNull();
    expect(rendered('{{ nothing.at }} {{ all }}', { all: ' ' })).toBeNull();
    expect(rendered('{% if nothing %}yes{% else %}no{% endif %}')).toBe('no');
    expect(rendered('[{{ __proto__ }}{{ constructor.name }}{{ name.constructor }}]', { name: {} })).toBe('[]');
  });

  test('has a text that is converted to the type of the attribute', () => {
    const sync = eventSync({
      map: { ...eventSync().map, isFeatured: { template: '{% if rank > 3 %}yes{% endif %}' } },
    });
    expect(payload(sync, { ...fields, rank: 5 }).isFeatured).toBe(true);
    expect(payload(sync, { ...fields, rank: 1 }).isFeatured).toBe(false);
  });

  test.each([
    ['2026-03-01', '2026-03-01 00:00 -0500'],
    ['2026-07-01T10:00', '2026-07-01 10:00 -0400'],
    ['2026-07-01T10:00:00Z', '2026-07-01 06:00 -0400'],
    ['2026-07-01T10:00:00+02:00[Europe/Berlin]', '2026-07-01 04:00 -0400'],
    ['now', '2026-03-01 07:00 -0500'],
    ['next week', 'next week'],
  ])('writes %s in the site’s zone with the filter date', (value, expected) => {
    expect(rendered('{{ v | date: "%Y-%m-%d %H:%M %z" }}', { v: value })).toBe(expected);
  });

  test('that fails rejects the record', () => {
    const endless = '{% for i in (1..100000000) %}x{% endfor %}';
    expect(rejection(withTemplate(endless), fields)).toMatchObject({
      code: 'FF_RECORD_TEMPLATE',
      reason: expect.stringMatching(/^custom: the template .* failed/),
    });
  });

  test.each([
    '{{ a',
    '{{ a | nope }}',
    '{% include "x" %}',
    '{% render "x" %}',
    '{{ list | sample }}',
    '{{ d | date_to_string }}',
  ])('that is invalid is refused when the config is loaded and when it is compiled: %s', (template) => {
    expect(ruleKeys('.').safeParse({ template }).success).toBe(false);
    expect(() => compileMapping(withTemplate(template), context)).toThrow(
      expect.objectContaining({ code: 'FF_CONFIG_INVALID' }),
    );
  });
});

describe('The mapped fields', () => {
  test('are the first parts of the paths in rules, key and attachments', () => {
    const sync = eventSync({
      key: { fields: ['ids.main'], normalize: [] },
      map: {
        title: { field: 'names[0]' },
        custom: { template: '{% assign x = room %}{{ x }} {{ org.name }}{% for c in categories %}{{ c }}{% endfor %}' },
        other: { field: '["a.b"].c' },
        fixed: { value: 1 },
      },
      attachments: { image: { field: 'files.image' } },
    });
    expect([...mappedFields(sync)].sort()).toEqual(['a.b', 'categories', 'files', 'ids', 'names', 'org', 'room']);
    expect([...mappedFields(sync, { description: 'about', title: 'summary' })]).toContain('about');
    expect([...mappedFields(sync, { title: 'summary' })]).not.toContain('summary');
  });

  test('are only those of key and attachments without a map', () => {
    expect([...mappedFields(eventSync({ map: undefined }))]).toEqual(['id']);
  });
});

describe('The map of the connector', () => {
  const defaultMap = { title: 'summary', description: 'description', start: 'dtstart' };
  const record = { id: '1', summary: 'S', dtstart: '2026-03-01', description: 'D', name: 'N' };

  test('is used if the sync has none', () => {
    expect(payload(eventSync({ map: undefined }), record, { defaultMap })).toMatchObject({
      title: 'S',
      description: 'D',
    });
  });

  test('is overridden by that of the sync', () => {
    const sync = eventSync({ map: { title: { field: 'name' } } });
    expect(payload(sync, record, { defaultMap })).toMatchObject({ title: 'N', description: 'D', date: '2026-03-01' });
  });
});
