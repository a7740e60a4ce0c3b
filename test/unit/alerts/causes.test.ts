import { describe, expect, test } from 'vitest';
import { causesIn, type Watched } from '../../../src/alerts/causes.ts';
import { alertKinds } from '../../../src/config/schema/alerts-schema.ts';
import type { RunStatus } from '../../../src/core/run.ts';

const at = (time: string) => Date.parse(time);
const all: Watched = { on: alertKinds, staleAfter: { intervals: 3 }, schedule: { everyMs: 60_000 } };

describe('Causes of alerts after a run', () => {
  const causes = (status: RunStatus, read: number, on = all.on) => [
    ...causesIn({ now: 1000, latest: { run: 'r1', status, read, finishedAt: 900 } }, { ...all, on }),
  ];

  test.each<[RunStatus, number, string[]]>([
    ['success', 5, []],
    ['success', 0, ['empty']],
    ['partial', 5, ['partial']],
    ['partial', 0, ['empty']],
    ['failed', 0, ['failed']],
    ['held', 5, ['held']],
    ['held', 0, ['held']],
  ])('A run with the status %s and %i records read causes the right alert', (status, read, kinds) => {
    expect(causes(status, read)).toEqual(kinds.map((kind) => [kind, 'r1']));
  });

  test('A held run whose plan was decided causes no alert', () => {
    const decision = { is: 'rejected', by: 'Kim', via: 'console', at: '2027-03-01T12:00:00.000Z' } as const;
    const latest = { run: 'r1', status: 'held', read: 0, finishedAt: 900, decision } as const;
    expect([...causesIn({ now: 1000, latest }, all)]).toEqual([]);
  });

  test('Only subscribed kinds cause an alert, and the gravest of them is sent', () => {
    expect(causes('partial', 5, ['failed'])).toEqual([]);
    expect(causes('held', 0, ['empty', 'stale'])).toEqual([['empty', 'r1']]);
  });
});

test('Differences in the CMS are reported besides the last run, until a verification finds none', () => {
  const latest = { run: 'r1', status: 'partial', read: 5, finishedAt: 900 } as const;
  const drift = { id: 'v1', summary: '1 edited', differences: 1 };
  expect([...causesIn({ now: 1000, latest, drift }, all)]).toEqual([
    ['partial', 'r1'],
    ['drift', 'v1'],
  ]);
  expect([...causesIn({ now: 1000, latest, drift }, { ...all, on: ['failed'] })]).toEqual([]);
  expect([...causesIn({ now: 1000, latest }, all)]).toEqual([['partial', 'r1']]);
});

describe('Stale syncs', () => {
  const isStale = (now: number, watched: Partial<Watched>, good?: number, firstAt?: number) =>
    causesIn(
      {
        now,
        ...(good !== undefined && { good: { run: 'g', finishedAt: good } }),
        ...(firstAt !== undefined && { firstAt }),
      },
      { ...all, ...watched },
    ).has('stale');

  test('A sync is stale after the configured number of intervals without a successful run', () => {
    expect(isStale(180_000, {}, 1)).toBe(false);
    expect(isStale(180_001, {}, 1)).toBe(true);
  });

  test('A sync without a successful run is stale from its first run on, and never if it has no run', () => {
    expect(isStale(179_999, {}, undefined, 0)).toBe(false);
    expect(isStale(180_000, {}, undefined, 0)).toBe(true);
    expect(isStale(at('2999-01-01'), {})).toBe(false);
  });

  test('A sync is stale by age with or without a schedule, and by intervals only with one', () => {
    const { schedule, ...unscheduled } = all;
    const health = { now: 5000, good: { run: 'g', finishedAt: 0 } };
    expect([...causesIn(health, { ...unscheduled, staleAfter: { ageMs: 5000 } })]).toEqual([['stale', 'g']]);
    expect([...causesIn(health, { ...unscheduled, staleAfter: { ageMs: 5001 } })]).toEqual([]);
    expect([...causesIn({ ...health, now: at('2999-01-01') }, unscheduled)]).toEqual([]);
  });

  test('A sync with a cron expression is not stale after a weekend without ticks', () => {
    const schedule = { cron: '0 8 * * 1-5', timezone: 'America/New_York' };
    const friday = at('2027-03-05T08:00:20-05:00');
    const times = { schedule, staleAfter: { intervals: 2 } };
    expect(isStale(at('2027-03-08T23:00:00-05:00'), times, friday)).toBe(false);
    expect(isStale(at('2027-03-09T07:59:59-05:00'), times, friday)).toBe(false);
    expect(isStale(at('2027-03-09T08:00:00-05:00'), times, friday)).toBe(true);
  });

  test('A sync is not stale if the alert is switched off', () => {
    expect(isStale(at('2999-01-01'), { on: ['failed'] }, 0)).toBe(false);
  });
});
