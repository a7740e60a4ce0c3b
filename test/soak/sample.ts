import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspectLedger } from '../../src/ledger/database/inspect.ts';
import { type LedgerOptions, sqliteFile } from '../../src/ledger/database/open.ts';
import type { Place } from '../crash/place.ts';
import { type Service, scrape } from './service.ts';

const ENDINGS = ['success', 'partial', 'failed', 'held'] as const;

/** How things stand at a moment. */
export interface Sample {
  /** Since the beginning. */
  atMs: number;
  /** Resident memory and heap in use, in bytes, of each process. */
  memory: Record<string, { rss: number; heap: number }>;
  /** Of SQLite with its write-ahead log. */
  ledgerBytes: number;
  ledgerRows: Record<string, number>;
  queueJobs: number;
  runs: Record<(typeof ENDINGS)[number], number>;
}

/** The samples of a soak, in the order of time. */
export interface Sampling {
  readonly samples: Sample[];
  take(): Promise<void>;
  /** Takes one at intervals, until the function that it answers is called. */
  every(ms: number): () => Promise<void>;
}

/** @param services those that run when a sample is taken */
export function createSampling(services: readonly Service[], place: Place): Sampling {
  const since = performance.now();
  const samples: Sample[] = [];
  return { samples, take, every };

  async function take(): Promise<void> {
    samples.push(await takeSample(services, place, since));
  }

  function every(ms: number): () => Promise<void> {
    const stopping = new AbortController();
    const sampled = (async () => {
      while (!stopping.signal.aborted) {
        await take();
        await sleep(ms, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    })();
    // Its failure is thrown where its end is awaited.
    sampled.catch(() => undefined);
    return () => {
      stopping.abort();
      return sampled;
    };
  }
}

/** Samples all processes and the ledger. `start` must be the first process: it reports what they share. */
export async function takeSample(services: readonly Service[], place: Place, since: number): Promise<Sample> {
  const scrapes = await Promise.all(services.map(scrape));
  const { bytes, rows } = await lookAtLedger(place);
  const shared = (metric: string, labels?: Record<string, string>) => scrapes[0]?.value(metric, labels) ?? 0;
  return {
    atMs: performance.now() - since,
    memory: Object.fromEntries(
      services.map(({ name }, index) => {
        const read = (metric: string) => scrapes[index]?.value(metric) ?? 0;
        return [name, { rss: read('process_resident_memory_bytes'), heap: read('nodejs_heap_size_used_bytes') }];
      }),
    ),
    ledgerBytes: bytes,
    ledgerRows: rows,
    queueJobs: shared('feedferry_queue_jobs'),
    runs: Object.fromEntries(
      ENDINGS.map((status) => [status, shared('feedferry_runs_total', { status })]),
    ) as Sample['runs'],
  };
}

export async function lookAtLedger(place: Place): Promise<{ bytes: number; rows: Record<string, number> }> {
  const options = ledgerOf(place);
  const state = await inspectLedger(options);
  const log = options.databaseUrl
    ? undefined
    : statSync(`${sqliteFile(options.dataDir)}-wal`, { throwIfNoEntry: false });
  return { bytes: (state?.bytes ?? 0) + (log?.size ?? 0), rows: state?.rows ?? {} };
}

export function ledgerOf({ dir, variables: { DATABASE_URL } }: Place): LedgerOptions {
  return { dataDir: join(dir, 'data'), ...(DATABASE_URL ? { databaseUrl: DATABASE_URL } : {}) };
}
