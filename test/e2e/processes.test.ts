import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { feedferry, start } from './feedferry.ts';
import { combinations, type Engines, openSite, type Site } from './site.ts';

const ROWS = 120;

/** Several syncs with many records each; every request takes a while, so that processes meet. */
async function busySite(engines: Engines, syncs: string[]): Promise<Site> {
  const site = await openSite(engines, { faults: { seed: 1, faults: [{ kind: 'latency', ms: 15 }] } });
  for (const sync of syncs) {
    site.write(
      `syncs/${sync}.yaml`,
      `resource: events\nsource: { connector: csv, url: ./${sync}.csv }\nkey: id\nmap: { title: title, date: date, time.start: start }\n`,
    );
    const rows = Array.from({ length: ROWS }, (_, index) => `${index},${sync} ${index},2027-03-01,18:00`);
    site.write(`syncs/${sync}.csv`, ['id,title,date,start', ...rows].join('\n'));
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

/** Slows the CMS down, so that a run lasts for as long as a test wants it to. */
const setLatency = (site: Site, ms: number) =>
  site.request('PUT', '_sandbox/faults', { faults: [{ kind: 'latency', ms }] });

async function firstWrite(site: Site): Promise<void> {
  while (!site.sandbox.stats().requests['POST /calendar/events'])
    await new Promise((resolve) => setTimeout(resolve, 5));
}

describe.each(combinations)('processes that share a ledger on $ledger, with $queue', (engines) => {
  test('different syncs at once: each record arrives once', async () => {
    const syncs = ['one', 'two', 'three'];
    await using site = await busySite(engines, syncs);
    const finished = await Promise.all(syncs.map((sync) => feedferry(['sync', sync, '--json'], site.variables)));
    expect(finished.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(syncs.map(() => [0, '']));
    await expectEachOnce(site, syncs);
  });

  test('the same sync twice at once: one runs, the other says so', async () => {
    await using site = await busySite(engines, ['one']);
    const first = start(['sync', '--json'], site.variables);
    await firstWrite(site);
    await setLatency(site, 1_500);
    const second = await feedferry(['sync', '--json'], site.variables);
    await setLatency(site, 0);
    expect(second.exitCode).toBe(1);
    expect(second.json()).toMatchObject({ runs: [{ status: 'failed', error: { code: 'FF_RUN_BUSY' } }] });
    expect((await first.finished).exitCode).toBe(0);
    await expectEachOnce(site, ['one']);
  });

  test('a process that is killed half-way: the next run goes on, and nothing is doubled', async () => {
    await using site = await busySite(engines, ['one']);
    const killed = start(['sync'], site.variables);
    await firstWrite(site);
    killed.child.kill('SIGKILL');
    expect((await killed.finished).signal).toBe('SIGKILL');
    const next = await feedferry(['sync', '--json'], site.variables);
    expect(next.stderr).toBe('');
    expect(next.exitCode).toBe(0);
    await expectEachOnce(site, ['one']);
  });

  test('SIGTERM ends a run in order, with 143; the next one goes on', async () => {
    await using site = await busySite(engines, ['one']);
    const stopped = start(['sync', '--json'], site.variables);
    await firstWrite(site);
    stopped.child.kill('SIGTERM');
    const { exitCode, json } = await stopped.finished;
    expect(exitCode).toBe(143);
    const { runs } = json<{ runs: Array<{ counts: Record<string, number> }> }>();
    expect(runs).toMatchObject([{ status: 'failed', error: { code: 'FF_RUN_INTERRUPTED' } }]);
    const created = runs[0]?.counts.created ?? 0;
    expect(site.writes()).toEqual({ 'POST /calendar/events': created });
    const next = await feedferry(['sync', '--json'], site.variables);
    expect(next.json()).toMatchObject({
      runs: [{ status: 'success', counts: { created: ROWS - created, unchanged: created } }],
    });
    await expectEachOnce(site, ['one']);
  });
});

describe.each(combinations.filter(({ queue }) => queue === 'bullmq'))(
  'workers over Redis, ledger on $ledger',
  (engines) => {
    test('a worker process delivers what another process plans', async () => {
      await using site = await busySite(engines, ['one']);
      const worker = start(['worker'], { ...site.variables, LOG_LEVEL: 'info' });
      await readyLine(worker.child.stderr);
      const synced = await feedferry(['sync', '--json'], site.variables);
      expect(synced.json()).toMatchObject({ runs: [{ status: 'success', counts: { created: ROWS } }] });
      worker.child.kill('SIGTERM');
      expect((await worker.finished).exitCode).toBe(143);
      await expectEachOnce(site, ['one']);
      expect(site.sandbox.stats().peakInFlight).toBeLessThanOrEqual(4);
    });
  },
);

test('worker without Redis is a usage error', async () => {
  await using site = await busySite({ ledger: 'sqlite', queue: 'in-process' }, ['one']);
  const { exitCode, stderr } = await feedferry(['worker'], site.variables);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('FF_QUEUE_NEEDS_REDIS');
});

async function readyLine(stream: NodeJS.ReadableStream | null): Promise<void> {
  if (!stream) throw new Error('the worker has no standard error');
  for (;;) {
    const [chunk] = (await once(stream, 'data')) as [Buffer];
    if (chunk.toString().includes('ready')) return;
  }
}
