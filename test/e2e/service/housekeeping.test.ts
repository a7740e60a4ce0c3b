import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/ledger/database/open.ts';
import { writeTalks, writeTalksSync } from '../fixtures.ts';
import { openSite, simplest } from '../site.ts';

const DAY_MS = 86_400_000;

test('Runs sweep the ledger once an hour as configured in feedferry.yaml', async () => {
  await using site = await openSite(simplest, { target: 'retention: { rejects: 1d }\n' });
  writeTalksSync(site);
  writeTalks(site, ['1,Old Maps,2027-03-01,18:00', '2,New Maps,2027-02-30,18:00']);
  const [first] = await site.sync();
  const [second] = await site.sync();
  const { db } = await openDatabase({ dataDir: join(site.dir, 'data') });
  onTestFinished(() => db.destroy());
  const rejecting = async () => {
    const rows = await db.selectFrom('rejections').select('run').orderBy('run').execute();
    return rows.map(({ run }) => run);
  };
  expect((await rejecting()).sort()).toEqual([first?.run, second?.run].sort());

  await db
    .updateTable('runs')
    .set({ started_at: Date.now() - 2 * DAY_MS })
    .execute();
  const [third] = await site.sync();
  expect(await rejecting()).toHaveLength(3);

  await db
    .updateTable('housekeeping')
    .set({ begun_at: Date.now() - 2 * 3_600_000 })
    .execute();
  const [fourth] = await site.sync();
  expect((await rejecting()).sort()).toEqual([third?.run, fourth?.run].sort());
  expect(fourth).toMatchObject({ status: 'partial', counts: { unchanged: 1, rejected: 1 } });
});
