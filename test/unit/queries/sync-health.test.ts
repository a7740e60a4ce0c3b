import { describe, expect, test } from 'vitest';
import type { Config } from '../../../src/config/types.ts';
import { zeroCounts } from '../../../src/core/run.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { RecentRun } from '../../../src/ledger/runs/run-list.ts';
import type { SyncHealth } from '../../../src/ledger/runs/sync-health.ts';
import { attentionFor } from '../../../src/queries/syncs/attention.ts';
import { judgeHealth } from '../../../src/queries/syncs/sync-health.ts';
import type { SyncState } from '../../../src/queries/syncs/sync-states.ts';
import type { SyncRowView } from '../../../src/queries/views/overview.ts';

const MINUTE = 60_000;
const BEGIN = Date.parse('2027-03-01T12:00:00Z');
const sync = { name: 'talks', schedule: { everyMs: 15 * MINUTE } };

/** @param minutesAgo when it began; it took a second */
function runOf(minutesAgo: number, more: Partial<RecentRun> = {}): RecentRun {
  const startedAt = new Date(BEGIN - minutesAgo * MINUTE);
  return {
    ...{ run: `r${minutesAgo}`, sync: 'talks', kind: 'run', status: 'success', complete: true, durationMs: 1000 },
    startedAt: startedAt.toISOString(),
    finishedAt: new Date(startedAt.getTime() + 1000).toISOString(),
    counts: { ...zeroCounts(), read: 3, unchanged: 3 },
    ...{
      isApproval: false,
      agoMs: minutesAgo * MINUTE,
      hasRead: true,
      succeeded: ['success', 'partial', undefined].includes(more.status),
    },
    ...more,
  } as RecentRun;
}

const site = { scheduler: { isRunning: true }, timezone: 'America/New_York' };

function stateOf(recentRuns: RecentRun[], more: Partial<SyncState> = {}): SyncState {
  const none = {
    mistakes: [],
    mayHaveMore: false,
    nextRun: null,
    pause: null,
    waits: null,
    drift: undefined,
    acknowledged: { rejected: 0, withoutFile: 0, differs: 0 },
  };
  return { sync: 'talks', recentRuns, ...none, ...more };
}

/** @param earlier what the ledger knows of runs that are no longer among the recent ones */
function judge(
  state: SyncState,
  { isUnderWay = false, stuck = '', earlier }: { isUnderWay?: boolean; stuck?: string; earlier?: SyncHealth } = {},
) {
  const config = { target: { timezone: 'America/New_York' } } as Config;
  const ledger = { alerts: { health: async () => earlier } } as unknown as Ledger;
  return judgeHealth(sync, state, { config, ledger, isUnderWay, stuck });
}

const failed = {
  status: 'failed',
  error: { code: 'FF_FEED_STATUS', message: 'The feed returned status 500.' },
} as const;
const held = { status: 'held', error: { code: 'FF_GUARD_EMPTY', message: 'The feed is empty.' } } as const;
const decision = {
  is: 'rejected',
  by: 'Kim',
  via: 'cli',
  at: '2027-03-01T11:58:00Z',
  reason: 'the feed is broken',
} as const;
const acknowledged = { rejected: 2, withoutFile: 0, differs: 2 };
const drift = { sync: 'talks', id: 'v1', differences: 2, summary: '2 edited' };
const partial = { status: 'partial', counts: { ...zeroCounts(), read: 3, created: 1, rejected: 2 } } as const;

