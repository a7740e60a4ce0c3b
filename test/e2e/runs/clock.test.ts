import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/ledger/database/open.ts';
import { writeTalks, writeTalksSync } from '../fixtures.ts';
import { runHere } from '../run-here.ts';
import { openSite, simplest } from '../site.ts';

test('After the clock has gone back by an hour, a sync reads its feed', async () => {
  await using site = await openSite(simplest);
  writeTalksSync(site);
  writeTalks(site, ['1,Old Maps,2027-03-01,18:00']);
  const [first] = await site.sync();
  const { db } = await openDatabase({ dataDir: join(site.dir, 'data') });
  onTestFinished(() => db.destroy());
  const inAnHour = Date.now() + 3_600_000;
  await db.updateTable('runs').set({ started_at: inAnHour, finished_at: inAnHour }).execute();

  writeTalks(site, ['1,Old Maps,2027-03-01,18:00', '2,New Maps,2027-03-02,18:00']);
  const result = await runHere(['sync', 'talks', '--json'], site.variables);
  expect(result.json()).toMatchObject({ runs: [{ counts: { read: 2, created: 1 } }] });
  expect(result.stdout).not.toContain(first?.run);
});

test('After an update of the time zone rules, they are named as the cause of what moves', async () => {
  await using site = await openSite(simplest);
  writeTalksSync(site);
  writeTalks(site, ['1,Old Maps,2027-03-01,18:00', '2,New Maps,2027-03-02,18:00']);
  await site.sync();
  const { db } = await openDatabase({ dataDir: join(site.dir, 'data') });
  onTestFinished(() => db.destroy());
  const rules = process.versions.tz ?? '';
  await db
    .updateTable('runs')
    .set({ fingerprint: sql`replace(fingerprint, ${rules}, '2020a')` })
    .execute();

  // What the old rules would have made of it.
  writeTalks(site, ['1,Old Maps,2027-03-01,19:00', '2,New Maps,2027-03-02,18:00']);
  const [report] = await site.sync();
  expect(report).toMatchObject({ counts: { updated: 1, unchanged: 1 } });
  const message = `the time zone rules have changed from 2020a to ${rules}: this may be why records move (1)`;
  expect(report?.warnings).toContainEqual({ at: 'feed', message });
  writeTalks(site, ['1,Old Maps,2027-03-01,18:00', '2,New Maps,2027-03-02,18:00']);
  expect((await site.sync())[0]?.warnings).toEqual([]);
});
