import { pino } from 'pino';
import { describe, expect, test, vi } from 'vitest';
import { type App, openApp } from '../../../src/app/app.ts';
import { loadAppConfig } from '../../../src/app/load-config.ts';
import { siteOf } from '../../../src/app/target-id.ts';
import { allJudged } from '../../support/ledger.ts';
import { combinations, openSite, type Site } from '../site.ts';

const SYNC = 'talks';
const keys = Array.from({ length: 20 }, (_, index) => `talk ${index}`);

/** A process on a site, as far as delivering is concerned. */
function openWorker(site: Site): Promise<App> {
  return openApp(loadAppConfig(site.environment()), site.environment(), pino({ level: 'silent' }));
}

/** A run whose plan is applied and whose jobs are not queued yet. */
async function applyPlan({ ledger, config }: App): Promise<string> {
  const { run } = await ledger.runs.lead(SYNC, 'run', { targetId: siteOf(config.target.baseUrl), resource: 'events' });
  const payload = { date: '2027-03-01', endDate: '2027-03-01', time: { start: '18:00:00' } };
  await ledger.plans.add(
    keys.map((key) => ({
      run,
      key,
      op: 'create',
      place: key,
      resource: 'events',
      desired: JSON.stringify({ ...payload, title: key }),
      attachments: '[]',
      hash: key,
      changed: '[]',
    })),
  );
  await ledger.plans.apply(run, SYNC, allJudged);
  return run;
}

describe.each(combinations)('Jobs that run several times at once, on $ledger with $queue', (engines) => {
  test('A repeated job delivers once and does not search the CMS', async () => {
    await using site = await openSite(engines, { faults: { faults: [{ kind: 'latency', ms: 5, jitterMs: 10 }] } });
    site.write(
      `syncs/${SYNC}.yaml`,
      'resource: events\nsource: { connector: csv, url: ./none.csv }\nkey: id\nmap: { title: title }\n',
    );
    const [one, other] = [await openWorker(site), await openWorker(site)];
    try {
      const run = await applyPlan(one);
      // What BullMQ does with a job that it takes for stalled while it runs; and a batch that was queued again.
      const job = { run, sync: SYNC, keys };
      for (const { queue } of [one, other]) await queue.add([job, job, { ...job, keys: keys.slice(5) }]);
      await Promise.all([one.work(), other.work()]);
      await vi.waitFor(async () => expect(await one.ledger.runs.state(run)).toMatchObject({ isRunning: false }), {
        timeout: 60_000,
      });
      expect((await one.ledger.runs.report(run)).counts).toMatchObject({ created: keys.length, failed: 0, held: 0 });
    } finally {
      await Promise.all([one.close(), other.close()]);
    }
    expect(site.sandbox.stats().requests).toEqual({ 'POST /calendar/events': keys.length });
    const titles = (await site.items('calendar/events')).map(({ title }) => title);
    expect(titles.sort()).toEqual(keys.toSorted());
  });
});
