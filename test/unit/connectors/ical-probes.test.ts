import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ical } from '../../../connectors/ical/ical.ts';
import { type ReadResult, readFeed } from './read-feed.ts';

// A small calendar for each kind of problem, with its expected result, line by line.
const folder = join(import.meta.dirname, '../../fixtures/feeds/ical');
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.ics'))
  .map((name) => name.slice(0, -'.ics'.length));

test.each(names)('The calendar %s has the expected records, rejections and warnings', async (name) => {
  const result = await readFeed(ical, readFileSync(join(folder, `${name}.ics`)), {
    window: { from: '1999-01-01', to: '2028-12-31' },
    options: { maxOccurrences: 20 },
  });
  await expect(describeResult(result)).toMatchFileSnapshot(join(folder, `${name}.expected.txt`));
});

function describeResult({ records, rejections, warnings, incomplete, error }: ReadResult): string {
  const lines = [
    ...records.map(({ fields: { uid, start, end, summary } }) => `${uid} | ${start} – ${end} | ${summary}`),
    ...rejections.map(({ at, key, code, reason }) => `rejected ${key} | ${at} | ${code} | ${reason}`),
    ...warnings.map(({ at, message }) => `warning | ${at} | ${message}`),
    ...incomplete.map((reason) => `incomplete | ${reason}`),
    ...(error ? [`refused | ${error.code} | ${error.message}`] : []),
  ];
  return `${lines.join('\n')}\n`;
}
