import type { FeedReceipt } from '../core/feed.ts';
import type { Json, Mapped, Payload, Rejection, Warning } from '../core/record.ts';
import { type RunCounts, zeroCounts } from '../core/run.ts';
import type { StagedRow } from '../ledger/schema.ts';
import type { DeliveryContext } from './context.ts';
import { decide, toColumns } from './decide.ts';
import { contentsOf, createFingerprinting, type FingerprintedFiles, fingerprintsOf } from './fingerprints.ts';
import { sealedPassword } from './password.ts';
import { desiredHash } from './plan.ts';
import { redactionOf } from './redact.ts';
import { type Churn, noChurn, relinkRecords } from './relink.ts';
import type { SourceReading } from './source.ts';

const BATCH = 500;
const KEPT_WARNINGS = 1000;

/** What staging a plan found out. */
export interface StagedPlan {
  /** `read`, `unchanged`, `rejected`, `skipped` and `missing` are final, the others still zero. */
  counts: RunCounts;
  creates: number;
  updates: number;
  receipt: FeedReceipt;
  /** The feed was read whole: what it does not have, the source does not have. */
  provesAbsence: boolean;
  warnings: Warning[];
  churn: Churn;
}

type Desirable = Extract<Mapped, { is: 'desired' }>;
type Skipped = Extract<Mapped, { is: 'skipped' }>;
type Keyed = Desirable | Skipped;
type Fingerprinted = Desirable & { files: FingerprintedFiles };

/** Reads the source to its end, compares every record with the ledger, and stages the plan of the run there. */
export async function stagePlan(
  run: string,
  reading: SourceReading,
  context: Pick<DeliveryContext, 'sync' | 'ledger' | 'destination' | 'attachments' | 'secrets' | 'configHash'> & {
    signal: AbortSignal;
  },
): Promise<StagedPlan> {
  const { sync, ledger, attachments, secrets } = context;
  const { staging } = ledger;
  const fingerprint = createFingerprinting(attachments, context.signal);
  const redaction = redactionOf(sync);
  const warnings: Warning[] = [];
  let rejections = 0;
  let unnamedRejections = 0;

  for await (const batch of inBatches(reading.records, BATCH)) await stageBatch(batch);

  const receipt = reading.receipt();
  // A rejected record without a key might be any of those that seem to be missing.
  const provesAbsence = receipt.complete && unnamedRejections === 0;
  const missing = provesAbsence ? await staging.countMissing(run, sync.name) : 0;
  const churn = provesAbsence ? await relinkRecords(run, context) : noChurn;
  if (churn.relinked > 0) {
    warn([{ at: 'feed', message: `${churn.relinked} records have new keys; they were recognised by what they are` }]);
  }
  const ops = await staging.countByOp(run);
  const counts: RunCounts = {
    ...zeroCounts(),
    read: ops.create + ops.update + ops.failed + ops.unchanged + ops.skipped + rejections,
    unchanged: ops.unchanged,
    skipped: ops.skipped,
    rejected: rejections,
    missing: missing - churn.relinked,
  };
  const allWarnings = [...reading.warnings, ...warnings];
  return { counts, creates: ops.create, updates: ops.update, receipt, provesAbsence, warnings: allWarnings, churn };

  async function stageBatch(batch: Mapped[]): Promise<void> {
    const { unique, rejected } = await withoutDuplicates(batch);
    const desired = unique.filter((mapped) => mapped.is === 'desired');
    const known = await staging.known(
      sync.name,
      desired.map(({ record }) => record.key),
    );
    const rows: StagedRow[] = [];
    const candidates = await Promise.all(unique.map(withFiles));
    await keepUploads(candidates);
    for (const mapped of candidates) {
      rows.push(mapped.is === 'desired' ? stageRecord(mapped) : seen(run, mapped.key, mapped.at, 'skipped'));
    }
    for (const rejection of rejected)
      if (rejection.stage) rows.push(seen(run, rejection.stage, rejection.at, 'rejected'));
    await staging.add(rows);
    await ledger.rejections.add(run, rejections, rejected.map(redaction.rejection));
    rejections += rejected.length;
    unnamedRejections += rejected.filter((rejection) => rejection.key === undefined).length;

    function stageRecord({ record, warnings: mappingWarnings, files }: Fingerprinted): StagedRow {
      warn(mappingWarnings);
      warn(files.warnings.map((message) => ({ at: record.at, message })));
      const wanted = { ...record, fingerprints: fingerprintsOf(files.attachments, sync) };
      const before = known.get(record.key);
      const decision = decide(wanted, before, context);
      if (decision.op === 'unchanged' || decision.op === 'skipped') {
        return seen(run, record.key, record.at, decision.op);
      }
      const mayBeCreated = !before?.cmsId || sync.onDeletedInCms === 'recreate';
      return {
        run,
        key: record.key,
        ...toColumns(decision, before),
        at: record.at,
        resource: record.resource,
        desired: JSON.stringify(record.payload),
        attachments: JSON.stringify(files.attachments),
        hash: desiredHash(wanted),
        starts_on: isoDate(record.payload, 'date'),
        ends_on: isoDate(record.payload, 'endDate'),
        password: mayBeCreated ? sealedPassword(record, sync, secrets) : null,
      };
    }
  }

  /** The files of a batch are asked for together. */
  async function withFiles(mapped: Keyed): Promise<Fingerprinted | Skipped> {
    return mapped.is === 'desired' ? { ...mapped, files: await fingerprint(mapped.record.attachments) } : mapped;
  }

  /** What the source still has need not be uploaded again, even if it is not looked at for long. */
  async function keepUploads(candidates: ReadonlyArray<Fingerprinted | Skipped>): Promise<void> {
    const files = candidates.flatMap((mapped) => (mapped.is === 'desired' ? mapped.files.attachments : []));
    await ledger.uploads.keep(context.destination, contentsOf(files));
  }

  function warn(more: readonly Warning[]): void {
    if (warnings.length < KEPT_WARNINGS) warnings.push(...more);
  }

  /** Records that share their key cannot be told apart: all of them are rejected, those staged before too. */
  async function withoutDuplicates(batch: Mapped[]): Promise<{ unique: Keyed[]; rejected: StageableRejection[] }> {
    const rejected: StageableRejection[] = [];
    const groups = new Map<string, Mapped[]>();
    for (const mapped of batch) {
      const key = keyOf(mapped);
      if (key === undefined) rejected.push(...(mapped.is === 'rejected' ? [mapped.rejection] : []));
      else groups.set(key, [...(groups.get(key) ?? []), mapped]);
    }
    const before = new Map((await staging.alreadyStaged(run, [...groups.keys()])).map((row) => [row.key, row]));
    const unique: Keyed[] = [];
    for (const [key, group] of groups) {
      const [first] = group;
      const earlier = before.get(key);
      if (group.length === 1 && !earlier && first) {
        if (first.is === 'rejected') rejected.push({ ...first.rejection, stage: key });
        else unique.push(first);
        continue;
      }
      const places = [...(earlier ? [earlier.at] : []), ...group.map(placeOf)];
      if (earlier && earlier.op !== 'rejected') rejected.push(duplicate(key, earlier.at, places));
      group.forEach((mapped, index) => {
        const rejection =
          mapped.is === 'rejected'
            ? mapped.rejection
            : { ...duplicate(key, placeOf(mapped), places), ...fieldsOf(mapped) };
        rejected.push(index === 0 && !earlier ? { ...rejection, stage: key } : rejection);
      });
    }
    await staging.reject(run, [...before.keys()]);
    return { unique, rejected: inFeedOrder(rejected, batch) };
  }
}

