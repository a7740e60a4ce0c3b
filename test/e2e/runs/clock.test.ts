import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/ledger/database/open.ts';
import { feedferry } from '../feedferry.ts';
import { writeTalks, writeTalksSync } from '../fixtures.ts';
import { openSite } from '../site.ts';

test('After the clock has gone back by an hour, a sync reads its feed', async () => {
  await using site = await openSite({ ledger: 'sqlite', queue: 'in-process' });
  writeTalksSync(site);
  writeTalks(site, ['1,Old Maps,2027-03-01,18:00']);
  const [first] = await site.sync();
  const { db } = await openDatabase({ dataDir: join(site.dir, 'data') });
  onTestFinished(() => db.destroy());
  const inAnHour = Date.now() + 3_600_000;
  await db.updateTable('runs').set({ started_at: inAnHour, finished_at: inAnHour }).execute();

  writeTalks(site, ['1,Old Maps,2027-03-01,18:00', '2,New Maps,2027-03-02,18:00']);
  const result = await feedferry(['sync', 'talks', '--json'], site.variables);
  expect(result.json()).toMatchObject({ runs: [{ counts: { read: 2, created: 1 } }] });
  expect(result.stdout).not.toContain(first?.run);
});