describe('The health of a sync', () => {
  test.each<[string, SyncState, string, string]>([
    ['that has never run', stateOf([]), 'new', 'It has never run.'],
    ['whose last run was a success', stateOf([runOf(5), runOf(20, failed)]), 'ok', ''],
    ['whose last run failed', stateOf([runOf(5, failed), runOf(20)]), 'failed', 'The feed returned status 500.'],
    ['whose last run is held', stateOf([runOf(5, held), runOf(20)]), 'held', 'The feed is empty.'],
    [
      'whose held plan was decided',
      stateOf([runOf(5, { ...held, decision }), runOf(20)]),
      'decided',
      'Kim has rejected the plan of the last run at 2027-03-01 06:58 EST: the feed is broken',
    ],
    ['with a held plan', stateOf([runOf(5)], { waits: 'r20' }), 'held', 'A held plan waits for a decision.'],
    ['whose run is late', stateOf([runOf(50)]), 'late', 'No run has succeeded since 2027-03-01 06:10 EST.'],
    ['with acknowledged rejects', stateOf([runOf(5, partial)], { acknowledged }), 'ok', ''],
    ['with acknowledged differences', stateOf([runOf(5)], { drift, acknowledged }), 'ok', ''],
    ['that was edited', stateOf([runOf(5)], { drift }), 'drift', 'The CMS differs from what was delivered: 2 edited.'],
    ['with rejected records', stateOf([runOf(5, partial)]), 'partial', 'Some records were not delivered: 2 rejected.'],
    ['of an empty feed', stateOf([runOf(5, { counts: zeroCounts() })]), 'partial', 'The feed had no records.'],
    [
      'of a broken file',
      stateOf([runOf(5)], { mistakes: ['a'] }),
      'broken',
      'Its file has mistakes, so it cannot run.',
    ],
  ])('%s', async (_name, state, health, why) => {
    expect(await judge(state)).toEqual({ health, why, isLate: health === 'late' });
  });

  test('is "running" during a run, unless it is worse', async () => {
    const begun = runOf(0, { status: 'running', finishedAt: undefined });
    expect(await judge(stateOf([begun]), { isUnderWay: true })).toMatchObject({ health: 'running', why: '' });
    expect(await judge(stateOf([begun, runOf(15, partial)]), { isUnderWay: true })).toMatchObject({
      health: 'running',
    });
    expect(await judge(stateOf([begun, runOf(15, failed)]), { isUnderWay: true })).toMatchObject({ health: 'failed' });
  });

  test('says that a sync is late, whatever else is wrong, unless it is paused', async () => {
    const runs = [runOf(5, failed), runOf(50)];
    expect(await judge(stateOf(runs))).toMatchObject({ health: 'failed', isLate: true });
    expect(await judge(stateOf([runOf(5, failed), runOf(20)]))).toMatchObject({ health: 'failed', isLate: false });
    const pause = { by: 'Kim', via: 'cli', since: '2027-03-01T11:00:00Z', reason: 'moving' } as const;
    expect(await judge(stateOf(runs, { pause }))).toMatchObject({ health: 'paused', isLate: false });
  });

  test('does not depend on runs that a signal has interrupted', async () => {
    const interrupted = { status: 'failed', error: { code: 'FF_RUN_INTERRUPTED', message: '' } } as const;
    expect(await judge(stateOf([runOf(5, interrupted), runOf(20)]))).toMatchObject({ health: 'ok', why: '' });
  });

  test('is read from the ledger if no recent run was a success', async () => {
    const state = stateOf([runOf(5, held), runOf(20, held)], { mayHaveMore: true });
    const earlier = { now: BEGIN, good: { run: 'r25', finishedAt: BEGIN - 25 * MINUTE } };
    expect(await judge(state, { earlier })).toMatchObject({ health: 'ok', why: '' });
  });
});

