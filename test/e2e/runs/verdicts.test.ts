import { expect, test } from 'vitest';
import type { RunContext } from '../../../src/sync/context/run-context.ts';
import { adoptRun } from '../../../src/sync/runs/adopt-run.ts';
import { approveRun } from '../../../src/sync/runs/approve-run.ts';
import { retryRun } from '../../../src/sync/runs/retry-run.ts';
import { syncRun } from '../../../src/sync/runs/sync-run.ts';
import { undoRun } from '../../../src/sync/undo/undo-run.ts';
import { CONCERT, writeCalendar, writeCampus } from '../merge/two-calendars.ts';
import { openSite, type Site, simplest } from '../site.ts';

// Each way to create an item, and the verdict with which its plan becomes the desired state.

/** Runs something. Returns what its plan created, and how many of these creates were judged. */
async function watch(site: Site, work: (context: RunContext) => Promise<unknown>) {
  const plans: Array<{ creates: number; judged: number | undefined }> = [];
  await site.withContext(async (context) => {
    const { plans: store } = context.ledger;
    const apply: typeof store.apply = async (run, sync, rules) => {
      plans.push({ creates: (await store.summarise(run)).creates, judged: rules?.verdict?.creates });
      return store.apply(run, sync, rules);
    };
    await work({ ...context, ledger: { ...context.ledger, plans: { ...store, apply } } });
  });
  return plans;
}

const DAYS: Record<string, number> = { Wind: 11, Water: 12, Fire: 13, Earth: 14, Light: 15 };

function writeTalks(site: Site, talks: Record<string, string>, more = ''): void {
  const map = 'map: { title: title, start: start }';
  const source = 'source: { connector: csv, url: ./talks.csv, timezone: America/New_York }';
  site.write('syncs/talks.yaml', `resource: events\n${source}\nkey: id\n${map}\n${more}`);
  const rows = Object.entries(talks).map(([key, title]) => `${key},${title},2031-03-${DAYS[title]}T10:00`);
  site.write('syncs/talks.csv', ['id,title,start', ...rows, ''].join('\n'));
}

function post(site: Site, title: string) {
  const date = `2031-03-${DAYS[title]}`;
  const time = { start: '10:00:00', end: '10:00:00' };
  return site.request('POST', 'api/v1/calendar/events', { title, date, endDate: date, time });
}

test('Whatever creates items has a verdict about each: a run, a backfill, a retry, an undo', async () => {
  await using site = await openSite(simplest);
  writeTalks(
    site,
    { a: 'Wind', b: 'Water' },
    'missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }\n',
  );
  expect(await watch(site, (context) => syncRun(context))).toEqual([{ creates: 2, judged: 2 }]);
  await post(site, 'Fire');
  writeTalks(site, { a: 'Wind', b: 'Water', c: 'Fire', d: 'Earth' }, 'window: { future: 1d }\n');
  const days = { from: '2031-03-01', to: '2031-03-30' };
  expect(await watch(site, (context) => syncRun(context, days))).toEqual([{ creates: 1, judged: 1 }]);
  const distinct = (context: RunContext) => retryRun(['c'], context, { answer: 'distinct' });
  expect(await watch(site, distinct)).toEqual([{ creates: 1, judged: 1 }]);
  writeTalks(
    site,
    { b: 'Water', c: 'Fire', d: 'Earth' },
    'missing: { policy: delete, after: 1 run }\nchanges: { churn: false }\n',
  );
  let deleting = '';
  await site.withContext(async (context) => {
    const { run, counts } = await syncRun(context);
    expect(counts).toMatchObject({ deleted: 1 });
    deleting = run;
  });
  expect(await watch(site, (context) => undoRun(deleting, context))).toEqual([{ creates: 1, judged: 1 }]);
});

test('A plan that is approved has a verdict, which is that of the person about what it doubles', async () => {
  await using site = await openSite(simplest);
  const titles = ['Wind', 'Water', 'Fire', 'Earth'];
  for (const title of titles) await post(site, title);
  writeTalks(site, Object.fromEntries([...titles, 'Light'].map((title) => [title, title])));
  const [held] = await site.sync();
  expect(held).toMatchObject({ status: 'held', error: { code: 'FF_GUARD_DUPLICATES' } });
  const asked = { deed: 'approve', by: 'Ada', via: 'cli', reason: 'two halls' } as const;
  const approve = (context: RunContext) => approveRun(held?.run ?? '', { ...context, asked });
  expect(await watch(site, approve)).toEqual([{ creates: 5, judged: 5 }]);
  expect((await site.explain('talks', 'Wind')).answer).toMatchObject({
    answer: 'distinct',
    person: 'Ada',
    note: 'two halls',
  });
});

test('The item that a person names for a record is taken, and a plan with a create would be refused', async () => {
  await using site = await openSite(simplest);
  const { id } = await post(site, 'Wind');
  writeTalks(site, { a: 'Wind' });
  expect(await site.sync()).toMatchObject([{ counts: { held: 1 } }]);
  expect(await watch(site, (context) => adoptRun('a', id, context))).toEqual([{ creates: 0, judged: 0 }]);
});

test('The records of several sources have a verdict', async () => {
  await using site = await openSite(simplest);
  writeCampus(site);
  writeCalendar(site, 'central', [['1', ...CONCERT, 'x']]);
  writeCalendar(site, 'music', [['7', ...CONCERT, 'y']]);
  expect(await watch(site, (context) => syncRun(context))).toEqual([{ creates: 1, judged: 1 }]);
});
