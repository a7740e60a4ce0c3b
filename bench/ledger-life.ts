import type { RetentionConfig } from '../src/config/types.ts';
import { zeroCounts } from '../src/core/run.ts';
import type { StagedRow } from '../src/ledger/database/schema.ts';
import type { Ledger } from '../src/ledger/ledger.ts';
import { itemOf } from '../src/ledger/records/claimed-record.ts';

const SYNC = 'events';
/** One record in so many changes, and as many are rejected. */
const SHARE = 100;
/** As records of a job, and as rows that a run writes at a time. */
const JOB = 50;
const BATCH = 500;
/** Runs every quarter of an hour. */
const RUNS_A_SWEEP = 4;

/** How long each of them took, in ms. */
export interface Life {
  runs: number[];
  sweeps: number[];
}

/**
 * Lets a ledger live through runs, each of which updates one record in a hundred and rejects as many. Each leaves in the
 * ledger what a run leaves, written by the same stores; but only the changes are staged, since reading all records a
 * thousand times would take hours, and no CMS is asked.
 */
export async function liveThrough(
  runs: number,
  { records, ledger, retention }: { records: number; ledger: Ledger; retention: RetentionConfig },
): Promise<Life> {
  const life: Life = { runs: [], sweeps: [] };
  const { signal } = new AbortController();
  for (let nth = 0; nth < runs; nth += 1) {
    life.runs.push(await timed(() => runOnce(changedBy(nth, records), ledger)));
    if (nth % RUNS_A_SWEEP === 0) life.sweeps.push(await timed(() => ledger.retention.run(retention, signal)));
  }
  return life;
}

/** How long something takes, in ms. */
export async function timed(action: () => Promise<unknown>): Promise<number> {
  const begunAt = performance.now();
  await action();
  return performance.now() - begunAt;
}

/** Other ones every time, until all have had their turn. */
function changedBy(nth: number, records: number): string[] {
  const count = Math.ceil(records / SHARE);
  return Array.from({ length: count }, (_, index) => String((index * SHARE + (nth % SHARE)) % records));
}

async function runOnce(keys: string[], ledger: Ledger): Promise<void> {
  const run = await ledger.runs.begin(SYNC, 'run');
  for (const batch of inBatches(keys, BATCH)) {
    await ledger.plans.add(await changesOf(run, batch, ledger));
    await ledger.runs.addRejections(run, Number(batch[0]), batch.map(rejection));
  }
  const counts = { ...zeroCounts(), read: 2 * keys.length, rejected: keys.length };
  await ledger.runs.record(run, { counts, warnings: [] });
  const pending = await ledger.plans.apply(run, SYNC);
  for (const job of inBatches(pending, JOB)) await deliver(job, ledger);
  await ledger.runs.finish(run);
  await ledger.plans.discard(run);
}

async function changesOf(run: string, keys: readonly string[], ledger: Ledger): Promise<StagedRow[]> {
  const known = await ledger.plans.known(SYNC, keys);
  return keys.map((key) => ({
    run,
    key,
    op: 'update',
    place: `line ${key}`,
    resource: 'events',
    desired: JSON.stringify(known.get(key)?.payload),
    attachments: '[]',
    hash: 'f'.repeat(64),
    changed: '["title"]',
  }));
}

function rejection(key: string) {
  const reason = '"2027-02-30" is not a date in one of the formats that the map names.';
  const fields = {
    id: key,
    title: `Event ${key}`,
    date: '2027-02-30',
    text: 'Words that the source has for it. '.repeat(5),
  };
  return { at: `line ${key}`, code: 'FF_RECORD_DATE' as const, reason, key, fields };
}

async function deliver(keys: string[], { records }: Ledger): Promise<void> {
  const claimed = await records.claim(SYNC, keys, 60_000);
  const sent = { method: 'PATCH' as const, attributes: ['title'] };
  await Promise.all(
    claimed.map((record) => {
      const { desired: delivered } = record;
      const cmsId = itemOf(record)?.cmsId;
      if (cmsId === undefined) throw new Error(`The CMS does not have ${record.key}.`);
      const settled = {
        is: 'updated' as const,
        cmsId,
        delivered,
        deliveredAttachments: {},

        uploads: 0,
      };
      return records.settle(record, { ...settled, sent });
    }),
  );
}

function inBatches<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, nth) => items.slice(nth * size, (nth + 1) * size));
}
