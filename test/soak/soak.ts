import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SyncView } from '../../src/core/run-service.ts';
import { checkProcesses } from '../crash/check-processes.ts';
import type { Combination } from '../crash/combination.ts';
import type { Finding } from '../crash/finding.ts';
import { openPlace, type Place } from '../crash/place.ts';
import type { Servers } from '../crash/servers.ts';
import { until } from '../crash/until.ts';
import { checkItems } from './check-items.ts';
import { checkLedger } from './check-ledger.ts';
import { checkMemory } from './check-memory.ts';
import { openFeed } from './feed.ts';
import { startFeedServer } from './feed-server.ts';
import { type Sample, takeSample } from './sample.ts';
import { type Service, startService, stopService } from './service.ts';
import { soakSyncs } from './syncs.ts';
import { unrest } from './unrest.ts';

/** Records that each feed may have. */
const POOL = 90;
const CALM_WITHIN_MS = 120_000;
const CALM_LOOK_MS = 250;
const SHORTEST_INTERVAL_MS = 500;
const LONGEST_INTERVAL_MS = 5_000;
const SAMPLES = 60;

/** What a soak came to. */
export interface SoakReport {
  combination: Combination;
  seed: number;
  samples: Sample[];
  findings: Finding[];
  /** Requests that the CMS answered. */
  requests: number;
  /** Folder of a soak that found something: config, ledger, CMS and logs. */
  dir?: string;
}

/** Lets a service run for so long on feeds and a CMS that give it no rest; then all has to be as it should. */
export async function soak(
  combination: Combination,
  { seed, ms }: { seed: number; ms: number },
  servers: Servers,
): Promise<SoakReport> {
  const server = await startFeedServer();
  const syncs = soakSyncs.map((sync) => {
    const url = sync.place === 'http' ? `${server.url}/${sync.file}` : `../feeds/${sync.file}`;
    return [`${sync.name}.yaml`, sync.config(url)];
  });
  const place = await openPlace(combination, servers, Object.fromEntries(syncs));
  const feeds = soakSyncs.map((sync) => openFeed(sync, POOL, join(place.dir, 'config/feeds'), server));
  const samples: Sample[] = [];
  const findings = await play().catch((error): Finding[] => [{ is: 'other', what: `It broke off: ${error.stack}` }]);
  const requests = Object.values(await place.sandbox.requests()).reduce((sum, count) => sum + count, 0);
  await place.close(findings.length > 0);
  await server.close();
  return { combination, seed, samples, findings, requests, ...(findings.length > 0 ? { dir: place.dir } : {}) };

  async function play(): Promise<Finding[]> {
    const services = [await startService('start', place)];
    if (combination.queue === 'bullmq') services.push(await startService('worker', place));
    const sampling = sampleUntilStopped(services, place, ms, samples);
    await unrest(feeds, place.sandbox, { seed, ms });
    await sampling.stop();
    const restless = await untilCalm(services, place);
    const ended = await Promise.all(services.map(stopService));
    return [
      ...restless,
      ...ended.flatMap(({ name, exitCode }): Finding[] =>
        exitCode === 143 ? [] : [{ is: 'other', what: `${name} ended with ${exitCode} instead of 143` }],
      ),
      ...checkProcesses(ended),
      ...(await checkItems(feeds, place.sandbox)),
      ...(await checkLedger(feeds, place)),
      ...checkMemory(samples),
    ];
  }
}

function sampleUntilStopped(services: readonly Service[], place: Place, ms: number, samples: Sample[]) {
  const since = performance.now();
  const everyMs = Math.min(LONGEST_INTERVAL_MS, Math.max(SHORTEST_INTERVAL_MS, ms / SAMPLES));
  const stopping = new AbortController();
  const sampled = (async () => {
    while (!stopping.signal.aborted) {
      samples.push(await takeSample(services, place, since));
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  // Whoever waits for the end learns of its failure.
  sampled.catch(() => undefined);
  return {
    stop(): Promise<void> {
      stopping.abort();
      return sampled;
    },
  };
}

/** Waits until every sync has read its calm feed with success and nothing is queued any more. */
async function untilCalm(services: readonly Service[], place: Place): Promise<Finding[]> {
  const [start] = services;
  if (!start) return [];
  const since = new Date().toISOString();
  let last = '';
  try {
    await until('a success of every sync and an empty queue', CALM_WITHIN_MS, async () => {
      await sleep(CALM_LOOK_MS);
      const { syncs } = (await (await fetch(`${start.url}/api/syncs`)).json()) as { syncs: SyncView[] };
      const { queueJobs } = await takeSample(services, place, 0);
      last = JSON.stringify({ queueJobs, syncs: syncs.map(({ sync, lastRun }) => ({ sync, ...lastRun })) });
      const isCalm = ({ lastRun }: SyncView) => lastRun?.status === 'success' && lastRun.startedAt > since;
      return (syncs.length === soakSyncs.length && syncs.every(isCalm) && queueJobs === 0) || undefined;
    });
    return [];
  } catch (error) {
    return [{ is: 'other', what: `${error instanceof Error ? error.message : error} ${last}` }];
  }
}