/** A rejection that also has to be remembered under its key, so that a record published before is not missing. */
type StageableRejection = Rejection & { stage?: string };

function inFeedOrder(rejected: StageableRejection[], batch: readonly Mapped[]): StageableRejection[] {
  const order = new Map(batch.map((mapped, index) => [placeOf(mapped), index]));
  return rejected.toSorted((one, other) => (order.get(one.at) ?? -1) - (order.get(other.at) ?? -1));
}

function duplicate(key: string, at: string, places: string[]): Rejection {
  const others = places.filter((place) => place !== at);
  const reason = `The key "${key}" also stands at ${others.slice(0, 5).join(', ')}.`;
  return { at, code: 'FF_RECORD_DUPLICATE', reason, key };
}

function keyOf(mapped: Mapped): string | undefined {
  if (mapped.is === 'desired') return mapped.record.key;
  return mapped.is === 'rejected' ? mapped.rejection.key : mapped.key;
}

/** Of those that an earlier batch staged, the fields are not at hand any more. */
function fieldsOf({ fields }: Keyed): Pick<Rejection, 'fields'> {
  return fields ? { fields } : {};
}

function placeOf(mapped: Mapped): string {
  if (mapped.is === 'desired') return mapped.record.at;
  return mapped.is === 'rejected' ? mapped.rejection.at : mapped.at;
}

function seen(run: string, key: string, at: string, op: 'unchanged' | 'skipped' | 'rejected'): StagedRow {
  return { run, key, op, at };
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
