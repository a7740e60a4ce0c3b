import type { Payload } from '../../core/record.ts';
import type { RunReport } from '../../core/run.ts';
import type { OpenBackfill } from '../../ledger/backfills/backfills.ts';
import type { BackfillWorkRow, StagedRow } from '../../ledger/database/schema.ts';
import type { StagedAttachment } from '../../ledger/records/claimed-record.ts';
import type { KnownRecord } from '../../ledger/records/known-record.ts';
import { type Decision, decide, mayBeCreated, toColumns } from '../compare/decide.ts';
import { fingerprintsOf } from '../compare/file-fingerprints.ts';
import type { RunContext } from '../context/run-context.ts';
import { applyPlan, consultCms } from '../runs/apply-plan.ts';
import { leadRun } from '../runs/lead-run.ts';

type SliceContext = RunContext & { onSettled: (records: number) => void };

/**
 * Carries out the next records of a backfill as a run of their own, by what the ledger knows of them now. What is settled
 * leaves the work, also where the run ends before its time.
 * @throws CodedError FF_RUN_BUSY while another run of the sync is under way
 */
export async function carryOutSlice(
  backfill: OpenBackfill,
  size: number,
  { onBegin, onProgress, afterRun, onSettled, ...context }: SliceContext,
): Promise<RunReport> {
  const { runs, backfills } = context.ledger;
  const showSettled: RunContext['onProgress'] = (progress) => {
    if (progress.phase === 'delivering') onSettled(progress.settled);
  };
  const quiet: RunContext = { ...context, background: true, onProgress: showSettled };
  const report = await leadRun('slice', quiet, async (run) => {
    await backfills.beginSlice(backfill, run);
    const plan = await stageSlice(run, backfill, size, quiet);
    await runs.record(run, plan);
    await consultCms(run, plan, quiet);
    await applyPlan(run, quiet);
  });
  await backfills.settleSlice(backfill, report.run);
  return report;
}

async function stageSlice(run: string, backfill: OpenBackfill, size: number, context: RunContext) {
  const { backfills, plans } = context.ledger;
  const rows = await backfills.nextWork(backfill, size);
  const current = rows.filter(({ is_superseded }) => is_superseded === 0);
  const keys = current.flatMap(({ key, previous_key }) => [key, ...(previous_key === null ? [] : [previous_key])]);
  const known = await plans.known(context.sync.name, keys);
  const staged = current.map((row) => stageAgain(run, row, known, context));
  await plans.add(staged);

  const keysOf = (op: StagedRow['op']) => staged.flatMap((row) => (row.op === op ? [row.key] : []));
  const superseded = rows.flatMap(({ key, is_superseded }) => (is_superseded === 1 ? [key] : []));
  await backfills.dropWork(backfill, {
    unchanged: keysOf('unchanged'),
    skipped: [...keysOf('skipped'), ...superseded],
  });
  const plan = await plans.summarise(run);
  plan.counts.read += superseded.length;
  plan.counts.skipped += superseded.length;
  return plan;
}

function stageAgain(
  run: string,
  row: BackfillWorkRow,
  known: ReadonlyMap<string, KnownRecord>,
  context: RunContext,
): StagedRow {
  const { key, place, resource, desired, attachments, hash, starts_on, ends_on, password, previous_key } = row;
  const before = known.get(key) ?? (previous_key === null ? undefined : known.get(previous_key));
  const moves = previous_key !== null && !known.has(key) && before ? { previous_key } : {};
  const decision = decideAgain(row, before, context);
  if (decision.op === 'unchanged' || decision.op === 'skipped') return { run, key, place, op: decision.op, ...moves };
  return {
    run,
    key,
    place,
    resource,
    desired,
    attachments,
    hash,
    starts_on,
    ends_on,
    ...toColumns(decision, before),
    ...moves,
    password: mayBeCreated(before, context.sync) ? password : null,
  };
}

/** Whether the CMS has refused just this before has been judged by the reading, which knew the password in clear. */
function decideAgain(row: BackfillWorkRow, before: KnownRecord | undefined, context: RunContext): Decision {
  const { refusal, ...withoutRefusal } = before ?? {};
  const known = row.op === 'failed' || !before ? before : (withoutRefusal as KnownRecord);
  const record = {
    key: row.key,
    payload: JSON.parse(row.desired) as Payload,
    fingerprints: fingerprintsOf(JSON.parse(row.attachments) as StagedAttachment[], context.sync),
  };
  return decide(record, known, context);
}
