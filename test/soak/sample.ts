import { statSync } from 'node:fs';
import { join } from 'node:path';
import { inspectLedger } from '../../src/ledger/inspect.ts';
import { type LedgerOptions, sqliteFile } from '../../src/ledger/open.ts';
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

/** Looks at all processes, and at the ledger. `start` has to be the first of them: it tells what they share. */
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
