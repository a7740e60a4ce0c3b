import { expect, test } from 'vitest';
import { overviewContent } from '../../../../src/console/pages/overview.ts';
import { syncContent } from '../../../../src/console/pages/sync.ts';
import { sha256 } from '../../../../src/core/hash.ts';
import { zeroCounts } from '../../../../src/core/run.ts';
import type { NewsView } from '../../../../src/queries/syncs/overview.ts';
import type { OverviewView, RunRowView } from '../../../../src/queries/views/overview.ts';
import { ATTACK, aContext, aRunRow, aSync, aSyncRow, onlyViewer, someCounts } from '../sample-views.ts';
import { servePages } from './serve-pages.ts';

const overview: OverviewView = {
  at: '2027-03-01T15:00:00.000Z',
  timezone: 'America/New_York',
  target: { baseUrl: 'https://cms.example.edu', state: 'stopped', reason: ATTACK },
  scheduler: { isRunning: true },
  syncs: [aSyncRow({ waits: 'r1' }), aSyncRow({ sync: 'tours', health: 'broken', why: ATTACK, mistakes: [ATTACK] })],
  attention: [
    { is: 'held', sync: 'talks', run: 'r1', text: '40 of 90 records are missing.', remedy: '' },
    { is: 'broken', sync: 'tours', text: ATTACK, remedy: '' },
  ],
  orphans: [],
};

const news = (more: Partial<NewsView> = {}): NewsView => {
  return { since: '2027-02-28T15:00:00.000Z', changes: [], plans: [], rejects: [], ...more };
};

test('The overview leads to the plan that waits, and shows the state of the CMS and mistakes as text', () => {
  const page = String(overviewContent(overview, news(), aContext()).body);
  expect(page).toContain('/runs/r1/plan');
  const withoutPlan = String(overviewContent({ ...overview, syncs: [aSyncRow()] }, news(), aContext()).body);
  expect(withoutPlan).toContain('href="/runs/r1">Show the run');
  expect(withoutPlan).not.toContain('/plan');
  expect(page).toContain('until it is decided');
  expect(withoutPlan).not.toContain('until it is decided');
  expect(page).not.toContain('<script>');
  expect(page).toContain('&lt;script&gt;');
});

test('The overview says what is new since yesterday, and each reason once', () => {
  const why = '40 of 90 records are missing.';
  const found = news({
    changes: [{ sync: 'tours', created: 3, updated: 12, deleted: 0, marked: 0 }],
    plans: [{ sync: 'talks', run: 'r1' }],
    rejects: [{ sync: 'tours', run: 'r2', count: 2 }],
  });
  const syncs = [
    aSyncRow({ health: 'held', why }),
    aSyncRow({ sync: 'walks', health: 'new', why: 'It has never run.' }),
  ];
  const page = String(overviewContent({ ...overview, syncs }, found, aContext()).body);
  expect(page).toContain('href="/syncs/tours/runs">Runs of tours</a>: 3 new, 12 changed<');
  expect(page).toContain('href="/runs/r1/plan">the plan of talks</a>');
  expect(page).toContain('New rejects: <a href="/syncs/tours/rejects">2 of tours</a>');
  expect(page.split(why)).toHaveLength(2);
  expect(page).toContain('It has never run.');
  expect(String(overviewContent(overview, news(), aContext()).body)).toContain('Nothing was changed in the CMS.');
});

test('A person with a name sees what is new since the last visit, which a page that refreshes itself does not end', async () => {
  const asked: unknown[] = [];
  const people = [{ name: 'Ann', role: 'view' as const, tokenHash: sha256('of-ann') }];
  const answers = {
    overview: async () => overview,
    news: async (since?: string) => {
      asked.push(since);
      return news(since === undefined ? {} : { since });
    },
  };
  const { get, looks } = await servePages(answers, { tokens: { view: 'shared' }, people: () => people });
  const ann = { authorization: 'Bearer of-ann' };
  expect((await get('/', ann)).text).toContain('Since you last looked, <time datetime="2027-03-01T09:00:00.000Z"');
  await get('/', { ...ann, 'hx-request': 'true' });
  expect((await get('/', { authorization: 'Bearer shared' })).text).toContain('In the last 24 hours');
  expect(asked).toEqual(['2027-03-01T09:00:00.000Z', '2027-03-01T09:00:00.000Z', undefined]);
  expect(looks).toEqual(['Ann']);
});

test('The chart says of runs what their lists say', () => {
  const label = (...recentRuns: RunRowView[]) => {
    const page = overviewContent({ ...overview, syncs: [aSyncRow({ recentRuns })] }, news(), aContext()).body;
    return /aria-label="(Last [^"]+)"/.exec(String(page))?.[1];
  };
  const [partial, failed] = [aRunRow({ status: 'partial' }), aRunRow({ status: 'failed', succeeded: false })];
  const last = 'Last 2 runs, oldest first: 0 done, 1 partly done, at most 15 changed items';
  expect(label(partial, failed)).toBe(last);
  expect(label(aRunRow({ counts: zeroCounts() }))).toBe('Last 1 run, oldest first: 1 done, nothing changed');
});

test('Only those who may run a sync are offered to', () => {
  const shown = (viewer = aContext().viewer) => {
    const { aside, body } = syncContent(aSync(), [], aContext({ viewer }));
    return `${aside}${body}`;
  };
  expect(shown()).toContain('Run now');
  expect(shown()).toContain('/syncs/talks/purge');
  expect(shown(onlyViewer)).not.toContain('Run now');
  expect(shown(onlyViewer)).not.toContain('/syncs/talks/purge');
});

