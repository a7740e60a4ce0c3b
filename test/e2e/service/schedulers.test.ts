import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { App } from '../../../src/app/app.ts';
import { startScheduler } from '../../../src/app/service/scheduler.ts';
import { threeTalks, writeTalks, writeTalksSync } from '../fixtures.ts';
import { farthest, openSite } from '../site.ts';

const RUNS = 3;

test.each(farthest)(
  'Each tick begins one run, however many schedulers there are, on $ledger with $queue',
  async (engines) => {
    await using site = await openSite(engines);
    writeTalksSync(site, 'schedule: { cron: "* * * * * *" }');
    writeTalks(site, threeTalks);
    const stopping = new AbortController();
    const startOn = (app: App) =>
      startScheduler(app, {
        log: pino({ level: 'silent' }),
        signal: new AbortController().signal,
        waiting: stopping.signal,
        onFinished: () => {},
      });
    await site.withApp(async (one) => {
      await site.withApp(async (other) => {
        const tickOf = (time: number) => Math.floor(time / 1000);
        const first = tickOf(Date.now());
        const schedulers = await Promise.all([one, other].map(startOn));
        const begun = () => one.ledger.runs.newest({ limit: 99 });
        // The sync has never run, so it waits for its first tick.
        await expect.poll(async () => (await begun()).length, { timeout: 20_000 }).toBeGreaterThanOrEqual(RUNS);
        stopping.abort();
        await Promise.all(schedulers.map((scheduler) => scheduler.stop()));
        // A busy machine may begin the run of a tick late, but no run without a tick of its own.
        const starts = (await begun()).map(({ startedAt }) => Date.parse(startedAt));
        expect(starts.length).toBeLessThanOrEqual(tickOf(Math.max(...starts)) - first);
      });
    });
  },
);
