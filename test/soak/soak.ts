import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT } from '../../src/cli/exit-codes.ts';
import type { SyncRowView } from '../../src/queries/views/overview.ts';
import { checkProcesses } from '../crash/checks/check-processes.ts';
import type { Finding } from '../crash/checks/finding.ts';
import type { Combination } from '../crash/combination.ts';
import { openPlace, type Place } from '../crash/place.ts';
import type { Servers } from '../crash/servers/servers.ts';
import { until } from '../crash/until.ts';
import { requestsTo } from '../crash/writes.ts';
import { checkItems } from './check-items.ts';
import { checkLedger } from './check-ledger.ts';
import { checkMemory } from './check-memory.ts';
import { openFeed } from './feed.ts';
import { startFeedServer } from './feed-server.ts';
import { createSampling, type Sample, takeSample } from './sample.ts';
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

/** Result of a soak. */
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
  const place = await openPlace(combination, servers, configOf(server.url));
  const feeds = soakSyncs.map((sync) => openFeed(sync, POOL, join(place.dir, 'config/feeds'), server));
  const services: Service[] = [];
  const sampling = createSampling(services, place);
  const restless = await play().catch(brokenOff);
  const ended = await Promise.all(services.map(stopService));
  const findings = [...restless, ...checkEnds(ended), ...checkProcesses(ended), ...(await look().catch(brokenOff))];
  const requests = await requestsTo(place).catch(() => 0);
  const keep = findings.length > 0;
  await place.close(keep);
  await server.close();
  const { samples } = sampling;
  return { combination, seed, samples, findings, requests, ...(keep ? { dir: place.dir } : {}) };

  async function play(): Promise<Finding[]> {
    services.push(await startService('start', place));
    if (combination.queue === 'bullmq') services.push(await startService('worker', place));
    const stopSampling = sampling.every(Math.min(LONGEST_INTERVAL_MS, Math.max(SHORTEST_INTERVAL_MS, ms / SAMPLES)));
    await unrest(feeds, place.sandbox, { seed, ms });
    await stopSampling();
    const found = await untilCalm(services, place);
    await sampling.take();
    return found;
  }

  async function look(): Promise<Finding[]> {
    return [
      ...(await checkItems(feeds, place.sandbox)),
      ...(await checkLedger(feeds, place)),
      ...checkMemory(sampling.samples),
    ];
  }
}

/** File in `syncs` → content. */
function configOf(serverUrl: string): Record<string, string> {
  const files = soakSyncs.map((sync) => {
    const url = sync.place === 'http' ? `${serverUrl}/${sync.file}` : `../feeds/${sync.file}`;
    return [`${sync.name}.yaml`, sync.config(url)];
  });
  return Object.fromEntries(files);
}

function brokenOff(error: unknown): Finding[] {
  return [{ is: 'other', what: `it broke off: ${error instanceof Error ? error.stack : error}` }];
}

/** Who is asked to end ends in order, and not before. */
function checkEnds(ended: ReadonlyArray<{ name: string; exitCode: number | null }>): Finding[] {
  return ended
    .filter(({ exitCode }) => exitCode !== EXIT.SIGTERM)
    .map(({ name, exitCode }) => ({ is: 'other', what: `${name} ended with exit code ${exitCode}` }));
}

/** Waits until every sync has read its calm feed with success and the queue is empty. */
async function untilCalm(services: readonly Service[], place: Place): Promise<Finding[]> {
  const [start] = services;
  if (!start) return [];
  const since = new Date().toISOString();
  let last = '';
  try {
    await until('a success of every sync and an empty queue', CALM_WITHIN_MS, async () => {
      await sleep(CALM_LOOK_MS);
      const { syncs } = (await (await fetch(`${start.url}/api/overview`)).json()) as { syncs: SyncRowView[] };
      const { queueJobs } = await takeSample(services, place, 0);
      last = JSON.stringify({ queueJobs, syncs: syncs.map(({ sync, lastRun }) => ({ sync, ...lastRun })) });
      const isCalm = ({ lastRun }: SyncRowView) => lastRun?.status === 'success' && lastRun.startedAt > since;
      return (syncs.length === soakSyncs.length && syncs.every(isCalm) && queueJobs === 0) || undefined;
    });
    return [];
  } catch (error) {
    return [{ is: 'other', what: `${error instanceof Error ? error.message : error} ${last}` }];
  }
}
