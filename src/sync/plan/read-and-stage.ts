import { hasFewerRows, unprovenReason } from '../../core/completeness.ts';
import { toCodedError } from '../../core/errors.ts';
import type { FeedReceipt } from '../../core/feed.ts';
import type { Warning } from '../../core/record.ts';
import { zeroCounts } from '../../core/run.ts';
import type { ReadRecord, SourceReading } from '../../core/source-reading.ts';
import { createWarningFilter } from '../../core/warnings/crowded-warnings.ts';
import type { StagedRow } from '../../ledger/database/schema.ts';
import type { HeldChange } from '../../ledger/plans/adoptions.ts';
import type { Source } from '../../ledger/plans/staged-plan.ts';
import { withBrokenRules } from '../../mapping/judge-rules.ts';
import { desiredHash } from '../compare/changes.ts';
import { decide, mayBeCreated, toColumns } from '../compare/decide.ts';
import {
  contentsOf,
  createFingerprinting,
  fileIdOf,
  fingerprintsOf,
  withDelivered,
} from '../compare/file-fingerprints.ts';
import type { RunContext } from '../context/run-context.ts';
import { isTime } from '../measure/measure-changes.ts';
import { sealedPassword } from '../passwords/password.ts';
import { mayBePassedOn } from '../sameness/same-thing.ts';
import { describeChurn, judgeKeys, noChurn } from './changed-keys.ts';
import { coveredRecords } from './coverage.ts';
import { type Judged, keysOf, withoutDuplicates } from './duplicate-keys.ts';
import { describeEdited } from './edited-items.ts';
import { limitShares } from './guards.ts';
import { heldByRules } from './held-by-rules.ts';
import { countRejections, judgeReceipt } from './judge-reading.ts';
import { knownRecords } from './known-records.ts';
import { mapChanged, movedOut } from './map-changed.ts';
import { compareFingerprints, measurePlan } from './measure-plan.ts';
import { actionOf, noneMissing, stageMissing, stageWithdrawn, unmarked, type Withdrawn } from './missing-records.ts';
import { redactionOf } from './redact.ts';
import { keepUnreplaced, publishedReplacements } from './replacements.ts';
import { whenColumns } from './when-columns.ts';

const BATCH = 500;
const KEPT_WARNINGS = 1000;

/**
 * Reads the feed and stages the plan of a run. What was read is stored with the run, even if the feed is refused.
 * @throws CodedError FF_FEED_… if it cannot be read
 */
export async function readAndStage(run: string, reading: SourceReading, context: RunContext) {
  const plan = await stagePlan(run, reading, context).catch(recordRefused(run, reading, context));
  const shares = limitShares(plan, context.sync);
  await context.ledger.runs.record(run, { ...plan, fingerprint: context.fingerprint, shares });
  return plan;
}

/**
 * Opens the feed; `unmodified` if it has not changed.
 * @throws CodedError FF_FEED_…
 */
export function openReading(run: string, reading: SourceReading, context: RunContext) {
  return reading.open().catch(recordRefused(run, reading, context));
}

/** Records what was read of a refused feed. */
function recordRefused(run: string, reading: SourceReading, { ledger }: RunContext) {
  return async (error: unknown): Promise<never> => {
    const receipt = reading.receipt();
    const reason = receipt.reason ?? toCodedError(error).message;
    const refused = { ...receipt, complete: false, reason };
    await ledger.runs.record(run, { counts: zeroCounts(), receipt: refused, warnings: reading.warnings });
    throw error;
  };
}

