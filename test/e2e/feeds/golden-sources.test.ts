import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runHere } from '../run-here.ts';
import { openSite, simplest } from '../site.ts';

const folder = join(import.meta.dirname, '../../fixtures/golden');
const sources = {
  campus: ['campus.yaml', 'campus.csv', 'audiences.csv'],
  tickets: ['tickets.yaml', 'tickets.json'],
  people: ['people.yaml', 'people.tsv'],
};
type Source = keyof typeof sources;

async function openWith(source: Source) {
  const site = await openSite(simplest);
  for (const file of sources[source]) site.write(`syncs/${file}`, readFileSync(join(folder, file)));
  return site;
}

describe('Realistic sources', () => {
  test.each(Object.keys(sources) as Source[])('%s', async (source) => {
    await using site = await openWith(source);
    const { stdout } = await runHere(['preview', source, '--json'], site.variables);
    const records = stdout
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    await expect(`${JSON.stringify(records, null, 2)}\n`).toMatchFileSnapshot(join(folder, `${source}.expected.json`));
  });

  test.each([
    ['campus', { read: 8, created: 4, rejected: 3, skipped: 1 }],
    ['tickets', { read: 5, created: 2, rejected: 1, skipped: 2 }],
    ['people', { read: 6, created: 2, rejected: 3, skipped: 1 }],
  ] as const)('The source %s is delivered, and then is unchanged', async (source, counts) => {
    await using site = await openWith(source);
    const [first] = await site.sync();
    expect(first).toMatchObject({ status: 'partial', counts });
    const [second] = await site.sync();
    expect(second?.counts).toMatchObject({
      created: 0,
      updated: 0,
      unchanged: counts.created,
      rejected: counts.rejected,
    });
  });
});

test('The CMS stores the mapped values, and the password of the source is not shown', async () => {
  await using site = await openWith('people');
  await site.sync();
  const people = await site.items('account/accounts');
  const amara = people.find(({ username }) => username === 'aokonkwo');
  expect(amara).toMatchObject({
    firstName: 'Amara',
    title: 'Professor',
    department: 'Sciences / Biology',
    phoneOffice: '+1 207 555 0101',
  });
  const preview = await runHere(['preview', 'people', '--json'], site.variables);
  expect(preview.stdout).not.toContain('marker-738');
});