describe('What needs a person', () => {
  const healthy: SyncRowView = {
    ...{ sync: 'talks', resource: 'events', health: 'ok', why: '', schedule: null, nextRunAt: null, underWay: null },
    ...{ lastRun: null, lastSuccessAt: null, undelivered: { pending: 0, failed: 0, held: 0 }, waits: null },
    ...{ isLate: false, verifiedAt: null, drift: null, differences: 0, mistakes: [], recentRuns: [] },
    acknowledged: { rejected: 0, withoutFile: 0, differs: 0 },
  };
  const target = { baseUrl: 'https://www.example.edu', state: 'open' } as const;
  const { isApproval, agoMs, error, ...lastRun } = runOf(5, partial);

  const { finishedAt, ...begun } = { ...lastRun, run: 'r0', counts: zeroCounts() };

  test('is not what a person has acknowledged', () => {
    const problems = { lastRun, recentRuns: [lastRun], drift: '2 edited', differences: 2, withoutFiles: 1 };
    const texts = (acknowledged: SyncRowView['acknowledged']) =>
      attentionFor({ ...site, target, syncs: [{ ...healthy, ...problems, acknowledged }], orphans: [] }).map(
        ({ text }) => text,
      );
    expect(texts({ rejected: 2, withoutFile: 1, differs: 2 })).toEqual([]);
    expect(texts({ rejected: 1, withoutFile: 1, differs: 2 })).toEqual([
      '1 of 3 records was rejected, 1 more acknowledged.',
    ]);
    expect(texts({ rejected: 0, withoutFile: 0, differs: 1 })).toHaveLength(3);
  });

  test('is a feed that is incomplete, with the reason', () => {
    const why = 'The feed is incomplete: 1 of 2 files is missing.';
    const cut = { ...lastRun, complete: false, counts: { ...zeroCounts(), read: 3, unchanged: 3 } };
    const row: SyncRowView = { ...healthy, health: 'partial', why, lastRun: cut, recentRuns: [cut] };
    expect(attentionFor({ ...site, target, syncs: [row], orphans: [] })).toMatchObject([
      { is: 'incomplete', sync: 'talks', run: cut.run, text: `${why} Missing records are not removed meanwhile.` },
    ]);
  });

  test('is nothing if all is well', () => {
    expect(attentionFor({ ...site, target, syncs: [healthy], orphans: [] })).toEqual([]);
  });

  test('is listed with the most urgent first', () => {
    const syncs: SyncRowView[] = [
      {
        ...healthy,
        sync: 'arts',
        health: 'late',
        why: 'No run has succeeded.',
        undelivered: { pending: 0, failed: 2, held: 0 },
      },
      {
        ...healthy,
        lastRun,
        recentRuns: [lastRun, begun],
        health: 'held',
        why: 'The feed is empty.',
        waits: 'r20',
        drift: '2 edited',
        differences: 2,
      },
      { ...healthy, sync: 'walks', underWay: 'r1', undelivered: { pending: 9, failed: 0, held: 0 } },
      { ...healthy, sync: 'bad', health: 'broken', mistakes: ['syncs/bad.yaml:1:1: key is missing'] },
    ];
    const stopped = { ...target, state: 'stopped', reason: 'the token was refused' } as const;
    const orphans = [{ sync: 'gone', items: 3 }];
    expect(
      attentionFor({ ...site, target: stopped, syncs, orphans }).map(({ is, sync: name, run }) => [is, name, run]),
    ).toEqual([
      ['stopped', undefined, undefined],
      ['held', 'talks', 'r20'],
      ['broken', 'bad', undefined],
      ['late', 'arts', undefined],
      ['drift', 'talks', undefined],
      ['undelivered', 'arts', undefined],
      ['rejected', 'talks', lastRun.run],
      ['orphan', 'gone', undefined],
    ]);
  });

  test('counts undelivered records up to 1,000, and those of a run in progress not at all', () => {
    const undelivered = { pending: 9, failed: 1000, held: 2 };
    const textOf = (row: SyncRowView) =>
      attentionFor({ ...site, target, syncs: [row], orphans: [] }).map(({ text }) => text);
    expect(textOf({ ...healthy, undelivered })).toEqual(['Not delivered: 9 pending, 1000 or more failed, 2 held.']);
    expect(textOf({ ...healthy, undelivered, underWay: 'r1' })).toEqual([
      'Not delivered: 1000 or more failed, 2 held.',
    ]);
  });
});

test('A sync with undelivered records is not well, although its last run had nothing to do', async () => {
  expect(await judge(stateOf([runOf(5)]), { stuck: '2 failed' })).toMatchObject({
    health: 'partial',
    why: 'Some records were not delivered: 2 failed.',
  });
  expect(await judge(stateOf([runOf(5)]), { stuck: '2 pending', isUnderWay: true })).toMatchObject({
    health: 'running',
  });
});

test('A paused sync says who paused it and why, and is neither late nor failed', async () => {
  const pause = { by: 'Ann', via: 'console', reason: 'the feed moves', since: '2027-03-01T08:00:00.000Z' } as const;
  expect(await judge(stateOf([], { pause }))).toMatchObject({ health: 'paused', why: 'Ann paused it: the feed moves' });
});

test('A scheduler that no longer runs is missed only if a sync has a schedule', () => {
  const target = { baseUrl: 'https://www.example.edu', state: 'open' } as const;
  const ended = { ...site, scheduler: { isRunning: false, since: '2027-03-01T13:00:00.000Z' } };
  const acknowledged = { rejected: 0, withoutFile: 0, differs: 0 };
  const row = {
    sync: 'talks',
    health: 'ok',
    acknowledged,
    undelivered: {},
    waits: null,
    drift: null,
    recentRuns: [],
    mistakes: [],
  };
  const textOf = (nextRunAt: string | null, how: typeof site) => {
    const syncs = [{ ...row, nextRunAt } as unknown as SyncRowView];
    return attentionFor({ ...how, target, syncs, orphans: [] }).map(({ text }) => text);
  };
  const due = '2027-03-02T13:00:00.000Z';
  expect(textOf(due, ended)).toEqual([
    'No scheduler is running since 2027-03-01 08:00 EST, so no sync runs by itself.',
  ]);
  expect(textOf(null, ended)).toEqual([]);
  expect(textOf(due, site)).toEqual([]);
});