/** Reads the source to its end, compares every record with the ledger, and stages the plan of the run in it. */
async function stagePlan(run: string, reading: SourceReading, context: RunContext) {
  const { sync, ledger, attachments, passwordCipher } = context;
  const { plans } = ledger;
  const fingerprint = createFingerprinting(attachments, context.signal, {
    rules: sync.rules,
    altText: context.target.altText,
  });
  // The CMS has them: their payloads are delivered.
  const unchanged = (sources: readonly Source[]) => plans.unchanged(sync.name, sources);
  const redaction = redactionOf(sync);
  const action = actionOf(sync);
  // The next comparison may allow more writes to attributes that editors own.
  const mayKeepEdits = Object.values(sync.authority ?? {}).includes('editor');
  const warnings: Warning[] = [];
  const filter = createWarningFilter(warnings, () => 'feed');
  /** Number of published records that only get other days and times. */
  let moved = 0;
  let read = 0;
  let hasStaged = false;
  let hasLastChanged = false;
  let rejections = countRejections([]);
  /** Held by rules, once it is known which records they are. */
  const holds: HeldChange[] = [];
  /** Keys of the updates that change what names their records. */
  const renamed: string[] = [];

  const withdrawn = new Map<string, Withdrawn>();
  let batch: ReadRecord[] = [];
  // The next batch is read and mapped while the last one is staged.
  let staging = Promise.resolve();
  for await (const record of reading.unmappedRecords) {
    if (record.withdrawn) {
      if (record.key !== undefined) withdrawn.set(record.key, { at: record.at, ...record.withdrawn });
      continue;
    }
    batch.push(record);
    if (batch.length < BATCH) continue;
    const mapped = await mapChanged(batch, unchanged);
    read += batch.length;
    context.onProgress?.({ phase: 'reading', sync: sync.name, read });
    await staging;
    staging = stageBatch(mapped);
    // A failure is thrown where the promise is awaited.
    staging.catch(() => undefined);
    batch = [];
  }
  await staging;
  if (batch.length > 0) await stageBatch(await mapChanged(batch, unchanged));

  const replacements = await publishedReplacements(run, { all: reading.spans?.replacements ?? [], holds }, context);
  const replaced = replacements.flatMap(({ deletes }) => deletes);
  if (reading.withdraws) {
    const leaving = await keepUnreplaced(run, { withdrawn, replaced }, context);
    const left = await stageWithdrawn(run, leaving, context);
    warn(left.warnings);
    // They say nothing about the rest of the feed.
    await ledger.runs.addRejections(run, rejections.rejected, left.rejected);
  }

  let totals = await plans.summarise(run);
  // Up to here, only deletions by the source are staged as removals.
  const deletions = totals.removals;
  const inFeed = totals.counts.read + deletions;
  const { merged } = reading;
  const feed = reading.receipt();
  // All records of several sources may wait for answers.
  const isEmpty = inFeed === 0 && !feed.sources?.some(({ records }) => records > 0);
  const deliveredBefore = !isEmpty || sync.source.partial ? 0 : await plans.countDelivered(sync.name);
  const ended = { receipt: feed, deliveredBefore, hasLastChanged };
  // Several sources were judged one by one.
  const receipt = merged ? ended.receipt : await judgeAgainstEarlier(run, { ...ended, deletions }, context);
  const doubt = merged ? undefined : unprovenReason({ read: inFeed, ...rejections, receipt }, sync.source.ignoreSigns);
  if (doubt && sync.missing.policy !== 'keep' && !sync.source.partial)
    warn([{ at: 'feed', message: `No record counts as missing: ${doubt}` }]);
  const isWhole = merged?.isWhole ?? (receipt.complete && doubt === undefined && !sync.source.partial);
  const keys = {
    totals,
    isWhole,
    renamed: await unexpected(renamed, context),
    asked: merged?.asked,
    takenOver: reading.spans?.takenOver,
  };
  const churn = await judgeKeys(run, keys, context);
  warn(describeChurn(churn));
  if (holds.length > 0) await plans.hold(run, holds);
  if (churn !== noChurn || holds.length > 0) totals = await plans.summarise(run);
  const covered = isWhole ? await coveredRecords(context) : undefined;
  const missing = isEmpty ? noneMissing : await stageMissing(run, { covered, deletions }, context);
  const { measures, warnings: doubts } = await measurePlan(run, { totals, churn, missing, isWhole, moved }, context);
  warn(doubts);
  const { counts } = totals;
  return {
    ...totals,
    // Records that the source deletes are in the feed, but are not published.
    counts: {
      ...{ ...counts, read: inFeed, missing: missing.missing },
      skipped: counts.skipped + deletions - churn.leftDeleted,
    },
    removals: missing.removals,
    receipt,
    /** Number of records that were delivered before, if the feed has no records now. */
    deliveredBefore,
    /** The records that the source does not have, unless the plan names them. */
    provesAbsence: covered,
    missing,
    ...(merged && { sources: await judgedSources(merged.leaving, context) }),
    replacements,
    edited: await describeEdited(run, replaced, context),
    measures,
    warnings: [...reading.warnings, ...warnings],
    churn,
  };

  async function stageBatch(read: readonly Judged[]): Promise<void> {
    const followed = await movedOut(read, context);
    const some = read.map((judged) => {
      const mapped = judged.is === 'skipped' && followed.get(judged.key);
      return mapped ? { ...mapped, readHash: judged.readHash } : judged;
    });
    const before = hasStaged ? await plans.alreadyStaged(run, keysOf(some)) : [];
    hasStaged = true;
    const { unique, rejected, rejectedKeys, rejectedBefore, repetitions } = withoutDuplicates(some, before);
    warn([...repetitions.values()]);
    await plans.reject(run, rejectedBefore);
    const desired = unique.filter((mapped) => mapped.is === 'desired');
    const known = await knownRecords(
      desired.map(({ record }) => record),
      context,
    );
    const withFiles = await Promise.all(
      desired.map(async (mapped) => {
        const { broken, ...files } = await fingerprint(mapped.record.attachments);
        return { ...withBrokenRules(mapped, broken), files, readHash: mapped.readHash };
      }),
    );
    const candidates = withFiles.filter((mapped) => mapped.is === 'desired');
    for (const mapped of withFiles) {
      if (mapped.is !== 'rejected') continue;
      const { key = '', at } = mapped.rejection;
      rejected.push(mapped.rejection);
      rejectedKeys.set(key, at);
    }
    const held = candidates.flatMap(({ record, hold }) => (hold === undefined ? [] : [record.key]));
    const answers = held.length > 0 ? await ledger.questions.answersAbout('review', sync.name, held) : undefined;
    // Files that the source still has are not uploaded again, even if no run needs them for long.
    const contents = contentsOf(candidates.flatMap(({ files }) => files.attachments));
    await ledger.files.keepUploads(context.targetId, contents);
    const skipped = unique.filter((mapped) => mapped.is === 'skipped');
    const deleted = skipped.flatMap((mapped) => (mapped.deleted ? [mapped.key] : []));
    const removals = new Set(action ? await plans.stageDeleted(run, sync.name, deleted, action) : []);
    const others = unique.filter((mapped) => mapped.is !== 'desired');
    await plans.add([
      ...candidates.map(stageRecord),
      ...others.flatMap(({ is: op, key, at, readHash: read_hash }) =>
        removals.has(key) ? [] : [{ run, key, place: at, op, read_hash }],
      ),
      ...[...rejectedKeys].map(([key, place]) => ({ run, key, place, op: 'rejected' as const })),
    ]);
    if (unique.findLast((mapped) => mapped.is !== 'skipped')?.is === 'unchanged') hasLastChanged = false;
    await ledger.runs.addRejections(run, rejections.rejected, rejected.map(redaction.rejection));
    rejections = countRejections(rejected, rejections, repetitions.size);

    function stageRecord(mapped: (typeof candidates)[number]): StagedRow {
      const { record, warnings: mappingWarnings, hold, files, sourceHash: source_hash, readHash: read_hash } = mapped;
      const { key, at, resource, givenBy, span } = record;
      const told = {
        ...(givenBy && { given_by: JSON.stringify(givenBy) }),
        ...(span && { days: JSON.stringify(span) }),
      };
      warn(mappingWarnings);
      const before = known.get(key);
      // A file that the record is delivered without is reported as such.
      const isKnown = (message: string) => {
        return files.attachments.some((file) => {
          const isSame = before?.undeliveredFiles?.[file.attribute]?.file === fileIdOf(file);
          return isSame && message.startsWith(`${file.attribute}: `);
        });
      };
      warn(files.warnings.filter((message) => !isKnown(message)).map((message) => ({ at, message })));
      const payload = unmarked(record.payload, before);
      const attachments = withDelivered(files.attachments, before);
      const wanted = { ...record, payload, fingerprints: fingerprintsOf(attachments, sync, before) };
      const decision = decide(wanted, before, context);
      const { op } = decision;
      const row = { run, key, place: at, read_hash };
      hasLastChanged = op !== 'unchanged';
      const isRetry = 'retriesFiles' in decision && decision.retriesFiles === 'only';
      if (op === 'update' && !isRetry && decision.changed.every(isTime)) moved += 1;
      const isRenamed = op === 'skipped' || (op === 'update' && mayBePassedOn(decision.changed, resource));
      if (isRenamed) renamed.push(key);
      if (op === 'unchanged' && source_hash !== undefined && before?.isUnconfirmed === false && !before.isUndelivered) {
        const content = { desired: JSON.stringify(payload), attachments: JSON.stringify(attachments), ...told };
        const isTold = record.occurrence || givenBy;
        return { ...row, op, hash: desiredHash(wanted), ...whenColumns(record), source_hash, ...(isTold && content) };
      }
      if (op === 'unchanged' && !before?.isUndelivered) return { ...row, op };
      const isSent = hold !== undefined && (op === 'create' || op === 'update');
      const about = { sync: sync.name, isNew: op === 'create', answer: answers?.get(key) };
      const heldBack = isSent ? heldByRules(record, hold, about) : undefined;
      if (heldBack === 'left') return { ...row, op: 'skipped' };
      if (heldBack) holds.push(heldBack);
      return {
        ...row,
        ...toColumns(decision),
        resource,
        desired: JSON.stringify(payload),
        attachments: JSON.stringify(attachments),
        hash: desiredHash(wanted),
        ...whenColumns(record),
        source_hash: before?.marked || mayKeepEdits || op === 'unchanged' ? null : source_hash,
        ...told,
        password: isRenamed || mayBeCreated(before, sync) ? sealedPassword(record, sync, passwordCipher) : null,
      };
    }
  }

  function warn(more: readonly Warning[]): void {
    const listed = more.filter((warning) => !filter.count(warning));
    if (warnings.length < KEPT_WARNINGS) warnings.push(...listed);
  }
}

