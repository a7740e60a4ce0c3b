import { CodedError, type ErrorCode } from '../../core/errors.ts';
import type { Payload } from '../../core/record.ts';
import type { RunReport } from '../../core/run.ts';
import type { OpenBackfill } from '../../ledger/backfills/backfills.ts';
import type { BackfillWorkRow, StagedRow } from '../../ledger/database/schema.ts';
import type { StagedAttachment } from '../../ledger/records/claimed-record.ts';
import type { KnownRecord } from '../../ledger/records/known-record.ts';
import { type Decision, decide, mayBeCreated, toColumns } from '../compare/decide.ts';
import { fingerprintsOf } from '../compare/file-fingerprints.ts';
import type { RunContext } from '../context/run-context.ts';
import { applyConsulted } from '../runs/consult-cms.ts';
import { isBusy, leadRun } from '../runs/lead-run.ts';

const LOOK_MS = 100;
const BUSY_LOOK_MS = 500;
/** About the longest time that another run of the sync waits for its turn. */
const SLICE_MS = 10_000;
const SMALLEST_SLICE = 20;
/** The speed of the CMS is still unknown. */
const FIRST_SLICE = 100;
const LARGEST_SLICE = 500;
/** The next slice is at most this many times as large as the last. */
const GROWTH = 4;

/**
 * Processes the work of a backfill, slice by slice, until nothing is left. Between two slices, other runs of the sync have
 * their turns.
 * @throws CodedError for the error that ended a slice early; the reason of the signal
 */
export async function runSlices(backfill: OpenBackfill, context: RunContext): Promise<void> {
  const { ledger, sync, runtime, signal } = context;
  const { total = 0 } = backfill;
  let size = FIRST_SLICE;
  for (;;) {
    const left = await ledger.backfills.countLeft(backfill);
    const counts = await ledger.backfills.counts(backfill);
    const show = (settled: number) =>
      context.onProgress?.({ phase: 'backfilling', sync: sync.name, done: total - left + settled, total, counts });
    show(0);
    if (left === 0) return;
    while (await ledger.backfills.isTurnWanted(sync.name)) await runtime.sleep(LOOK_MS, { signal });
    signal.throwIfAborted();

    const startedAt = runtime.monotonic();
    const slice = await runSlice(backfill, size, show, context).catch(unlessBusy);
    if (!slice) {
      context.onProgress?.({ phase: 'waiting', sync: sync.name });
      await runtime.sleep(BUSY_LOOK_MS, { signal });
      continue;
    }
    if (slice.error) throw new CodedError(slice.error.code as ErrorCode, slice.error.message);
    size = nextSliceSize(slice.counts.read, runtime.monotonic() - startedAt);
  }
}

function unlessBusy(error: unknown): undefined {
  if (!isBusy(error)) throw error;
}

/** The size of the next slice, after one of `records` that took `tookMs`. */
export function nextSliceSize(records: number, tookMs: number): number {
  const inTime = Math.round((records * SLICE_MS) / Math.max(1, tookMs));
  return Math.min(LARGEST_SLICE, Math.max(SMALLEST_SLICE, Math.min(inTime, records * GROWTH)));
}

/**
 * Delivers the next records of a backfill in a run of their own, compared with what the ledger knows now. Settled records
 * leave the list of work, even if the run ends early.
 * @throws CodedError FF_RUN_BUSY while another run of the sync is under way
 */
async function runSlice(
  backfill: OpenBackfill,
  size: number,
  onSettled: (records: number) => void,
  context: RunContext,
): Promise<RunReport> {
  const { runs, backfills, members } = context.ledger;
  const request: RunContext = {
    ...requestOf(context),
    onProgress: (progress) => {
      if (progress.phase === 'delivering') onSettled(progress.settled);
    },
  };
  const report = await leadRun('slice', request, async (run, slice) => {
    await backfills.beginSlice(backfill, run);
    const plan = await stageSlice(run, backfill, size, slice);
    await runs.record(run, plan);
    const prepare = async (same: readonly string[]) => {
      await backfills.dropWork(backfill, { unchanged: [], skipped: same });
      if (slice.sync.sources) await members.noteCovered(run, slice.sync.name);
    };
    await applyConsulted(run, plan, slice, { prepare, cannotBeApproved: true });
  });
  await backfills.settleSlice(backfill, report.run);
  return report;
}

/** Does something in a slice of its own, once no other run of the sync is under way. */
export async function leadSlice(
  backfill: OpenBackfill,
  context: RunContext,
  work: (slice: string, context: RunContext) => Promise<void>,
): Promise<void> {
  const { ledger, sync, runtime, signal } = context;
  const lead = async (slice: string, led: RunContext) => {
    await ledger.backfills.beginSlice(backfill, slice);
    await work(slice, led);
  };
  while (!(await leadRun('slice', requestOf(context), lead).catch(unlessBusy))) {
    context.onProgress?.({ phase: 'waiting', sync: sync.name });
    await runtime.sleep(BUSY_LOOK_MS, { signal });
  }
}

/** A slice is no request of its own. */
function requestOf({ asked, onBegin, onProgress, afterRun, ...context }: RunContext): RunContext {
  return { ...context, background: true };
}

async function stageSlice(run: string, backfill: OpenBackfill, size: number, context: RunContext) {
  const { backfills, plans } = context.ledger;
  const rows = await backfills.nextWork(backfill, size);
  const current = rows.filter(({ is_superseded }) => is_superseded === 0);
  const keys = current.flatMap(({ key, previous_key }) => (previous_key === null ? [key] : [key, previous_key]));
  const known = await plans.known(context.sync.name, keys);
  const staged = current.map((row) => stageAgain(run, row, known, context));
  await plans.add(staged);

  const keysOf = (op: StagedRow['op']) => staged.flatMap((row) => (row.op === op ? [row.key] : []));
  const superseded = rows.flatMap(({ key, is_superseded }) => (is_superseded === 1 ? [key] : []));
  const skipped = [...keysOf('skipped'), ...superseded];
  await backfills.dropWork(backfill, { unchanged: keysOf('unchanged'), skipped });
  const plan = await plans.summarise(run);
  plan.counts.read += superseded.length;
  plan.counts.skipped += superseded.length;
  return plan;
}

function stageAgain(
  run: string,
  row: BackfillWorkRow,
  known: Map<string, KnownRecord>,
  context: RunContext,
): StagedRow {
  const { backfill, op: _, is_superseded, previous_key, password, ...columns } = row;
  const { key, place } = row;
  const before = known.get(key) ?? (previous_key === null ? undefined : known.get(previous_key));
  const moves = previous_key !== null && !known.has(key) && before ? { previous_key } : {};
  const decision = decideAgain(row, before, context);
  const { op } = decision;
  const { series, slot } = row;
  if (op === 'unchanged' || op === 'skipped') return { run, key, place, op, series, slot, ...moves };
  const needsPassword = mayBeCreated(before, context.sync);
  return { run, ...columns, ...toColumns(decision), ...moves, password: needsPassword ? password : null };
}

/** Decides again, without judging refusals: only the reading, which knew the password in clear, could recognise one. */
function decideAgain(row: BackfillWorkRow, before: KnownRecord | undefined, context: RunContext): Decision {
  const known = row.op === 'failed' || !before ? before : { ...before, refusal: undefined };
  const record = {
    key: row.key,
    payload: JSON.parse(row.desired) as Payload,
    fingerprints: fingerprintsOf(JSON.parse(row.attachments) as StagedAttachment[], context.sync, known),
  };
  return decide(record, known, context);
}
