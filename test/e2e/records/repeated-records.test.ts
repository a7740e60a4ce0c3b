import { expect, test } from 'vitest';
import { planRun } from '../../../src/sync/runs/plan-run.ts';
import { writeTalks, writeTalksSync } from '../fixtures.ts';
import { either } from '../in-turn.ts';
import { openSite, type Site, simplest } from '../site.ts';

/** More than a batch. */
const MANY = 510;

const talk = (number: number, title = `Talk ${number}`) => `T${number},${title},2027-03-01,18:00`;
const talks = Array.from({ length: MANY }, (_, index) => talk(index + 1));

async function siteWith(rows: readonly string[], more = ''): Promise<Site> {
  const site = await openSite(simplest);
  writeTalksSync(site, more);
  writeTalks(site, rows);
  return site;
}

test.each(either(0))(
  'With $ledger and $queue, identical records are one, in the same batch and in another, new or not',
  async (engines) => {
    await using site = await openSite(engines);
    writeTalksSync(site);
    // The talks are in the lines from 2 on.
    writeTalks(site, [...talks, talk(MANY), talk(1), talk(1)]);
    const repeats = [
      { at: `line ${MANY + 2}`, message: `Repeats line ${MANY + 1}: identical records count as one` },
      { at: `line ${MANY + 3}`, message: 'Repeats line 2: identical records count as one' },
      { at: `line ${MANY + 4}`, message: 'Repeats line 2: identical records count as one' },
    ];
    const [first] = await site.sync();
    expect(first).toMatchObject({ status: 'success', counts: { read: MANY, created: MANY, rejected: 0, skipped: 0 } });
    expect(first?.warnings).toEqual(repeats);
    const [second] = await site.sync();
    expect(second).toMatchObject({ status: 'success', counts: { read: MANY, unchanged: MANY, rejected: 0 } });
    expect(second?.warnings).toEqual(repeats);
  },
);

test('Records with the same key that differ are rejected, whether or not others are identical', async () => {
  await using site = await openSite(simplest);
  writeTalksSync(site);
  writeTalks(site, [...talks, talk(1), talk(1, 'Another'), talk(2, 'Another'), talk(2)]);
  const report = await site.withContext(planRun);
  expect(report).toMatchObject({ status: 'planned', creates: MANY - 2, counts: { read: MANY + 2, rejected: 4 } });
  expect(report?.rejections.map(({ at }) => at).sort()).toEqual([
    'line 2',
    'line 3',
    `line ${MANY + 3}`,
    `line ${MANY + 4}`,
  ]);
  expect(report?.warnings.map(({ at }) => at)).toEqual([`line ${MANY + 2}`, `line ${MANY + 5}`]);
});

test('A record that differs in a field that is not mapped is another record', async () => {
  await using site = await openSite(simplest);
  writeTalksSync(site);
  writeTalks(site, [`${talk(1)},a`, `${talk(1)},b`, `${talk(2)},a`, `${talk(2)},a`], {
    columns: 'id,title,date,start,note',
  });
  const [report] = await site.sync();
  expect(report).toMatchObject({ counts: { read: 3, created: 1, rejected: 2 } });
});

test('Identical records that are skipped are one', async () => {
  await using site = await siteWith([talk(1), talk(2), talk(2)], 'when: { field: title, is: Talk 1 }');
  const [report] = await site.sync();
  expect(report).toMatchObject({ status: 'success', counts: { read: 2, created: 1, skipped: 1, rejected: 0 } });
});

test('The record of identical ones is explained as one', async () => {
  await using site = await siteWith([talk(1), talk(1), talk(2), talk(2, 'Another')]);
  await site.sync();
  expect(await site.explain('talks', 'T1')).toMatchObject({
    verdict: { is: 'unchanged' },
    source: { found: [{ at: 'line 2' }] },
  });
  expect(await site.explain('talks', 'T2')).toMatchObject({ verdict: { is: 'rejected' } });
});
