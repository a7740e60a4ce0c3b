import type { DayRange } from '../../core/dates/iso-date.ts';
import type { FeedReceipt } from '../../core/feed.ts';
import type { Json, Mapped, Payload, Warning } from '../../core/record.ts';
import type { SourceReading } from '../../core/source-reading.ts';
import type { StagedRow } from '../../ledger/database/schema.ts';
import type { PlanTotals } from '../../ledger/plans/staged-plan.ts';
import { desiredHash } from '../compare/changes.ts';
import { decide, mayBeCreated, toColumns } from '../compare/decide.ts';
import { contentsOf, createFingerprinting, fingerprintsOf } from '../compare/file-fingerprints.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { sealedPassword } from '../passwords/password.ts';
import { type Churn, noChurn, relinkRecords } from './changed-keys.ts';
import { keysOf, withoutDuplicates } from './duplicate-keys.ts';
import { coveredBy, type Missing, noneMissing, stageMissing, unmarked } from './missing-records.ts';
import { redactionOf } from './redact.ts';

const BATCH = 500;
const KEPT_WARNINGS = 1000;

/** A staged plan. */
export interface StagedPlan extends PlanTotals {
  receipt: FeedReceipt;
  /** The feed was read whole: of the records that it answers for, the source has no others. */
  provesAbsence?: DayRange;
  missing: Missing;
  warnings: Warning[];
  churn: Churn;
}

/** Reads the source to its end, compares every record with the ledger, and stages the plan of the run in it. */
export async function stagePlan(
  run: string,
  reading: SourceReading,
  context: Pick<
    DeliveryContext,
    'sync' | 'target' | 'ledger' | 'targetId' | 'attachments' | 'passwordCipher' | 'configHash'
  > & {
    signal: AbortSignal;
  },
): Promise<StagedPlan> {
  const { sync, ledger, attachments, passwordCipher } = context;
  const { plans } = ledger;
  const fingerprint = createFingerprinting(attachments, context.signal);
  const redaction = redactionOf(sync);
  const warnings: Warning[] = [];
  let rejections = 0;
  let hasStaged = false;
  let unnamedRejections = 0;

  for await (const batch of inBatches(reading.records, BATCH)) await stageBatch(batch);

  const receipt = reading.receipt();
  // A rejected record without a key might be any of those that seem to be missing.
  const isWhole = receipt.complete && unnamedRejections === 0;
  let totals = await plans.summarise(run);
  const churn = isWhole && totals.creates > 0 ? await relinkRecords(run, totals, context) : noChurn;
  if (churn.relinked > 0) {
    warn([{ at: 'feed', message: `${churn.relinked} records have new keys; they were recognised by their content` }]);
  }
  if (churn !== noChurn) totals = await plans.summarise(run);
  const missing = isWhole && totals.counts.read > 0 ? await stageMissing(run, context) : noneMissing;
  return {
    ...totals,
    counts: { ...totals.counts, missing: missing.missing },
    removals: missing.removals,
    receipt,
    ...(isWhole ? { provesAbsence: coveredBy(sync, context.target, Date.now()) } : {}),
    missing,
    warnings: [...reading.warnings, ...warnings],
    churn,
  };

  async function stageBatch(batch: Mapped[]): Promise<void> {
    const before = hasStaged ? await plans.alreadyStaged(run, keysOf(batch)) : [];
    hasStaged = true;
    const { unique, rejected, rejectedKeys } = withoutDuplicates(batch, before);
    await plans.reject(
      run,
      before.map(({ key }) => key),
    );
    const desired = unique.filter((mapped) => mapped.is === 'desired');
    const keys = desired.map(({ record }) => record.key);
    const known = await plans.known(sync.name, keys);
    const candidates = await Promise.all(
      desired.map(async (mapped) => ({ ...mapped, files: await fingerprint(mapped.record.attachments) })),
    );
    // What the source still has is not uploaded again, even if no run needs it for long.
    const contents = contentsOf(candidates.flatMap(({ files }) => files.attachments));
    await ledger.files.keepUploads(context.targetId, contents);
    await plans.add([
      ...candidates.map(stageRecord),
      ...unique.flatMap((mapped) => (mapped.is === 'skipped' ? [rowFor(run, mapped.key, mapped.at, 'skipped')] : [])),
      ...[...rejectedKeys].map(([key, place]) => rowFor(run, key, place, 'rejected')),
    ]);
    await ledger.runs.addRejections(run, rejections, rejected.map(redaction.rejection));
    rejections += rejected.length;
    unnamedRejections += rejected.filter((rejection) => rejection.key === undefined).length;

    function stageRecord({ record, warnings: mappingWarnings, files }: (typeof candidates)[number]): StagedRow {
      warn(mappingWarnings);
      warn(files.warnings.map((message) => ({ at: record.at, message })));
      const before = known.get(record.key);
      const payload = unmarked(record.payload, before);
      const wanted = { ...record, payload, fingerprints: fingerprintsOf(files.attachments, sync) };
      const decision = decide(wanted, before, context);
      if (decision.op === 'unchanged' || decision.op === 'skipped') {
        return rowFor(run, record.key, record.at, decision.op);
      }
      return {
        run,
        key: record.key,
        ...toColumns(decision, before),
        place: record.at,
        resource: record.resource,
        desired: JSON.stringify(payload),
        attachments: JSON.stringify(files.attachments),
        hash: desiredHash(wanted),
        starts_on: isoDate(record.payload, 'date'),
        ends_on: isoDate(record.payload, 'endDate'),
        password: mayBeCreated(before, sync) ? sealedPassword(record, sync, passwordCipher) : null,
      };
    }
  }

  function warn(more: readonly Warning[]): void {
    if (warnings.length < KEPT_WARNINGS) warnings.push(...more);
  }
}

function rowFor(run: string, key: string, place: string, op: 'unchanged' | 'skipped' | 'rejected'): StagedRow {
  return { run, key, op, place };
}

function isoDate(payload: Payload, attribute: string): string | null {
  const value: Json | undefined = payload[attribute];
  return typeof value === 'string' ? value : null;
}

async function* inBatches<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