/** After a change of the config, records may have other names because of it. */
async function unexpected(renamed: readonly string[], { ledger, sync, fingerprint }: RunContext) {
  if (renamed.length === 0) return renamed;
  const before = await ledger.runs.lastFingerprint(sync.name);
  return compareFingerprints(before, fingerprint).isSameConfig ? renamed : [];
}

/** What the guards judge of the sources: how many records each no longer publishes, of all that it has published. */
async function judgedSources(leaving: ReadonlyMap<string, number>, { ledger, sync, fingerprint }: RunContext) {
  const members = await ledger.members.countClustered(sync.name);
  const before = await ledger.runs.lastFingerprint(sync.name);
  return {
    leaving: [...leaving].map(([source, removals]) => ({ source, removals, covered: members.get(source) ?? removals })),
    haveChanged: compareFingerprints(before, fingerprint).hasOtherSources,
  };
}

/** Judges the receipt of a reading again, by comparison with the last whole one. */
async function judgeAgainstEarlier(
  run: string,
  {
    deletions,
    ...facts
  }: { receipt: FeedReceipt; deliveredBefore: number; hasLastChanged: boolean; deletions: number },
  context: RunContext,
): Promise<FeedReceipt> {
  const { sync, ledger } = context;
  const { receipt } = facts;
  if (!receipt.complete) return receipt;
  const earlier = await ledger.runs.lastWhole(sync.name, receipt.location);
  if (!hasFewerRows(receipt, earlier)) return judgeReceipt(facts, earlier, sync.source);
  const { newly } = await ledger.plans.countMissing(run, sync.name, await coveredRecords(context));
  return judgeReceipt({ ...facts, lost: newly - deletions }, earlier, sync.source);
}
