import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { fileTypeFromFile } from 'file-type';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';

const syncs = join(import.meta.dirname, '../../../examples/syncs');
const feeds = join(syncs, 'feeds');
const text = await readFile(join(feeds, 'museum-events.csv'), 'utf8');
const rows: Array<Record<string, string>> = parse(text, { columns: true });

describe('The sample museum-events.csv', () => {
  test('has 80 events, each with an id of its own', () => {
    expect(rows).toHaveLength(80);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(80);
    expect(rows.every(({ id }) => /^[A-Z]{2}-\d{4}$/.test(id ?? ''))).toBe(true);
  });

  test('has 79 different titles: one is missing on purpose', () => {
    const titles = rows.map(({ title }) => title);
    expect(titles.filter((title) => title === '')).toHaveLength(1);
    expect(new Set(titles).size).toBe(80);
  });

  test('has exactly one impossible date and one impossible time', () => {
    const dates = rows.flatMap(({ start_date, end_date }) => [start_date, end_date]).filter((date) => date !== '');
    expect(dates.filter((date) => !isDate(date))).toEqual(['2027-02-30']);
    const times = rows.flatMap(({ start_time, end_time }) => [start_time, end_time]).filter((time) => time !== '');
    expect(times.filter((time) => !/^([01]\d|2[0-3]):[0-5]\d$/.test(time ?? ''))).toEqual(['25:10']);
    expect(dates.every((date) => date && date >= '2026-01-01' && date <= '2028-12-31')).toBe(true);
  });

  test('has times for exactly the events that are not all-day', () => {
    for (const { id, all_day, start_time, end_time } of rows) {
      const hasTimes = start_time !== '' && end_time !== '';
      expect({ id, hasTimes }).toEqual({ id, hasTimes: all_day === 'no' });
    }
  });

  test('has typical difficulties of CSV and HTML', () => {
    expect(text).toContain('""'); // doubled quotes
    expect(text).toContain('</p>\n<p>'); // line breaks within quotes
    expect(text).toContain('\u00a0'); // non-breaking spaces
    expect(text).toMatch(/Café.*Núñez|Núñez.*Café/s);
    expect(text).toContain('Łódź');
    expect(text).toContain('<script>');
    expect(text).toContain('onclick=');
  });

  test('names only categories that the sync has a name for', async () => {
    const sync = parseYaml(await readFile(join(syncs, 'museum-events.yaml'), 'utf8'));
    const codes = new Set(rows.map(({ category }) => category));
    expect(Object.keys(sync.map.category.lookup).sort()).toEqual([...codes].sort());
  });
});

describe('The sample files of the museum', () => {
  test.each(readdirSync(join(feeds, 'files')))(
    'The file %s has the type of its extension, is small, and belongs to an event',
    async (name) => {
      const file = join(feeds, 'files', name);
      expect(await fileTypeFromFile(file)).toMatchObject({ ext: name.split('.').at(-1) });
      expect((await readFile(file)).length).toBeLessThan(15_000);
      expect(rows.some(({ image, brochure }) => [image, brochure].includes(`files/${name}`))).toBe(true);
    },
  );

  test('The files that events name are ten images and a brochure, and all exist', () => {
    const images = new Set(rows.map(({ image }) => image).filter((image) => image !== ''));
    const brochures = new Set(rows.map(({ brochure }) => brochure).filter((brochure) => brochure !== ''));
    expect(images.size).toBe(10);
    expect(brochures.size).toBe(1);
    expect([...images, ...brochures].sort()).toEqual(
      readdirSync(join(feeds, 'files'))
        .map((name) => `files/${name}`)
        .sort(),
    );
  });
});

function isDate(text: string | undefined): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${text}T`);
}
