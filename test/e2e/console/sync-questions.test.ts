import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { App } from '../../../src/app/app.ts';
import { createQueries } from '../../../src/queries/create-queries.ts';
import { overviewView } from '../../../src/queries/views/overview.ts';
import { purgePreviewView } from '../../../src/queries/views/run.ts';
import { recordPageView, rejectsView, runPageView, syncDetail } from '../../../src/queries/views/sync.ts';
import { hasEngine, ledgerEngines } from '../../support/engines.ts';
import { threeTalks, writeTalks, writeTalksSync } from '../fixtures.ts';
import { runHere } from '../run-here.ts';
import { serveConsole } from '../serve-console.ts';
import { openSite, type Site } from '../site.ts';

type Queries = ReturnType<typeof createQueries>;

// Each answer is exactly what its schema describes.
describe.each(ledgerEngines.filter(hasEngine))('What the console asks about syncs, on %s', (ledger) => {
  let site: Site;

  beforeAll(async () => {
    site = await openSite({ ledger, queue: 'in-process' });
    writeTalks(site, [...threeTalks, 'T4,Émile,2027-02-30,', ',No key,2027-03-01,']);
    writeTalksSync(site, 'schedule: { every: 15m }');
    await site.sync();
    writeTalks(site, ['T1,Maps,2027-03-01,18:00'], { name: 'walks' });
    const source = 'connector: csv, url: ./feeds/walks.csv, headers: { X-Key: letmein }';
    writeTalksSync(site, '', { name: 'walks', source });
  });

  afterAll(() => site[Symbol.asyncDispose]());

  const ask = <T>(question: (queries: Queries, app: App) => Promise<T>) =>
    site.withApp((app) =>
      question(
        createQueries(() => app, { environment: site.environment(), log: pino({ level: 'silent' }) }),
        app,
      ),
    );

  test('The overview has the health of each sync and what needs a person', async () => {
    const found = overviewView.strict().parse(await ask((queries) => queries.overview()));
    expect(found.target).toEqual({ baseUrl: site.sandbox.url, state: 'open', inFlightLimit: 4 });
    const [talks, walks] = found.syncs;
    expect(talks).toMatchObject({
      ...{ sync: 'talks', resource: 'events', health: 'partial', schedule: 'every 15 minutes', underWay: null },
      why: 'Some records were not delivered: 2 rejected.',
      ...{ lastRun: { status: 'partial', counts: { created: 3, rejected: 2 } }, mistakes: [], waits: null },
    });
    expect(talks?.recentRuns).toEqual([talks?.lastRun]);
    expect(Date.parse(talks?.nextRunAt ?? '')).toBeGreaterThan(Date.now());
    expect(walks).toMatchObject({ sync: 'walks', health: 'new', lastRun: null, nextRunAt: null, schedule: null });
    expect(found.attention).toEqual([
      {
        is: 'rejected',
        sync: 'talks',
        run: talks?.lastRun?.run,
        text: '2 of 5 records were rejected.',
        remedy: expect.stringContaining('rejects talks'),
      },
    ]);
    expect(found.orphans).toEqual([]);
  });

  test('A sync shows its file without secrets', async () => {
    const walks = syncDetail.strict().parse(await ask((queries) => queries.sync('walks')));
    expect(walks.config).toMatchObject({ file: 'syncs/walks.yaml' });
    expect(walks.config?.text).toContain('headers: { X-Key: "***" }');
    expect(walks.config?.text).not.toContain('letmein');
    expect(walks.source).toMatch(/feeds\/walks\.csv$/);
    await expect(ask((queries) => queries.sync('none'))).rejects.toMatchObject({ code: 'FF_SYNC_UNKNOWN' });
  });

  test('Runs are read in pages', async () => {
    const [first] = await site.sync(['talks']);
    const [second] = await site.sync(['talks']);
    const runs = await ask(async (queries) => {
      const pages: string[][] = [];
      for (let after: string | undefined; pages.length < 5; ) {
        const page = runPageView
          .strict()
          .parse(await queries.runs({ sync: 'talks', limit: 2, ...(after && { after }) }));
        pages.push(page.runs.map(({ run }) => run));
        after = page.next;
        if (after === undefined) break;
      }
      return pages;
    });
    expect(runs.map(({ length }) => length)).toEqual([2, 1]);
    expect(runs[0]).toEqual([second?.run, first?.run]);
    await expect(ask((queries) => queries.runs({ limit: 2, after: 'nonsense' }))).rejects.toMatchObject({
      code: 'FF_HTTP_REQUEST',
    });
  });

  test('Records are found by words, key, item and state, in pages', async () => {
    const search = (options: Parameters<Queries['records']>[0]) =>
      ask(async (queries) => recordPageView.strict().parse(await queries.records(options)));
    const titles = async (options: Partial<Parameters<Queries['records']>[0]>) =>
      (await search({ limit: 10, ...options })).records.map(({ title }) => title.replace(/,.*/, ''));
    expect(await titles({})).toEqual(['Maps', 'Ships', 'Tides']);
    expect(await titles({ words: 'sHiPs', sync: 'talks' })).toEqual(['Ships']);
    expect(await titles({ words: 't3' })).toEqual(['Tides']);
    expect(await titles({ words: 'T3', states: ['failed'] })).toEqual([]);
    expect(await titles({ states: ['failed', 'held'] })).toEqual([]);
    expect(await titles({ states: ['delivered'] })).toEqual(['Maps', 'Ships', 'Tides']);
    const [item] = await site.items('calendar/events', '&q=Maps');
    const { records } = await search({ limit: 10, words: `https://www.example.edu/events/${item?.id}` });
    expect(records).toMatchObject([{ cmsId: item?.id, status: 'delivered', startsOn: expect.any(String) }]);

    const first = await search({ limit: 2 });
    expect(first.records).toHaveLength(2);
    const second = await search({ limit: 2, after: first.next ?? '' });
    expect(second.records.map(({ key }) => key)).toEqual(['T3']);
    expect(second.next).toBeUndefined();
  });

  test('Rejects are grouped by their codes, and downloaded as a table', async () => {
    const found = rejectsView.strict().parse(await ask((queries) => queries.rejects('talks')));
    expect(found).toMatchObject({ read: 5, total: 2 });
    expect(found.groups.map(({ code, total, first }) => [code, total, first[0]?.at])).toEqual([
      ['FF_RECORD_DATE', 1, 'line 5'],
      ['FF_RECORD_KEY', 1, 'line 6'],
    ]);
    const csv = await ask(async (queries) => (await Array.fromAsync(queries.rejectsCsv('talks'))).join(''));
    expect(csv).toMatch(/^\uFEFFat,key,code,reason,remedy,id,title,date,start\r\nline 5,T4,FF_RECORD_DATE,/);
    expect(await ask((queries) => queries.rejects('walks'))).toEqual({ run: null, read: 0, total: 0, groups: [] });
  });

  test('A purge would delete what the sync has created, in pages', async () => {
    const [first, last] = await ask(async (queries) => {
      const page = purgePreviewView.strict().parse(await queries.purgePreview('talks', { limit: 2 }));
      return [page, await queries.purgePreview('talks', { limit: 2, after: page.next ?? '' })];
    });
    expect(first).toMatchObject({ sync: 'talks', resource: 'events', deletes: 3, adopted: 0 });
    expect(first?.items).toMatchObject([{ key: 'T1', title: 'Maps, 2027-03-01 18:00', cmsId: 1 }, { key: 'T2' }]);
    expect([last?.items.map(({ key }) => key), last?.next]).toEqual([['T3'], undefined]);
    const none = await ask((queries) => queries.purgePreview('walks', { limit: 2 }));
    expect(none).toEqual({ sync: 'walks', resource: 'events', deletes: 0, adopted: 0, items: [] });
    await expect(ask((queries) => queries.purgePreview('nothing', { limit: 2 }))).rejects.toMatchObject({
      code: 'FF_SYNC_UNKNOWN',
    });
  });

  test('Commands print with --json what the API answers', async () => {
    const url = await serveConsole(site);
    const api = async (path: string) => (await (await fetch(`${url}/api${path}`)).json()) as Record<string, unknown>;
    const run = async (...args: string[]) =>
      (await runHere([...args, '--json'], site.variables)).json<Record<string, unknown>>();
    const { syncs } = overviewView.strict().parse(await run('status'));
    expect(syncs.map(({ recentRuns }) => recentRuns)).toEqual(
      overviewView.parse(await api('/overview')).syncs.map(({ recentRuns }) => recentRuns),
    );
    const runs = (await api('/runs?sync=talks&limit=20')) as { runs: Array<{ run: string }> };
    expect(await run('runs', 'talks')).toEqual(runs);
    const last = `/runs/${runs.runs[0]?.run}`;
    const parts = [await api(last), await api(`${last}/changes`), await api(`${last}/failures`)];
    expect(await run('runs', runs.runs[0]?.run ?? '')).toEqual(Object.assign({}, ...parts));
    expect(await run('rejects', 'talks')).toEqual(await api('/syncs/talks/rejects'));
    expect(await run('questions', 'talks')).toEqual(await api('/syncs/talks/questions'));
    expect(await run('purge', 'talks', '--dry-run')).toEqual(await api('/syncs/talks/purge'));
    expect(await run('explain', 'talks', 'T1')).toEqual({
      ...{ sync: 'talks', key: 'T1', record: await api('/syncs/talks/record?key=T1') },
      source: await api('/syncs/talks/record/source?key=T1'),
    });
    expect(await run('explain', 'talks', 'T4')).toMatchObject({
      ...{ record: null, unknown: { found: [{ at: 'line 5' }] } },
      source: { verdict: { is: 'rejected' } },
    });
  });

  test('What is new counts only the rejects that were not there before', async () => {
    const news = (since?: string) => ask((queries) => queries.news(since));
    expect(await news()).toMatchObject({
      changes: [{ sync: 'talks', created: 3, updated: 0, deleted: 0, marked: 0 }],
      plans: [],
      rejects: [{ sync: 'talks', count: 2 }],
    });
    const since = new Date().toISOString();
    expect(await news(since)).toMatchObject({ changes: [], rejects: [] });
    writeTalks(site, [...threeTalks, 'T4,Émile,2027-02-30,', ',No key,2027-03-01,', 'T5,Noé,2027-02-31,']);
    const [run] = await site.sync(['talks']);
    expect(await news(since)).toMatchObject({ changes: [], rejects: [{ sync: 'talks', run: run?.run, count: 1 }] });
  });
});
