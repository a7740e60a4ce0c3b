import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { sha256 } from '../../../src/core/hash.ts';
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

test.each(engines)(
  'Events that share a UID keep the items that they have under former keys, on $ledger',
  async (engine) => {
    await using site = await openSite(engine);
    const days = ['20310107', '20310114', '20310121', '20310121'];
    const events = days.map((day, index) =>
      [
        'BEGIN:VEVENT',
        'UID:tour',
        `DTSTART:${day}T170000Z`,
        'DURATION:PT1H',
        `SUMMARY:Tour ${index}`,
        'END:VEVENT',
      ].join('\r\n'),
    );
    site.write('syncs/tours.ics', ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events, 'END:VCALENDAR', ''].join('\r\n'));
    const missing = 'missing: { policy: delete, after: 1 run }';
    site.write('syncs/tours.yaml', `resource: events\nsource: { connector: ical, url: ./tours.ics }\n${missing}\n`);
    await site.sync();
    const items = await site.items('calendar/events');
    // As version 0.1.0 made them: the first event had the UID, and the others a hash of their content after it.
    await lookAtDatabase(site.environment(), async ({ db }) => {
      const records = await db.selectFrom('record_contents').select(['id', 'wanted']).orderBy('slot').execute();
      for (const [index, { id, wanted }] of records.entries()) {
        const key = index === 0 ? 'tour' : `tour#${sha256(String(index)).slice(0, 12)}`;
        await db.updateTable('records').set({ key }).where('id', '=', id).execute();
        await db.updateTable('contents').set({ series: key }).where('id', '=', wanted).execute();
      }
    });
    site.writes();

    expect(await site.sync()).toMatchObject([
      { status: 'success', counts: { created: 0, updated: 0, unchanged: 4, missing: 0 } },
    ]);
    expect(site.writes()).toEqual({});
    expect(await site.items('calendar/events')).toEqual(items);
  },
);

/** Does what the remedy says. */
async function beginEmptyLedger(site: Site): Promise<void> {
  site.variables.FEEDFERRY_DATA = join(site.dir, 'empty');
  if (!site.variables.DATABASE_URL) return;
  const database = await createEmptyDatabase();
  onTestFinished(() => database.drop());
  site.variables.DATABASE_URL = database.url;
}
