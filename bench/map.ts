// Records mapped a second by one core, for ten attributes: by fields alone, with templates.
// npm run dev -- bench:map [--records 200000]
import { parseArgs } from 'node:util';
import type { FieldRule, SyncConfig } from '../src/config/types.ts';
import type { SourceRecord } from '../src/core/record.ts';
import { compileMapping, type Mapping } from '../src/mapping/compile.ts';

const { values } = parseArgs({ options: { records: { type: 'string', default: '200000' } } });
const count = Number(values.records);

const fields: Record<string, FieldRule> = {
  title: { field: 'name', trim: true },
  date: { field: 'day', format: ['dd/MM/yyyy'] },
  endDate: { field: 'day', format: ['dd/MM/yyyy'] },
  'time.start': { field: 'from' },
  'time.end': { field: 'to' },
  isFeatured: { field: 'featured', true: ['oui'], false: ['non'] },
  description: { field: 'text' },
  category: { field: 'category', lookup: { TLK: 'Talk', CON: 'Concert' } },
  location: { field: 'place.name', default: 'Main hall' },
  price: { field: 'price', default: 'free' },
};
const maps: Record<string, Record<string, FieldRule>> = {
  'fields alone': fields,
  'start and end with a zone': withoutDays({ start: { field: 'starts' }, end: { field: 'ends' } }),
  'one sanitized text': { ...fields, description: { field: 'text', html: 'sanitize' } },
  'two templates': {
    ...fields,
    location: { template: '{{ place.name }}, {{ place.city }}' },
    price: { template: '{% if price %}{{ price }} €{% else %}free{% endif %}' },
  },
};

for (const [name, map] of Object.entries(maps)) measure(name, map);

function measure(name: string, map: Record<string, FieldRule>): void {
  const mapping = compileMapping(syncWith(map), {
    siteTimezone: 'America/New_York',
    sourceTimezone: 'Europe/Paris',
    now: Date.now,
  });
  mapAll(mapping, Math.ceil(count / 10));
  const startedAt = performance.now();
  mapAll(mapping, count);
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(`${name}: ${Math.round(count / seconds).toLocaleString('en')} records/s`);
}

function mapAll(mapping: Mapping, total: number): void {
  for (let index = 0; index < total; index += 1) {
    const mapped = mapping(record(index));
    if (mapped.is !== 'desired') throw new Error(`Record ${index} is ${JSON.stringify(mapped)}`);
  }
}

function record(index: number): SourceRecord {
  const day = String((index % 28) + 1).padStart(2, '0');
  return {
    at: `line ${index + 2}`,
    fields: {
      id: String(index),
      name: ` Event number ${index} `,
      day: `${day}/05/2027`,
      from: '19:30',
      to: '21:00',
      starts: `2027-05-${day}T19:30`,
      ends: `2027-05-${day}T21:00`,
      featured: index % 2 === 0 ? 'oui' : 'non',
      text: `<p>Number ${index}, with <b>words</b> and <a href="https://www.example.org/${index}">a link</a>.</p>`,
      category: index % 3 === 0 ? 'TLK' : 'CON',
      place: { name: `Room ${index % 10}`, city: 'Lyon' },
      price: index % 5 === 0 ? '' : '12',
    },
  };
}

function withoutDays(instead: Record<string, FieldRule>): Record<string, FieldRule> {
  const { date, endDate, 'time.start': start, 'time.end': end, ...others } = fields;
  return { ...others, ...instead };
}

function syncWith(map: Record<string, FieldRule>): SyncConfig {
  return {
    name: 'bench',
    file: 'bench.yaml',
    resource: 'events',
    source: { connector: 'csv', url: 'bench.csv', feed: {}, options: {} },
    key: { fields: ['id'], normalize: ['trim', 'nfc'] },
    map,
    attachments: {},
    onAttachmentError: 'publish',
    onDeletedInCms: 'leave',
    missing: { policy: 'keep' },
  };
}
