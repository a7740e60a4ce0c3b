import { describe, expect, test } from 'vitest';
import { runOrJoin } from '../../../src/app/actions/join-run.ts';
import type { App } from '../../../src/app/app.ts';
import type { RunReport } from '../../../src/core/run.ts';
import { approveRun } from '../../../src/sync/runs/approve-run.ts';
import { syncRun } from '../../../src/sync/runs/sync-run.ts';
import { undoRun } from '../../../src/sync/undo/undo-run.ts';
import { setFaults, writeCsv, writePeopleSync, writeTalks, writeTalksSync } from '../fixtures.ts';
import { either } from '../in-turn.ts';
import { combinations, type Engines, openSite, type Site, simplest } from '../site.ts';

// What backfills, undos, purges, marks and approvals of one sync owe each other.

const unaborted = () => new AbortController().signal;

/** A sync of talks, each a row `id,title`. */
async function openTalks(on: Engines, rows: readonly string[], more = ''): Promise<Site> {
  const site = await openSite(on);
  writeSync(site, more);
  writeRows(site, rows);
  return site;
}

function writeSync(site: Site, more: string): void {
  writeTalksSync(site, more, { map: 'title: title, date: { value: 2031-03-01 }, time.start: { value: "18:00" }' });
}

function writeRows(site: Site, rows: readonly string[]): void {
  writeTalks(site, rows, { columns: 'id,title' });
}

/** Each record is tried once. */
function writeTarget(site: Site, more = ''): void {
  const target = 'target: { baseUrl: "${CMS_BASE_URL}", token: "${CMS_API_TOKEN}", timezone: UTC, maxAttempts: 1 }';
  site.write('feedferry.yaml', `${target}\n${more}\n`);
}

const failDeletes = (site: Site, times: number) =>
  setFaults(site, ...(times > 0 ? [{ kind: 'error', method: 'DELETE', when: 'before', times }] : []));

const many = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `${1000 + from + index},Talk ${from + index}`);

type Work<T> = (app: App, sync: App['config']['syncs'][number]) => Promise<T>;
const withTalks = <T>(site: Site, work: Work<T>): Promise<T> => site.withApp((app) => work(app, app.config.syncs[0]!));
const undo = (site: Site, run: string) => site.withContext((context) => undoRun(run, context));

const backfill = (site: Site) => site.withContext((context) => syncRun(context, {}));

const count = async (site: Site) =>
  (await Promise.all([1, 2, 3].map((page) => site.items('calendar/events', `&page=${page}`)))).flat().length;

describe.each(either(1))('Combined features, on $ledger with $queue', (engines) => {
  test('A backfill is undone as a whole, and then the run before it', async () => {
    await using site = await openTalks(engines, ['1,Maps', '2,Ships']);
    const [first] = await site.sync();
    writeRows(site, ['1,New maps', ...many(0, 20)]);
    const filled = await backfill(site);
    expect(filled).toMatchObject({ status: 'success', counts: { created: 20, updated: 1 } });
    const undone = await undo(site, filled.run);
    expect(undone).toMatchObject({ status: 'success', counts: { read: 1, updated: 1, missing: 20, deleted: 20 } });
    expect((await site.items('calendar/events')).map(({ title }) => title).sort()).toEqual(['Maps', 'Ships']);
    expect(await undo(site, first?.run ?? '')).toMatchObject({ status: 'success', counts: { deleted: 2 } });
  });
});

test('A sync requested during an approval reads its feed', async () => {
  await using site = await openTalks(simplest, many(0, 4), 'missing: { policy: delete, after: 1 run }');
  await site.sync();
  writeRows(site, many(2, 4));
  const [held] = await site.sync();
  expect(held).toMatchObject({ status: 'held' });
  writeRows(site, many(2, 5));
  await withTalks(site, async (app, sync) => {
    let joined: Promise<RunReport> | undefined;
    const context = app.contextOf(sync, {
      signal: unaborted(),
      onBegin() {
        joined = runOrJoin(app, sync, { askedAt: Date.now(), signal: unaborted(), onJoin() {} });
      },
    });
    await approveRun(held?.run ?? '', context);
    expect(await joined).toMatchObject({ status: 'success', counts: { read: 3, created: 1 } });
  });
});

test('An unchanged feed does not report deleted or marked records as missing again', async () => {
  // A run that ends with a 304 repeats what an earlier one reported.
  await using site = await openTalks(simplest, many(0, 4));
  const [first] = await site.sync();
  await site.withApp(async ({ ledger }) => {
    const [one, two] = [await ledger.runs.begin('x', 'plan'), await ledger.runs.begin('x', 'plan')];
    const receipt = { location: 'a', bytes: 1, sha256: 'a', durationMs: 1, complete: true };
    const counts = { ...first!.counts, missing: 3, deleted: 1, marked: 1 };
    await ledger.runs.record(one, { counts, receipt, warnings: [] });
    await ledger.runs.repeat(two, one, { durationMs: 1 });
    expect((await ledger.runs.report(two)).counts).toMatchObject({ missing: 1, deleted: 0, marked: 0 });
  });
});

