import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, test, vi } from 'vitest';
import { createUpkeep } from '../../../src/app/upkeep.ts';
import type { Config, SyncConfig } from '../../../src/config/types.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { folderOf } from '../../support/folder.ts';

const retention = { runsMs: 30 * 86_400_000, rejectsMs: 2, beforeImagesMs: 3, filesMs: 4 };
const sync = { name: 'talks', source: { url: '/data/uploads/2020-01-01-talks.csv' } } as SyncConfig;
const unaborted = new AbortController().signal;

function upkeep({ isOurTurn = true, run = async () => 3, dataDir = '/nowhere', broken = [] as object[] } = {}) {
  const keepAcknowledged = vi.fn(async () => {});
  const sweep = { run: vi.fn(run) };
  const takeTurn = vi.fn(async () => isOurTurn);
  const logged: Array<{ level: number; msg: string }> = [];
  const log = pino({}, { write: (line: string) => logged.push(JSON.parse(line)) });
  const config = { syncs: [sync], retention, broken } as Partial<Config> as Config;
  const check = vi.fn(async () => {});
  const history = { deeds: async () => [{ patch: '-  url: ../../data/uploads/2020-02-02-talks.csv' }, {}] };
  const others = { acknowledgements: { keepAcknowledged }, history };
  const ledger = { turns: { takeTurn }, retention: sweep, ...others } as unknown as Ledger;
  const { afterRun } = createUpkeep({ config, ledger, alerts: { check, pauseMs: 1000 }, log, dataDir });
  return { afterRun, check, sweep, takeTurn, keepAcknowledged, logged };
}

describe('Upkeep after a run', () => {
  test('checks the alerts of its sync', async () => {
    const { afterRun, check } = upkeep();
    await afterRun(sync, unaborted);
    expect(check).toHaveBeenCalledExactlyOnceWith(sync, unaborted);
  });

  test('sweeps the ledger by the configured retention, and logs it', async () => {
    const { afterRun, sweep, keepAcknowledged, logged } = upkeep();
    await afterRun(sync, unaborted);
    expect(sweep.run).toHaveBeenCalledExactlyOnceWith(retention, expect.any(AbortSignal));
    expect(keepAcknowledged).toHaveBeenCalledExactlyOnceWith(sync.name);
    expect(logged).toMatchObject([{ level: 30, rows: 3 }]);
  });

  test('removes uploaded feeds when neither a sync nor an edit that can be taken back reads them', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const needed = ['2020-01-01-talks.csv', '2020-02-02-talks.csv', `${today}-talks.csv`];
    const dataDir = folderOf(
      Object.fromEntries([...needed, '2020-03-03-talks.csv'].map((name) => [`uploads/${name}`, ''])),
    );
    await upkeep({ dataDir, broken: [{}] }).afterRun(sync, unaborted);
    expect(readdirSync(join(dataDir, 'uploads'))).toHaveLength(4);
    await upkeep({ dataDir }).afterRun(sync, unaborted);
    expect(readdirSync(join(dataDir, 'uploads'))).toEqual(needed);
  });

  test('leaves the sweep to the process whose turn it is, and to the next run after an abort', async () => {
    const { afterRun, sweep, takeTurn } = upkeep({ isOurTurn: false });
    await afterRun(sync, unaborted);
    expect(sweep.run).not.toHaveBeenCalled();
    await afterRun(sync, AbortSignal.abort());
    expect(takeTurn).toHaveBeenCalledOnce();
  });

  test('only logs a sweep that fails', async () => {
    const { afterRun, logged } = upkeep({ run: () => Promise.reject(new Error('locked')) });
    await afterRun(sync, unaborted);
    expect(logged).toMatchObject([{ level: 40, err: { message: 'locked' } }]);
  });

  test('aborts the sweep with the signal', async () => {
    const stopping = new AbortController();
    const { afterRun, sweep } = upkeep();
    await afterRun(sync, stopping.signal);
    const [, signal] = sweep.run.mock.calls[0] as unknown as [unknown, AbortSignal];
    expect(signal.aborted).toBe(false);
    stopping.abort();
    expect(signal.aborted).toBe(true);
  });
});
