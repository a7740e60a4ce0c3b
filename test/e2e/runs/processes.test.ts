import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { runOrJoin } from '../../../src/app/actions/join-run.ts';
import type { App } from '../../../src/app/app.ts';
import { siteOf } from '../../../src/app/target-id.ts';
import { thisMachine } from '../../../src/core/runtime/process-name.ts';
import { systemRuntime } from '../../../src/core/runtime/runtime.ts';
import { syncRun } from '../../../src/sync/runs/sync-run.ts';
import { allJudged } from '../../support/ledger.ts';
import { start, untilPrinted } from '../feedferry.ts';
import { setFaults, setLatency, writeTalks, writeTalksSync } from '../fixtures.ts';
import { either } from '../in-turn.ts';
import { startRecordingProxy } from '../recording-proxy.ts';
import { runHere } from '../run-here.ts';
import { type Engines, farthest, openSite, type Site, simplest } from '../site.ts';

const ROWS = 40;

/** Several syncs with many records each; every request takes a while, so that processes meet. */
async function busySite(engines: Engines, syncs: string[]): Promise<Site> {
  const site = await openSite(engines, { faults: { seed: 1, faults: [{ kind: 'latency', ms: 30 }] } });
  for (const sync of syncs) {
    writeTalksSync(site, '', { name: sync });
    const rows = Array.from({ length: ROWS }, (_, index) => `${index},${sync} ${index},2027-03-01,18:00`);
    writeTalks(site, rows, { name: sync });
  }
  return site;
}

/** Every record of the syncs, once. */
async function expectEachOnce(site: Site, syncs: string[]): Promise<void> {
  const titles = [];
  for (let page = 1; page <= Math.ceil((syncs.length * ROWS) / 100); page++) {
    titles.push(...(await site.items('calendar/events', `&page=${page}`)).map((event) => event.title));
  }
  const expected = syncs.flatMap((sync) => Array.from({ length: ROWS }, (_, index) => `${sync} ${index}`));
  expect(titles.sort()).toEqual(expected.sort());
}

/** Makes new talks the desired state, as a process does that is killed before it delivers them. */
function planOfKilled(site: Site, keys: readonly string[]): Promise<string> {
  const runtime = { ...systemRuntime, process: `${thisMachine}/999999999@/killed` };
  return site.withApp(
    async ({ ledger, config }) => {
      const { run } = await ledger.runs.lead('one', 'run', {
        targetId: siteOf(config.target.baseUrl),
        resource: 'events',
      });
      const changes = keys.map((key) => ({
        ...{
          run,
          key,
          op: 'create' as const,
          place: key,
          resource: 'events' as const,
          attachments: '[]',
          changed: '[]',
        },
        ...{ hash: key, desired: JSON.stringify({ title: `one ${key}`, date: '2027-03-01' }) },
      }));
      await ledger.plans.add(changes);
      await ledger.plans.apply(run, 'one', allJudged);
      return run;
    },
    { runtime },
  );
}

function syncOf({ config }: App) {
  const [sync] = config.syncs;
  if (!sync) throw new Error('there is no sync');
  return sync;
}

// For processes of different syncs, see `records/target.test.ts`.
// Which process leads is a matter of the ledger; that the queue may be either does not depend on it.
describe.each(either(1))('Processes that share a ledger on $ledger, with $queue', (engines) => {
  test('The same sync started twice runs once, and the other process waits and reports its result', async () => {
    await using site = await busySite(engines, ['one']);
    await using proxy = await startRecordingProxy(site.sandbox.url);
    site.variables.CMS_BASE_URL = proxy.url;
    const waiting = Promise.withResolvers<undefined>();
    const started = new Promise<void>((resolve) => {
      proxy.intercept = async ({ operation }) => {
        if (!operation.startsWith('POST')) return undefined;
        resolve();
        return waiting.promise;
      };
    });
    const first = start(['sync', '--json'], site.variables);
    await started;
    const second = start(['sync', '--json'], site.variables);
    await untilPrinted(second.child.stderr, 'already running (run');
    waiting.resolve(undefined);
    const [led, joined] = await Promise.all([first.finished, second.finished]);
    expect([led.exitCode, joined.exitCode]).toEqual([0, 0]);
    expect(joined.json()).toEqual(led.json());
    expect(joined.json()).toMatchObject({ runs: [{ status: 'success', counts: { created: ROWS } }] });
    await expectEachOnce(site, ['one']);
  });
});

