import { beforeAll, describe, expect, test } from 'vitest';
import { zeroCounts } from '../../../src/core/run.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { timeOfDay } from '../../../src/queries/runs/runs.ts';
import { hasEngine, ledgerEngines } from '../../support/engines.ts';
import { withLedger } from '../../support/ledger.ts';

describe.each(ledgerEngines.filter(hasEngine))('Lists of runs, on %s', (engine) => {
  const opened = withLedger(engine);
  let ledger: Ledger;
  let [good, bad]: string[] = [];

  beforeAll(async () => {
    ledger = opened.ledger;
    good = await ledger.runs.begin('talks', 'run');
    await ledger.runs.record(good, { counts: { ...zeroCounts(), read: 1, created: 1 } });
    await ledger.runs.finish(good);
    bad = await ledger.runs.begin('talks', 'retry', { by: 'Ann', via: 'cli' });
    await ledger.runs.finish(bad, { status: 'failed', code: 'FF_FEED_STATUS', message: 'no' });
    await ledger.history.addDeed({ deed: 'retry', by: 'Ann', via: 'cli', sync: 'talks', run: bad });
  });

  const found = async (search: Partial<Parameters<Ledger['runs']['newest']>[0]>) =>
    (await ledger.runs.newest({ limit: 9, ...search })).map(({ run, asked }) => [run, asked]);

  test('Runs are found by result and day, with who asked for them', async () => {
    const ann = { by: 'Ann', via: 'cli' };
    expect(await found({})).toEqual(
      expect.arrayContaining([
        [bad, ann],
        [good, undefined],
      ]),
    );
    expect(await found({ statuses: ['failed', 'held'] })).toEqual([[bad, ann]]);
    expect(await found({ statuses: ['partial'], changed: true })).toEqual([[good, undefined]]);
    const today = new Date().toISOString().slice(0, 10);
    const began = { from: Date.parse(today) - 86_400_000, to: Date.parse(today) + 2 * 86_400_000 };
    expect(await found({ began })).toHaveLength(2);
    expect(await found({ began: { from: 0, to: began.from } })).toEqual([]);
    expect(await ledger.history.deeds(began)).toMatchObject([{ deed: 'retry', by: 'Ann' }]);
    expect(await ledger.history.deeds({ from: 0, to: began.from })).toEqual([]);
  });

  test('A run is undone, wholly or partly, until the undo is undone itself', async () => {
    const first = await ledger.runs.begin('tours', 'run');
    await ledger.runs.finish(first);
    const undo = async (run: string, deleted: number, rejected: number) => {
      const id = await ledger.runs.begin('tours', 'undo');
      await ledger.history.linkUndo(id, run);
      await ledger.runs.record(id, { counts: { ...zeroCounts(), deleted, rejected } });
      await ledger.runs.finish(id);
      return id;
    };
    const undoing = async () => {
      const { undone, undonePartly, undoneBy } = await ledger.runs.get(first);
      return { undone, undonePartly, undoneBy };
    };
    expect(await undoing()).toEqual({});
    await undo(first, 0, 2);
    expect(await undoing()).toEqual({});
    const part = await undo(first, 4, 1);
    expect(await undoing()).toEqual({ undonePartly: true, undoneBy: part });
    const whole = await undo(first, 6, 0);
    expect(await undoing()).toEqual({ undone: true, undoneBy: whole });
    await undo(first, 1, 1);
    expect(await undoing()).toEqual({ undone: true, undoneBy: whole });
    await undo(whole, 3, 1);
    expect(await undoing()).toEqual({ undone: true, undoneBy: whole });
    await undo(whole, 6, 0);
    expect(await undoing()).toEqual({});
  });
});

test('A day begins and ends at midnight of the site, also when the clocks change', () => {
  const hours = ({ from, to }: { from: number; to: number }) => (to - from) / 3_600_000;
  expect(new Date(timeOfDay('2027-03-01', 'America/New_York').from).toISOString()).toBe('2027-03-01T05:00:00.000Z');
  expect(hours(timeOfDay('2027-03-14', 'America/New_York'))).toBe(23);
  expect(hours(timeOfDay('2027-11-07', 'America/New_York'))).toBe(25);
  expect(() => timeOfDay('2027-02-30', 'UTC')).toThrow('is not a day');
});
