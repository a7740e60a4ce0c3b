import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { runOrJoin } from '../../../src/app/actions/join-run.ts';
import { loadAppConfig } from '../../../src/app/load-config.ts';

import { openService, type Service } from '../../../src/app/service/service.ts';
import type { RunReport } from '../../../src/core/run.ts';
import type { RunUnderWay } from '../../../src/ledger/runs/run-list.ts';
import { setFaults, writeTalks, writeTalksSync } from '../fixtures.ts';
import { combinations, type Engines, openSite, type Site, simplest } from '../site.ts';

async function talks(engines: Engines, schedule = ''): Promise<Site> {
  const site = await openSite(engines);
  writeTalksSync(site, schedule);
  writeTalks(site, ['1,Old Maps,2027-03-01,18:00']);
  return site;
}

interface Served {
  service: Service;
  reports: RunReport[];
  stop: AbortController;
}

/** A service of this process on a site. It is closed when the test is over. */
async function serve(site: Site, leads = true): Promise<Served> {
  const environment = site.environment();
  const reports: RunReport[] = [];
  const stop = new AbortController();
  const service = await openService(loadAppConfig(environment), {
    environment,
    log: pino({ level: 'silent' }),
    signal: stop.signal,
    leads,
    delivers: true,
    onFinished: (report) => reports.push(report),
  });
  onTestFinished(async () => {
    stop.abort();
    await service.close();
  });
  return { service, reports, stop };
}

const ACTOR = { name: 'ann', via: 'api' } as const;
const runsOf = (service: Service) => service.app.ledger.runs.newest({ limit: 50 });

describe.each(combinations.filter(({ ledger }) => ledger === 'sqlite'))('Services with $queue', (engines) => {
  test('An active run ends with the config that it began with, and no other run overlaps it', async () => {
    await using site = await talks(engines);
    const { service, reports } = await serve(site);
    await service.start();
    const { app } = service;
    await service.follow(loadAppConfig(site.environment()));
    expect(service.app).toBe(app);

    await setFaults(site, { kind: 'hold', method: 'POST' });
    const { run } = await service.act('start', { sync: 'talks' }, ACTOR);
    writeTalksSync(site, 'window: { past: 1d }');
    writeTalksSync(site, '', { name: 'walks' });
    await service.follow(loadAppConfig(site.environment()));
    expect(service.app).not.toBe(app);
    expect(await service.act('start', { sync: 'talks' }, ACTOR)).toMatchObject({ run, started: false });
    expect((await service.app.ledger.runs.underWay()).map((active) => [active.sync, active.run])).toEqual([
      ['talks', run],
    ]);
    expect(service.app.config.syncs.map(({ name }) => name)).toEqual(['talks', 'walks']);
    await setFaults(site);
    await expect.poll(() => reports).toMatchObject([{ run, status: 'success', counts: { created: 1 } }]);
    expect(await service.act('start', { sync: 'talks' }, ACTOR)).toMatchObject({
      run: expect.not.stringMatching(run),
      started: true,
    });
  });

  test('A missed tick runs once, immediately', async () => {
    await using site = await talks(engines, 'schedule: { every: 800ms }');
    await site.sync();
    await sleep(850);
    const { service, reports } = await serve(site);
    await service.start();
    await expect.poll(() => reports, { interval: 10 }).toHaveLength(1);
    expect(await runsOf(service)).toHaveLength(2);
  });

  test('Requests wait for active work that is no run, and then share one run', async () => {
    await using site = await talks(engines, 'schedule: { every: 1h }');
    const { service, reports } = await serve(site);
    const { ledger } = service.app;
    const retry = await ledger.runs.begin('talks', 'retry');
    await service.start();
    const waitedFor: RunUnderWay[] = [];
    const [talk] = service.app.config.syncs;
    if (!talk) throw new Error('there is no sync');
    const asked = [1, 2, 3].map(() =>
      runOrJoin(service.app, talk, {
        askedAt: Date.now(),
        signal: new AbortController().signal,
        onJoin: () => {},
        onWait: (other) => waitedFor.push(other),
      }),
    );
    await expect.poll(() => waitedFor).toHaveLength(3);
    expect(waitedFor[0]).toEqual({ run: retry, sync: 'talks', kind: 'retry' });
    await expect(service.act('start', { sync: 'talks' }, ACTOR)).rejects.toMatchObject({ code: 'FF_RUN_BUSY' });
    await ledger.runs.finish(retry);
    const answers = await Promise.all(asked);
    expect(new Set(answers.map(({ run }) => run)).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 'success', counts: { created: 1 } });
    await service.close();
    // The tick that waited as well may have led it.
    expect(reports.length).toBeLessThanOrEqual(1);
    await site.withApp(async (app) => {
      const kinds = (await app.ledger.runs.newest({ limit: 9 })).map(({ kind }) => kind);
      expect(kinds.sort()).toEqual(['retry', 'run']);
    });
  });
});

describe('Waiting', () => {
  test('A waiting run ends with the signal as interrupted', async () => {
    await using site = await talks(simplest);
    await site.withApp(async (app) => {
      await app.ledger.runs.begin('talks', 'retry');
      const stop = new AbortController();
      const [talk] = app.config.syncs;
      if (!talk) throw new Error('there is no sync');
      const onWait = () => stop.abort();
      const asked = runOrJoin(app, talk, { askedAt: Date.now(), signal: stop.signal, onJoin: () => {}, onWait });
      await expect(asked).rejects.toMatchObject({ code: 'FF_RUN_INTERRUPTED' });
    });
  });

  test('A stop ends the wait of the jitter', async () => {
    await using site = await talks(simplest, 'schedule: { every: 1h, jitter: 1h }');
    vi.spyOn(Math, 'random').mockReturnValue(0.9);
    onTestFinished(() => void vi.restoreAllMocks());
    const { service, stop } = await serve(site);
    await service.start();
    await sleep(50);
    expect(await runsOf(service)).toEqual([]);
    stop.abort();
    await service.close();
    await site.withApp(async (app) => expect(await app.ledger.runs.newest({ limit: 9 })).toEqual([]));
  });

  test('A wait ends when its jitter has passed', async () => {
    await using site = await talks(simplest, 'schedule: { every: 1h, jitter: 1h }');
    vi.spyOn(Math, 'random').mockReturnValue(0);
    onTestFinished(() => void vi.restoreAllMocks());
    const { service, reports } = await serve(site);
    await service.start();
    await expect.poll(() => reports).toHaveLength(1);
  });
});

describe.runIf(combinations.some(({ queue }) => queue === 'bullmq'))('With Redis', () => {
  test('A process that only delivers follows the config and starts no runs', async () => {
    await using site = await talks({ ledger: 'sqlite', queue: 'bullmq' }, 'schedule: { every: 1h }');
    const { service } = await serve(site, false);
    await service.start();
    writeTalksSync(site, '', { name: 'walks' });
    await service.follow(loadAppConfig(site.environment()));
    const batch = { run: 'none', sync: 'walks', keys: ['1'] };
    await service.app.queue.add([batch]);
    // Who did not know the sync would try again and again.
    await expect.poll(() => service.app.queue.depth()).toEqual({ waiting: 0, delayed: 0, active: 0 });
    expect(await runsOf(service)).toEqual([]);
  });
});