test('Records with another mark count for the safety threshold like all others', async () => {
  const policy = (notice: string) => `missing: { policy: set, set: { notice: ${notice} }, threshold: { percent: 60 } }`;
  await using site = await openTalks(simplest, many(0, 4), policy('Gone'));
  await site.sync();
  writeRows(site, many(2, 4));
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { missing: 2, marked: 2 } }]);
  writeSync(site, policy('Cancelled'));
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { marked: 2, unremoved: 0 } }]);
  writeSync(site, 'missing: { policy: delete, after: 1 run, threshold: { percent: 60 } }');
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { deleted: 2, unremoved: 0 } }]);
});

test('A marked record is recognised under a new key', async () => {
  const policy = 'missing: { policy: set, set: { title: Cancelled }, threshold: { percent: 60 } }';
  await using site = await openTalks(simplest, many(0, 3), policy);
  await site.sync();
  writeRows(site, many(1, 3));
  expect(await site.sync()).toMatchObject([{ counts: { marked: 1 } }]);
  writeRows(site, [...many(1, 3), 'X,Talk 0']);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 1, created: 0 } }]);
});

test('A repeated unconfirmed update is undone without the values that it never sent', async () => {
  await using site = await openTalks(
    simplest,
    many(0, 1),
    'missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }',
  );
  writeTarget(site);
  writeRows(site, many(0, 2));
  await site.sync();
  writeRows(site, many(1, 2));
  await failDeletes(site, 9);
  expect(await site.sync()).toMatchObject([{ counts: { unremoved: 1 } }]);
  await failDeletes(site, 0);
  writeRows(site, ['1000,Talk 0 again', ...many(1, 2)]);
  const [back] = await site.sync();
  expect(back).toMatchObject({ status: 'success', counts: { updated: 1 } });
  const item = (await site.items('calendar/events')).find(({ title }) => title === 'Talk 0 again')!;
  await site.request('PATCH', `api/v1/calendar/events/${item.id}`, { description: 'An editor was here' });
  expect(await undo(site, back?.run ?? '')).toMatchObject({ status: 'success', counts: { updated: 1 } });
  expect((await site.items('calendar/events')).find(({ id }) => id === item.id)).toMatchObject({
    title: 'Talk 0',
    description: 'An editor was here',
  });
});

test('No previous state of items is kept if the retention forbids it', async () => {
  const policy = 'missing: { policy: set, set: { notice: Gone }, threshold: { percent: 60 } }';
  await using site = await openTalks(simplest, many(0, 2), policy);
  writeTarget(site, 'retention: { beforeImages: 0d }');
  await site.sync();
  writeRows(site, many(1, 2));
  const [marking] = await site.sync();
  expect(marking).toMatchObject({ status: 'success', counts: { marked: 1 } });
  await site.withApp(async ({ ledger }) => {
    for await (const changes of ledger.history.changes(marking?.run ?? ''))
      expect(changes).toMatchObject([{ attributes: ['notice'], before: null, after: null }]);
    expect.assertions(2);
  });
});

test('A deleted account that comes back gets its password', async () => {
  await using site = await openSite(simplest);
  writeTarget(site);
  writePeopleSync(site, 'missing: { policy: delete, after: 1 run, threshold: { percent: 60 } }', {
    name: 'staff',
    source: 'connector: csv, url: ./feeds/staff.csv',
    map: 'email: email, username: email, password: word',
  });
  const staff = (...rows: string[]) => writeCsv(site, 'staff', 'email,word', rows);
  staff('ada@example.edu,Analytical-1843', 'mary@example.edu,Astronomy-1848');
  await site.sync();
  staff('mary@example.edu,Astronomy-1848');
  await failDeletes(site, 9);
  expect(await site.sync()).toMatchObject([{ counts: { unremoved: 1 } }]);
  await failDeletes(site, 0);
  const ada = (await site.items('account/accounts')).find(({ email }) => email === 'ada@example.edu');
  await site.request('DELETE', `api/v1/account/accounts/${ada?.id}`);
  staff('ada@example.edu,Analytical-1843', 'mary@example.edu,Astronomy-1848');
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1 } }]);
  const { history } = await site.explain('staff', 'ada@example.edu');
  expect(history[0]?.sent).toMatchObject({ method: 'POST', attributes: expect.arrayContaining(['password']) });
});

test('Any number of rejections is kept', async () => {
  await using site = await openTalks(simplest, many(0, 1));
  await site.withApp(async ({ ledger }) => {
    const run = await ledger.runs.begin('x', 'plan');
    const rejections = Array.from({ length: 12_000 }, (_, index) => ({
      ...{ at: `line ${index}`, code: 'FF_PURGE_ADOPTED' as const, reason: 'it stays', key: String(index) },
    }));
    await ledger.runs.addRejections(run, 0, rejections);
    expect((await ledger.runs.report(run)).rejections).toHaveLength(1000);
  });
});

test.runIf(combinations.some(({ queue }) => queue === 'bullmq'))(
  'A run that is active when its sync gets another calendar ends in the one that it began with',
  async () => {
    await using site = await openTalks({ ledger: 'sqlite', queue: 'bullmq' }, many(0, 20));
    await site.withApp(async (before) => {
      writeSync(site, 'instance: other');
      await site.withApp(async (after) => {
        await after.work();
        const report = await syncRun(before.contextOf(before.config.syncs[0]!, { signal: unaborted() }));
        expect(report).toMatchObject({ status: 'success', counts: { created: 20 } });
      });
    });
    expect(await count(site)).toBe(20);
    expect(await site.items('calendar/events', '&instance=other')).toEqual([]);
  },
);
