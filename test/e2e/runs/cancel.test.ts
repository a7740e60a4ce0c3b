import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { syncRun } from '../../../src/sync/runs/sync-run.ts';
import { setFaults, writeTalks, writeTalksSync } from '../fixtures.ts';
import { either } from '../in-turn.ts';
import { openSite, type Site, simplest } from '../site.ts';

const TALKS = 60;
const ANN = { by: 'Ann', via: 'console', reason: 'the wrong term' } as const;
const CANCELLED = {
  status: 'failed',
  error: { code: 'FF_RUN_CANCELLED', message: 'Ann cancelled the run: the wrong term' },
};

function writeManyTalks(site: Site): void {
  writeTalksSync(site);
  const rows = Array.from({ length: TALKS }, (_, n) => `${n},Talk ${n},2027-03-01,18:00`);
  writeTalks(site, rows);
}

/** Runs the sync, and lets another process cancel the run while the CMS holds these requests. */
async function cancelDuring(
  site: Site,
  requests: { method: string; skip?: number },
  options: { delivers?: boolean } = {},
) {
  return site.withApp(async (elsewhere) => {
    if (options.delivers) await elsewhere.work();
    const held = await setFaults(site, { kind: 'hold', ...requests });
    const ended = site.sync();
    await held();
    const [running] = await elsewhere.ledger.runs.underWay();
    const isCancelled = await elsewhere.ledger.runs.cancel(running?.run ?? '', ANN);
    await setFaults(site);
    return { isCancelled, run: running?.run ?? '', report: (await ended)[0] };
  });
}

describe.each(either(1))('A cancelled run, on $ledger with $queue', (engines) => {
  test('What is in flight ends, the rest is not sent yet and goes with the next run', async () => {
    await using site = await openSite(engines);
    writeManyTalks(site);
    const creates = { method: 'POST', skip: 4 };
    const { isCancelled, run, report } = await cancelDuring(site, creates, { delivers: true });
    expect(isCancelled).toBe(true);
    expect(report).toMatchObject(CANCELLED);
    const { created = 0, notSent, failed, held } = report?.counts ?? {};
    expect(created).toBeGreaterThan(0);
    expect(created).toBeLessThan(TALKS);
    expect({ notSent, failed, held }).toEqual({ notSent: TALKS - created, failed: 0, held: 0 });
    expect(await site.items('calendar/events')).toHaveLength(created);
    await site.withApp(async ({ ledger }) => {
      // What was not sent has not failed.
      expect(await ledger.records.failures(run, '', TALKS)).toEqual([]);
      expect(await ledger.history.deeds({ run: run })).toMatchObject([{ deed: 'cancel', sync: 'talks', run, ...ANN }]);
      // It counts for the schedule, so that no other run begins at once.
      expect(await ledger.runs.lastBegun('talks')).toMatchObject({ run });
      expect(await ledger.runs.cancel(run, ANN)).toBe(false);
    });
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { read: TALKS, created: TALKS - created } }]);
    expect(await site.items('calendar/events')).toHaveLength(TALKS);
  });
});

test('A retry sends what a cancelled run has left', async () => {
  await using site = await openSite(simplest);
  writeManyTalks(site);
  const { report } = await cancelDuring(site, { method: 'POST' });
  expect(await site.retry('talks')).toMatchObject({ status: 'success', counts: { created: report?.counts.notSent } });
});

test('A run that is cancelled while it looks at the CMS sends nothing', async () => {
  await using site = await openSite(simplest);
  writeManyTalks(site);
  const { report } = await cancelDuring(site, { method: 'GET' });
  expect(report).toMatchObject({ ...CANCELLED, counts: { read: TALKS, notSent: TALKS } });
  expect(site.writes()).toEqual({});
});

test('The process of a cancelled run goes on with other runs', async () => {
  await using site = await openSite(simplest);
  writeManyTalks(site);
  const held = await setFaults(site, { kind: 'hold', method: 'POST' });
  await site.withApp(async (app) => {
    const [sync] = app.config.syncs;
    if (!sync) throw new Error('there is no sync');
    const run = () => syncRun(app.contextOf(sync, { signal: new AbortController().signal }));
    const ended = run();
    await held();
    const [running] = await app.ledger.runs.underWay();
    await app.ledger.runs.cancel(running?.run ?? '', ANN);
    await setFaults(site);
    expect(await ended).toMatchObject(CANCELLED);
    expect(await run()).toMatchObject({ status: 'success' });
  });
});

test('A run whose process has exited is ended at once', async () => {
  await using site = await openSite(simplest);
  writeManyTalks(site);
  await site.withApp(async ({ ledger }) => {
    const run = await ledger.runs.begin('talks', 'run');
    await sleep(1);
    expect(await ledger.runs.cancel(run, { by: 'Ann', via: 'cli' })).toBe(true);
    expect(await ledger.runs.report(run)).toMatchObject({
      status: 'failed',
      error: { message: 'Ann cancelled the run.' },
    });
  });
});