describe.each(either(0))('Processes that share a ledger on $ledger, with $queue', (engines) => {
  test('A process that waits for the run of a killed one takes over, and nothing is duplicated', async () => {
    await using site = await busySite(engines, ['one']);
    const held = await setFaults(site, { kind: 'hold', method: 'POST', skip: 4 });
    const killed = start(['sync'], site.variables);
    await held();
    const next = await site.withApp((app) =>
      runOrJoin(app, syncOf(app), {
        askedAt: Date.now(),
        signal: new AbortController().signal,
        async onJoin() {
          killed.child.kill('SIGKILL');
          await setFaults(site);
        },
      }),
    );
    expect((await killed.finished).signal).toBe('SIGKILL');
    expect(next.status).toBe('success');
    await expectEachOnce(site, ['one']);
  });
});

describe.each(farthest)('Processes that share a ledger on $ledger, with $queue', (engines) => {
  test('A new run ends the deliveries of a run whose process was killed', async () => {
    await using site = await busySite(engines, ['one']);
    await site.withApp(async (worker) => {
      const keys = Array.from({ length: ROWS }, (_, index) => String(index));
      const run = await planOfKilled(site, keys);
      await worker.queue.add([{ run, sync: 'one', keys }]);
      const struck = await setFaults(site, { kind: 'latency', ms: 100 });
      await worker.work();
      await struck();
      writeTalks(site, ['0,one 0,2027-03-01,18:00'], { name: 'one' });
      let begun = 0;
      const onBegin = () => {
        begun = site.sandbox.stats().total;
      };
      const next = await site.withContext((context) => syncRun({ ...context, onBegin }));
      expect(next).toMatchObject({ status: 'success', counts: { read: 1 } });
      expect(await worker.ledger.runs.report(run)).toMatchObject({ error: { code: 'FF_RUN_ABANDONED' } });
      const created = await site.items('calendar/events');
      // What was under way when the new run began, and a request that was confirmed just before.
      expect(created.length).toBeLessThanOrEqual(begun + 4);
      // The worker gives back what it has claimed and not sent, once it has noticed the new run.
      const left = () => worker.ledger.records.undelivered('one');
      await expect.poll(left).toMatchObject({ pending: 0, failed: 0, held: 0 });
    });
    await sleep(200);
    expect((await site.items('calendar/events')).length).toBeLessThan(ROWS / 2);
  });
});

test('SIGTERM ends a run cleanly with 143, and the next run resumes', async () => {
  await using site = await busySite(simplest, ['one']);
  const held = await setFaults(site, { kind: 'hold', method: 'POST', skip: 4 });
  const stopped = start(['sync', '--json'], site.variables);
  await held();
  stopped.child.kill('SIGTERM');
  await setLatency(site, 30);
  const { exitCode, json } = await stopped.finished;
  expect(exitCode).toBe(143);
  const { runs } = json<{ runs: Array<{ counts: Record<string, number> }> }>();
  expect(runs).toMatchObject([{ status: 'failed', error: { code: 'FF_RUN_INTERRUPTED' } }]);
  const created = runs[0]?.counts.created ?? 0;
  expect(runs[0]?.counts).toMatchObject({ failed: 0, notSent: ROWS - created });
  expect(site.sandbox.stats().requests['POST /calendar/events']).toBe(created);
  expect(await site.sync()).toMatchObject([
    { status: 'success', counts: { created: ROWS - created, unchanged: created } },
  ]);
  await expectEachOnce(site, ['one']);
});

test('A worker without Redis is a usage error', async () => {
  await using site = await busySite(simplest, ['one']);
  const { exitCode, stderr } = await runHere(['worker'], site.variables);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('FF_QUEUE_NEEDS_REDIS');
});
