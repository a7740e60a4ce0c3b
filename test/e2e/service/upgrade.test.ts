import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { lookAtDatabase } from '../../../src/ledger/database/open.ts';
import { createEmptyDatabase } from '../../support/engines.ts';
import { threeTalks, writeTalks, writeTalksSync } from '../fixtures.ts';
import { runHere } from '../run-here.ts';
import { combinations, openSite, type Site } from '../site.ts';

const engines = combinations.filter(({ queue }) => queue === 'in-process');

test.each(engines)('Who has a ledger from before the first release on $ledger begins an empty one', async (engine) => {
  await using site = await openSite(engine);
  writeTalksSync(site);
  writeTalks(site, threeTalks);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 3 } }]);
  await lookAtDatabase(site.environment(), async ({ db }) => {
    await sql`delete from kysely_migration`.execute(db);
    await sql`insert into kysely_migration (name, timestamp) values ('001-initial', '2026')`.execute(db);
  });
  site.writes();

  const refused = await runHere(['sync', '--json'], site.variables);
  expect(refused.exitCode).toBe(2);
  expect(refused.json()).toMatchObject({
    error: { code: 'FF_LEDGER_OLDER', message: expect.stringContaining('cannot be upgraded') },
  });
  const doctor = await runHere(['doctor', '--json'], site.variables);
  expect(doctor.stdout).toContain('"code":"FF_LEDGER_OLDER"');
  expect(site.writes()).toEqual({});

  await beginEmptyLedger(site);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 0, unchanged: 3 } }]);
  expect(site.writes()).toEqual({});
  expect(await site.items('calendar/events')).toHaveLength(3);
});

/** Does what the remedy says. */
async function beginEmptyLedger(site: Site): Promise<void> {
  site.variables.FEEDFERRY_DATA = join(site.dir, 'empty');
  if (!site.variables.DATABASE_URL) return;
  const database = await createEmptyDatabase();
  onTestFinished(() => database.drop());
  site.variables.DATABASE_URL = database.url;
}
