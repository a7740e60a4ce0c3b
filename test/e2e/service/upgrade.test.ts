import { expect, test } from 'vitest';
import type { Payload } from '../../../src/core/record.ts';
import { backfillSync } from '../../../src/sync/backfill/backfill.ts';
import { openFixture, putOldLedger } from '../../support/old-ledger.ts';
import { writeTalks, writeTalksSync } from '../fixtures.ts';
import { combinations, openSite, type Site } from '../site.ts';

const engines = combinations.filter(({ queue }) => queue === 'in-process');
const map = 'title: title, date: date, time.start: start, description: text';

test.each(engines)('A website whose ledger on $ledger has version 0.1.0 continues from there', async (engine) => {
  await using site = await openSite(engine, { target: '  movedFrom: https://www.example.edu\n' });
  await putOldLedger({ dataDir: site.variables.FEEDFERRY_DATA ?? '', databaseUrl: site.variables.DATABASE_URL });
  const items = await createItems(site);
  const policies =
    'attachments: { image: image }\nauthority: { description: editor }\nmissing: { policy: delete, after: 1 run }';
  writeTalksSync(site, policies, { map });
  writeTalksSync(site, '', { name: 'old' });
  writeTalks(site, [], { name: 'old' });

  const [hold] = await site.withApp(({ ledger }) => ledger.plans.heldPlans());
  expect(hold).toMatchObject({ sync: 'talks' });
  expect(await site.approve('talks', hold?.run ?? '')).toMatchObject({
    status: 'success',
    counts: { read: 4, updated: 1, unchanged: 2, skipped: 1, missing: 4, deleted: 4 },
  });
  expect(await titles(site)).toEqual([items.T1, 'New title', items.T3]);

  const backfill = await site.withContext((context) => backfillSync({}, context), { sync: 'old' });
  expect(backfill).toMatchObject({ status: 'success', counts: { read: 2, created: 2 } });
  expect((await titles(site)).slice(3)).toEqual(['Old talk O2', 'Old talk O3']);

  // T1 as it is, T2 changed again, T3 missing, T8 was deleted in the CMS.
  const row = (key: number, title: string) => `T${key},${title},2027-03-0${key},18:00,Text ${key},`;
  const rows = [row(2, 'Another'), row(3, 'Talk 3'), row(8, 'Other')];
  writeTalks(site, rows, { columns: 'id,title,date,start,text,image' });
  expect(await site.sync(['talks'])).toMatchObject([
    { status: 'held', counts: { read: 3, unchanged: 1, skipped: 1, missing: 1 }, error: { code: 'FF_GUARD_MISSING' } },
  ]);
});

/** Creates the items of "talks" under the ids that the old ledger has for them; returns their titles by key. */
async function createItems(site: Site): Promise<Record<string, string>> {
  using file = openFixture();
  const rows = file
    .prepare("select key, cms_id, delivered from records where sync = 'talks' and cms_id is not null")
    .all();
  const byId = new Map(rows.map((row) => [Number(row.cms_id), JSON.parse(String(row.delivered)) as Payload]));
  const [filler] = byId.values();
  for (let id = 1; id <= Math.max(...byId.keys()); id += 1) {
    const { image: _image, ...body } = byId.get(id) ?? { ...filler, title: 'Deleted since' };
    expect(await site.request('POST', 'api/v1/calendar/events', body)).toMatchObject({ id });
    if (!byId.has(id)) await site.request('DELETE', `api/v1/calendar/events/${id}`);
  }
  return Object.fromEntries(rows.map(({ key, cms_id }) => [key, String(byId.get(Number(cms_id))?.title)]));
}

/** By days, and so in the order of the keys; those of a backfill last. */
async function titles(site: Site): Promise<unknown[]> {
  const items = await site.items('calendar/events');
  const day = ({ date }: Record<string, unknown>) => String(date).replace('2026', '2028');
  return items.sort((one, other) => (day(one) < day(other) ? -1 : 1)).map(({ title }) => title);
}
