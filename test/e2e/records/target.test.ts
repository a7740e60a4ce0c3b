import { describe, expect, test } from 'vitest';
import type { RunResult } from '../../../src/core/run.ts';
import { feedferry, start, untilPrinted } from '../feedferry.ts';
import { setFaults, writeTalks, writeTalksSync } from '../fixtures.ts';
import { either } from '../in-turn.ts';
import { type Engines, farthest, openSite, type Site } from '../site.ts';

const ROWS = 16;
const SYNCS = ['one', 'two', 'three'];

async function siteWith(engines: Engines, target: string): Promise<Site> {
  const site = await openSite(engines, { target });
  for (const sync of SYNCS) {
    writeTalksSync(site, '', { name: sync });
    const rows = Array.from({ length: ROWS }, (_, index) => `${index},${sync} ${index},2027-03-01,18:00`);
    writeTalks(site, rows, { name: sync });
  }
  return site;
}

/** A process for each sync, and a worker if there is Redis. */
async function syncWithThree({ queue }: Engines, site: Site): Promise<RunResult[]> {
  const workers = queue === 'bullmq' ? [start(['worker'], { ...site.variables, LOG_LEVEL: 'info' })] : [];
  await Promise.all(workers.map(({ child }) => untilPrinted(child.stderr, 'ready')));
  const finished = await Promise.all(SYNCS.map((sync) => feedferry(['sync', sync, '--json'], site.variables)));
  expect(finished.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(SYNCS.map(() => [0, '']));
  for (const { child } of workers) child.kill('SIGTERM');
  const ended = await Promise.all(workers.map((worker) => worker.finished));
  expect(ended.map(({ exitCode }) => exitCode)).toEqual(workers.map(() => 143));
  return finished.flatMap(({ json }) => json<{ runs: RunResult[] }>().runs);
}

async function titles(site: Site): Promise<unknown[]> {
  return (await site.items('calendar/events')).map(({ title }) => title).sort();
}

const allTitles = SYNCS.flatMap((sync) => Array.from({ length: ROWS }, (_, index) => `${sync} ${index}`)).sort();

// `contract/limits` proves the limits with each ledger.
describe.each(farthest)('Several processes with one CMS, on $ledger with $queue', (engines) => {
  test('Each record is delivered once, and the limits hold over all processes', async () => {
    await using site = await siteWith(engines, '  requestsPerSecond: 30\n');
    // The first creates take so long that they overlap on a slow machine, too.
    const slow = { kind: 'latency', ms: 1_000, method: 'POST', times: 4 };
    await setFaults(site, slow, { kind: 'latency', ms: 60, jitterMs: 60 });
    const runs = await syncWithThree(engines, site);
    expect(runs.map(({ status }) => status)).toEqual(SYNCS.map(() => 'success'));
    expect(await titles(site)).toEqual(allTitles);
    const { peakInFlight, peakPerSecond } = site.sandbox.stats();
    expect(peakInFlight).toBeLessThanOrEqual(4);
    expect(peakInFlight).toBeGreaterThan(2);
    // On a busy machine, requests that are in flight together may arrive with those of the next second.
    expect(peakPerSecond).toBeLessThanOrEqual(30 + 4);
  });
});

describe.each(either(1))('Several processes with one CMS, on $ledger with $queue', (engines) => {
  test('All processes keep a pause that the CMS asks for, lose no attempts, and then resume', async () => {
    await using site = await siteWith(engines, '  maxAttempts: 1\n');
    await setFaults(
      site,
      { kind: 'latency', ms: 20 },
      ...[8, 24].map((skip) => ({ kind: 'rateLimit', retryAfter: 1, method: 'POST', skip, times: 1 })),
    );
    const runs = (await Promise.all(SYNCS.map((sync) => site.sync([sync])))).flat();
    expect(runs.map(({ status, counts }) => [status, counts.created])).toEqual(SYNCS.map(() => ['success', ROWS]));
    expect(await titles(site)).toEqual(allTitles);
    expect(site.sandbox.stats().answers['429']).toBe(2);
  });
});

describe.each(either(0))('A CMS that refuses or fails, on $ledger with $queue', (engines) => {
  test('A revoked token ends every run at once, nothing is lost, and the next run resumes', async () => {
    await using site = await siteWith(engines, '');
    await setFaults(site, { kind: 'latency', ms: 20 });
    await site.sync(['one']);
    // The check at the start of each run still passes.
    await setFaults(site, { kind: 'unauthorized', method: 'POST' });
    const refused = await site.sync(['two']);
    expect(refused).toMatchObject([{ status: 'failed', error: { code: 'FF_CMS_UNAUTHORIZED' }, problems: [] }]);
    expect(site.sandbox.stats().answers['401']).toBeLessThanOrEqual(4);
    await setFaults(site);
    const runs = await site.sync();
    expect(runs.map(({ status, counts }) => [status, counts.created])).toEqual([
      ['success', 0],
      ['success', ROWS],
      ['success', ROWS],
    ]);
    expect(await titles(site)).toEqual(allTitles);
  });

  test('A CMS that always fails gets pauses and single requests, and the run reports it without failed records', async () => {
    await using site = await siteWith(engines, '  maxAttempts: 2\n  maxBackoff: 1s\n');
    await setFaults(site, { kind: 'error', status: 503, method: 'POST' });
    const failed = await site.sync(['one']);
    expect(failed).toMatchObject([{ status: 'failed', error: { code: 'FF_CMS_UNAVAILABLE' } }]);
    // Five in a row, those that were under way with them, and the probe after the pause.
    expect(site.sandbox.stats().answers['503']).toBeLessThanOrEqual(12);
    await setFaults(site);
    expect(await site.sync()).toMatchObject(SYNCS.map(() => ({ status: 'success', counts: { created: ROWS } })));
    expect(await titles(site)).toEqual(allTitles);
  });
});
