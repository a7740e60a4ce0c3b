import { beforeAll, describe, expect, test } from 'vitest';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { pauseOf, refusePaused, resumeSync } from '../../../src/sync/runs/pause-sync.ts';
import { hasEngine, ledgerEngines } from '../../support/engines.ts';
import { withLedger } from '../../support/ledger.ts';

const ANN = { by: 'Ann', via: 'console' } as const;
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);

describe.each(ledgerEngines.filter(hasEngine))('Pauses and schedulers, on %s', (engine) => {
  const opened = withLedger(engine);
  let ledger: Ledger;
  let elsewhere: Ledger;

  beforeAll(() => {
    ledger = opened.ledger;
    elsewhere = opened.second;
  });

  test('A pause is seen by all processes until it is ended, and both are in the history', async () => {
    const talks = { name: 'talks' };
    await ledger.pauses.pause('talks', { ...ANN, reason: 'moving' });
    await ledger.pauses.pause('talks', { by: 'Bo', via: 'cli', reason: 'still moving' });
    const pauses = await elsewhere.pauses.pauses();
    expect(pauseOf(talks, pauses)).toEqual({ by: 'Bo', via: 'cli', reason: 'still moving', since: TIME });
    await expect(refusePaused({ ledger: elsewhere, sync: talks })).rejects.toMatchObject({
      code: 'FF_SYNC_PAUSED',
      message: 'Bo paused "talks": still moving',
    });
    expect(await resumeSync(talks, ANN, elsewhere)).toBe(true);
    expect(await resumeSync(talks, ANN, elsewhere)).toBe(false);
    await refusePaused({ ledger, sync: talks });
    expect((await ledger.history.deeds({ sync: 'talks' })).map(({ deed, by, run }) => [deed, by, run]).sort()).toEqual([
      ['pause', 'Ann', undefined],
      ['pause', 'Bo', undefined],
      ['resume', 'Ann', undefined],
    ]);
  });

  test('A pause outlives that the sync is renamed, and so does its end', async () => {
    await ledger.pauses.pause('old', { ...ANN, reason: 'moving' });
    const renamed = { name: 'new', renamedFrom: ['older', 'old'] };
    expect(pauseOf(renamed, await ledger.pauses.pauses())).toMatchObject({ by: 'Ann' });
    expect(await resumeSync(renamed, ANN, ledger)).toBe(true);
    expect(pauseOf(renamed, await ledger.pauses.pauses())).toBeUndefined();
  });

  test('A paused sync is not late', async () => {
    expect(await ledger.alerts.health('late')).not.toHaveProperty('isPaused');
    await ledger.pauses.pause('late', { ...ANN, reason: 'moving' });
    expect(await ledger.alerts.health('late')).toMatchObject({ isPaused: true });
  });

  test('It is known whether a scheduler runs, and since when none does', async () => {
    expect(await ledger.schedulers.schedulers()).toEqual({ isRunning: false, processes: [] });
    await ledger.schedulers.seeScheduler();
    await ledger.schedulers.seeScheduler();
    expect(await elsewhere.schedulers.schedulers()).toMatchObject({ isRunning: true, since: TIME, processes: [{}] });
    await ledger.schedulers.endScheduler();
    expect(await elsewhere.schedulers.schedulers()).toEqual({ isRunning: false, since: TIME, processes: [] });
  });

  test('A process that replaces its scheduler, as after a change of the config, has one all the time', async () => {
    const [former, next] = [ledger.schedulers, elsewhere.schedulers];
    await former.seeScheduler();
    await next.seeScheduler();
    await former.endScheduler();
    expect(await former.schedulers()).toMatchObject({ isRunning: true, processes: [{}] });
    await next.endScheduler();
    expect(await former.schedulers()).toMatchObject({ isRunning: false, since: TIME });
  });
});