const paused = { by: 'Ann', via: 'console', since: '2027-03-01T13:00:00.000Z', reason: 'the feed moves' } as const;

test('A paused sync is resumed instead of run, and says who paused it, when and why', () => {
  const { aside, body } = syncContent(aSync({ health: 'paused', nextRunAt: null, paused }), [], aContext());
  expect(String(aside)).toContain('/syncs/talks/resume');
  expect(String(aside)).not.toMatch(/action="\/(runs|syncs\/talks\/pause)"/);
  expect(String(body)).toMatch(/Paused by Ann.*2027-03-01 08:00 EST.*the feed moves/s);
  const rows = [aSyncRow({ health: 'paused', nextRunAt: null, paused })];
  expect(String(overviewContent({ ...overview, syncs: rows }, news(), aContext()).body)).toContain('>paused</td>');
});

test('A sync that has a schedule is paused with a reason', () => {
  const { aside } = syncContent(aSync(), [], aContext());
  expect(String(aside)).toMatch(/action="\/syncs\/talks\/pause".*<textarea[^>]* required/s);
});

test('Without a scheduler, no time of a next run is shown', () => {
  const scheduler = { isRunning: false, since: '2027-03-01T13:00:00.000Z' };
  const { body } = syncContent(aSync({ scheduler }), [], aContext());
  expect(String(body)).toContain('no scheduler is running since');
  expect(String(body)).not.toContain('10:15');
  expect(String(overviewContent({ ...overview, scheduler }, news(), aContext()).body)).toContain('>no scheduler</td>');
});

test('Forms pause, resume and cancel with the name of the person, and lead to the page they came from', async () => {
  const { url, get, done } = await servePages({ sync: async () => aSync(), runs: async () => ({ runs: [] }) });
  const [, csrf = ''] = /name="csrf" value="([^"]*)"/.exec((await get('/syncs/talks')).text) ?? [];
  const send = (path: string, fields: Record<string, string> = {}) =>
    fetch(`${url}${path}`, { method: 'POST', body: new URLSearchParams({ csrf, ...fields }), redirect: 'manual' });
  const places = [
    await send('/syncs/talks/pause', { reason: ' moving ' }),
    await send('/syncs/talks/resume'),
    await send('/runs/r1/cancel', { reason: '' }),
  ].map((response) => [response.status, response.headers.get('location')]);
  expect(places).toEqual([
    [303, '/syncs/talks?done=pause'],
    [303, '/syncs/talks?done=resume'],
    [303, '/runs/r1?done=cancel'],
  ]);
  const actor = { name: expect.any(String), via: 'console' };
  expect(done).toEqual([
    ['pause', { sync: 'talks', reason: 'moving' }, actor],
    ['resume', { sync: 'talks' }, actor],
    ['cancel', { run: 'r1' }, actor],
  ]);
  expect((await send('/syncs/talks/pause', { reason: ' ' })).status).toBe(400);
});

test('The table of runs names deleted items', () => {
  const run = aRunRow({ counts: someCounts({ read: 40, unchanged: 40, missing: 24, deleted: 22, marked: 2 }) });
  const sync = String(syncContent(aSync({ recentRuns: [run] }), [run], aContext()).body);
  expect(sync).toContain('>22 deleted, 2 marked as missing</td>');
});

test('A sync names its differences once, with the way to them, and the records without a file', () => {
  const drift = {
    health: 'drift',
    why: 'The CMS differs from what was delivered: 1 edited.',
    drift: '1 edited',
  } as const;
  const text = String(syncContent(aSync({ ...drift, withoutFiles: 2 }), [], aContext()).body);
  expect(text.split('1 edited')).toHaveLength(2);
  expect(text).toContain('delivered: 1 edited. <a href="/syncs/talks/verification">Show the differences</a>');
  expect(text).toContain('<dt>Delivered without a file</dt><dd><a href="/runs/r1">2 records</a></dd>');
});

test('Attention is one card a feed: what is wrong, since when, what follows, and what a person can do', () => {
  const failed = { is: 'failed', sync: 'talks', run: 'r7', remedy: 'Check it with `feedferry validate`.' } as const;
  const attention: OverviewView['attention'] = [
    { ...failed, text: 'The feed returned status 500. All 9 runs since 2027-03-01 08:00 EST have failed.' },
    { is: 'rejected', sync: 'talks', run: 'r7', text: '3 of 9 records were rejected.', remedy: '' },
    { is: 'orphan', sync: 'old', text: 'There is no sync file, but 2 items are in the CMS.', remedy: '' },
  ];
  const shown = (viewer = aContext().viewer) =>
    String(overviewContent({ ...overview, syncs: [aSyncRow()], attention }, news(), aContext({ viewer })).body);
  const [, talks = '', old = ''] = shown().split('<article');
  expect(talks).toMatch(
    /status 500.*3 of 9 records.*The last good run was 1 h 0 min ago.*What is on the site stays as it is/s,
  );
  expect(talks).toMatch(/Show the run<.*Show the rejects<.*action="\/runs".*Run again<.*#pause">Pause/s);
  // Commands are in a fold.
  expect(talks.replace(/<details[\s\S]*?<\/details>/, '')).not.toContain('feedferry validate');
  expect(old).toContain('/syncs/old/purge');
  expect(shown(onlyViewer)).not.toMatch(/Run again|Pause …/);
});
