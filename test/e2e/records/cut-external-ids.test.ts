import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../src/ledger/database/open.ts';
import type { ClaimedRecord } from '../../../src/ledger/records/claimed-record.ts';
import { externalIdRoom } from '../../../src/sync/evidence/external-id-room.ts';
import { threeTalks, writeTalks, writeTalksSync } from '../fixtures.ts';
import { either } from '../in-turn.ts';
import { type RecordingProxy, startRecordingProxy } from '../recording-proxy.ts';
import { runHere } from '../run-here.ts';
import { openSite, type Site, simplest } from '../site.ts';

const CUT = 'talks:T';
const WRITE = /^(POST|PATCH|DELETE)/;

/** Lets a CMS keep so many characters of external ids. */
function cutIds(proxy: RecordingProxy, length: number): void {
  proxy.intercept = async (request) => {
    if (!request.body.includes('source_key')) return undefined;
    const body = JSON.parse(request.body) as { source_key: string };
    request.body = JSON.stringify({ ...body, source_key: body.source_key.slice(0, length) });
    return undefined;
  };
}

function writesOf({ requests }: RecordingProxy): string[] {
  return requests.flatMap(({ operation }) => (WRITE.test(operation) ? [operation] : []));
}

const A_SECOND =
  'A second record that would get the same cut external id is held before it is sent, until the attribute holds more';

test.each(either(0))(`${A_SECOND}, on $ledger with $queue`, async (engines) => {
  await using site = await openSite(engines);
  await using proxy = await startRecordingProxy(site.sandbox.url);
  site.variables.CMS_BASE_URL = proxy.url;
  writeTalksSync(site);
  writeTalks(site, threeTalks);
  cutIds(proxy, CUT.length);
  const [first] = await site.sync();
  expect(first).toMatchObject({ status: 'partial', counts: { created: 1, held: 2 } });
  const created = (await site.items('calendar/events'))[0] as { title?: string; source_key?: string };
  expect(created.source_key).toBe(CUT);
  const owner = ['T1', 'T2', 'T3'].find((key) => !first?.problems.some((problem) => problem.key === key));
  for (const { key, code, reason } of first?.problems ?? []) {
    expect(code).toBe('FF_CMS_EXTERNAL_ID_CUT');
    for (const part of [`talks:${key}`, `talks:${owner}`, 'at least 8 characters']) expect(reason).toContain(part);
  }
  // Another process knows it from the ledger, also while the item of the first is changed.
  writeTalks(
    site,
    threeTalks.map((row) => row.replace('10:00', '11:00').replace('18:00', '19:00')),
  );
  expect(await site.sync()).toMatchObject([{ counts: { updated: 1, held: 2 } }]);
  expect(writesOf(proxy)).toHaveLength(2);

  // A retry tries whether the attribute holds more by now, and leaves no second item with the same id.
  await runHere(['retry', 'talks'], site.variables);
  expect(await site.items('calendar/events')).toMatchObject([{ source_key: CUT }]);
  expect(writesOf(proxy).slice(2)).toEqual([expect.stringMatching(/^POST/), expect.stringMatching(/^DELETE/)]);
  expect(await site.sync()).toMatchObject([{ counts: { unchanged: 1, held: 2 } }]);

  cutIds(proxy, 100);
  const retried = await runHere(['retry', 'talks'], site.variables);
  expect(retried.exitCode).toBe(0);
  expect(await site.items('calendar/events')).toHaveLength(3);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 3 } }]);
});

test('Records with different beginnings are created although the CMS cuts their external ids', async () => {
  await using site = await openSite(simplest);
  await using proxy = await startRecordingProxy(site.sandbox.url);
  site.variables.CMS_BASE_URL = proxy.url;
  writeTalksSync(site);
  writeTalks(
    site,
    threeTalks.map((row, index) => `${index}${row}`),
  );
  cutIds(proxy, CUT.length);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 3 } }]);
});

test.each(either(1))(
  'Of two processes that send ids before either knows that they are cut, one has the id, on $ledger',
  async (engines) => {
    await using site = await openSite(engines);
    writeTalksSync(site);
    writeTalks(site, threeTalks.slice(0, 2));
    await site.sync();
    await site.withApp(async ({ ledger }) => {
      const { db } = await openDatabase(site.environment());
      // As a claim leaves them before a create.
      await db
        .updateTable('records')
        .set({ status: 'pending', cms_id: null, has: null, item: null, knows: 'maybe' })
        .execute();
      await db.destroy();
      const bothSent = Promise.withResolvers<void>();
      let sent = 0;
      const outcomes = ['T2', 'T1'].map((key) => {
        const room = externalIdRoom(ledger, 'site', 'events');
        const record = { sync: 'talks', key, run: 'r', resource: 'events' } as ClaimedRecord;
        return room.sendId(record, 'source_key', async (note) => {
          sent += 1;
          if (sent === 2) bothSent.resolve();
          await bothSent.promise;
          return note({ source_key: CUT });
        });
      });
      expect(await Promise.all(outcomes)).toEqual([
        expect.objectContaining({ code: 'FF_CMS_EXTERNAL_ID_CUT' }),
        undefined,
      ]);
    });
  },
);

/** A site whose three items show the same external id, which the CMS has cut before anything noticed it. */
async function sharing(site: Site): Promise<Map<string, number>> {
  const { db } = await openDatabase(site.environment());
  const rows = await db.selectFrom('records').select(['key', 'cms_id']).execute();
  await db
    .updateTable('records')
    .set({ item: sql<string>`json_set(item, '$.made', json(${JSON.stringify({ source_key: CUT })}))` })
    .execute();
  await db.destroy();
  for (const { id } of await site.items('calendar/events')) {
    await site.request('PATCH', `api/v1/calendar/events/${id}`, { source_key: CUT });
  }
  return new Map(rows.map(({ key, cms_id }) => [key, Number(cms_id)]));
}

test("A restore that moves items with the same cut external id changes and deletes no other record's item", async () => {
  await using site = await openSite(simplest, { target: '  maxAttempts: 1\n' });
  const missing = 'missing: { policy: delete, after: 1 run, threshold: { absolute: 3, percent: 100 } }';
  writeTalksSync(site, missing);
  writeTalks(site, threeTalks);
  await site.sync();
  const ids = await sharing(site);
  const read = (key: string) => site.request('GET', `api/v1/calendar/events/${ids.get(key)}`);
  const [one, two] = [await read('T1'), await read('T2')] as Array<Record<string, unknown>>;
  const [{ id: _, ...first }, { id: __, ...second }] = [one, two] as [Record<string, unknown>, Record<string, unknown>];
  await site.request('PATCH', `api/v1/calendar/events/${ids.get('T1')}`, second);
  await site.request('PATCH', `api/v1/calendar/events/${ids.get('T2')}`, first);
  const before = [await read('T1'), await read('T2')];

  // T1 is missing, the others have changed. The item of T3 is where it was.
  writeTalks(
    site,
    threeTalks.slice(1).map((row) => row.replace('10:00', '11:00')),
  );
  const [run] = await site.sync();
  expect(run).toMatchObject({ counts: { held: 1, unremoved: 1, updated: 1, deleted: 0 } });
  expect([await read('T1'), await read('T2')]).toEqual(before);
});
