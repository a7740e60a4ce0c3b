import type { NamedSource } from '../../config/types.ts';
import { hasFewerRows, unprovenReason } from '../../core/completeness.ts';
import type { DayRange } from '../../core/dates/iso-date.ts';
import { type CodedError, errorTable, toCodedError } from '../../core/errors.ts';
import type { FeedReceipt, SourceReceipt } from '../../core/feed.ts';
import type { Warning } from '../../core/record.ts';
import type { ReadRecord, SourceReading } from '../../core/source-reading.ts';
import type { Member } from '../../ledger/members/members.ts';
import type { ReadMember } from '../../ledger/members/read-members.ts';
import type { EndedReading, ReadingState } from '../../ledger/members/readings.ts';
import type { Source } from '../../ledger/plans/staged-plan.ts';
import { outside, windowDays } from '../../mapping/window.ts';
import type { RunContext } from '../context/run-context.ts';
import { coveredBy, isCoveredBy } from '../plan/coverage.ts';
import { type Judged, keysOf, withoutDuplicates } from '../plan/duplicate-keys.ts';
import { countRejections, judgeReceipt } from '../plan/judge-reading.ts';
import { hasOtherDays, mapChanged } from '../plan/map-changed.ts';
import { redactionOf } from '../plan/redact.ts';
import { whenColumns } from '../plan/when-columns.ts';
import { askedAfter } from './astray.ts';
import { eventHash, type MatchRule } from './same-event.ts';

const BATCH = 500;

/** What a reading of one source has brought. */
export interface MembersRead {
  receipt: SourceReceipt;
  /** Whether it is known which records the source does not have. */
  isProven: boolean;
  warnings: Warning[];
  /** Why the source could not be read. */
  error?: CodedError;
}

/** A source of a sync, and what is known of it. */
export interface ReadableSource {
  source: NamedSource;
  before?: ReadingState;
  /** Number of this reading. */
  readNo: number;
  rule: MatchRule;
  /** Number of rejections that the run already has. */
  rejectedBefore: number;
  /** The days of a backfill. It is not remembered as a reading, because it proves nothing about other days. */
  backfill?: DayRange | undefined;
}

/**
 * Reads one source of a sync into its members in the ledger: what it has, as mapped, and in which reading. Nothing is published
 * here. A record that is rejected or skipped keeps the values that it had. If the source cannot be read, its members stay.
 */
export async function readMembers(run: string, readable: ReadableSource, context: RunContext): Promise<MembersRead> {
  const { source, before, readNo, backfill } = readable;
  const { signal, fingerprint } = context;
  const validators = before && !backfill && (await mayRepeat(before, source, context)) ? before.validators : undefined;
  const request = { signal, validators, source: source.name, includesWithdrawn: true };
  const reading = context.readSource({ ...request, ...(backfill && { window: backfill }) });
  try {
    if (before && validators && (await reading.open()) === 'unmodified') {
      const { receipt, records } = before;
      const repeated = {
        ...receipt,
        durationMs: reading.receipt().durationMs,
        source: source.name,
        records,
        rejected: 0,
      };
      return { receipt: { ...repeated, isUnmodified: true }, isProven: true, warnings: [] };
    }
    return await readAll(run, reading, readable, context);
  } catch (error) {
    signal.throwIfAborted();
    const { code, message } = toCodedError(error);
    // The message of an unexpected error may contain anything.
    const reason = `not read: ${code === 'FF_BUG' ? errorTable.FF_BUG.cause : message}`;
    const receipt = { ...reading.receipt(), complete: false, reason };
    const counts = { records: 0, rejected: 0, warnings: 0 };
    const ended = { run, fingerprint, receipt, ...counts, error: { code, message }, readNo, isWhole: false };
    await noteReading(ended, readable, context);
    return {
      receipt: { ...receipt, source: source.name, records: 0, rejected: 0 },
      isProven: false,
      warnings: [],
      error: toCodedError(error),
    };
  }
}

/** Whether an unchanged source needs no new reading: the last one has nothing to report, and no member may leave, or be asked about, by another one. */
async function mayRepeat(
  before: ReadingState,
  { name, sync: own }: NamedSource,
  context: RunContext,
): Promise<boolean> {
  const { ledger, sync, target, fingerprint, runtime } = context;
  if (before.fingerprint !== fingerprint || !before.receipt.complete || before.rejected + before.warnings > 0)
    return false;
  const after = askedAfter(own.missing);
  if (!('runs' in after)) return true;
  const from = own.missing.policy === 'keep' ? undefined : (coveredBy(own, target, runtime.now()).from ?? '');
  return !(await ledger.members.mayChange(sync.name, name, { runs: after.runs, from }));
}

async function noteReading(
  ended: EndedReading,
  { source, backfill }: ReadableSource,
  { ledger, sync }: RunContext,
): Promise<void> {
  if (!backfill) await ledger.readings.noteReading(sync.name, source.name, ended);
}

async function readAll(
  run: string,
  reading: SourceReading,
  readable: ReadableSource,
  context: RunContext,
): Promise<MembersRead> {
  const { source, before, rule, rejectedBefore, backfill, readNo } = readable;
  const { ledger, sync, fingerprint } = context;
  const { members } = ledger;
  const redaction = redactionOf(source.sync);
  const warnings: Warning[] = [];
  let rejections = countRejections([]);
  let records = 0;
  /** Cancelled and private records: they are no records to publish, but a feed of them is not empty. */
  let withheld = 0;
  let hasLastChanged = false;

  let batch: ReadRecord[] = [];
  for await (const record of reading.unmappedRecords) {
    batch.push(record);
    if (batch.length < BATCH) continue;
    await keep(batch);
    batch = [];
  }
  if (batch.length > 0) await keep(batch);

  const deliveredBefore = records + withheld > 0 || backfill ? 0 : await countKnown();
  const receipt = await judge({ receipt: reading.receipt(), deliveredBefore, hasLastChanged });
  const doubt = unprovenReason({ read: records, ...rejections, receipt }, source.sync.source.ignoreSigns);
  if (doubt && source.sync.missing.policy !== 'keep')
    warnings.push({ at: source.name, message: `No record counts as missing: ${doubt}` });
  const isWhole = receipt.complete && doubt === undefined && !backfill;
  warnings.push(...reading.warnings.map(({ at, message }) => ({ at: placeIn(at), message })));
  const counts = { records, rejected: rejections.rejected };
  const ended = { run, fingerprint, receipt, ...counts, warnings: warnings.length, readNo, isWhole };
  await noteReading(ended, readable, context);
  return { receipt: { ...receipt, source: source.name, ...counts }, isProven: isWhole, warnings };

  async function keep(some: readonly ReadRecord[]): Promise<void> {
    const mapped = await mapChanged(some, (sources: readonly Source[]) => members.unchangedMembers(sync.name, sources));
    const earlier = records === 0 ? [] : await members.alreadyRead(run, sync.name, keysOf(mapped));
    const { unique, rejected, rejectedKeys, rejectedBefore: doubled, repetitions } = withoutDuplicates(mapped, earlier);
    await members.putMembers(
      sync.name,
      unique.flatMap((judged) => (judged.is === 'desired' ? [toMember(judged)] : [])),
    );
    const known = unique.filter((judged) => judged.is !== 'desired');
    await members.sightMembers(sync.name, [
      ...known.map(({ key, at, readHash = null }) => ({ ...sight(key, at), read_hash: readHash })),
      ...[...rejectedKeys].map(([key, at]) => ({ ...sight(key, at), read_hash: null })),
    ]);
    await members.setStates(sync.name, [...rejectedKeys.keys()], 'rejected');
    await members.setStates(sync.name, doubled, 'duplicate');
    const deleted = unique.flatMap((judged) => (judged.is === 'skipped' && judged.deleted ? [judged.key] : []));
    await members.setStates(sync.name, deleted, 'deleted');
    const withdrawn = some.flatMap(({ key, withdrawn }) => (withdrawn && key !== undefined ? [key] : []));
    await members.setStates(sync.name, withdrawn, 'withdrawn');
    if (!backfill) await followMoved(unique);
    const kept = rejected.map((rejection) => redaction.rejection({ ...rejection, at: placeIn(rejection.at) }));
    await ledger.runs.addRejections(run, rejectedBefore + rejections.rejected, kept);
    for (const judged of unique) if (judged.is === 'desired') warnings.push(...judged.warnings.map(placed));
    warnings.push(...[...repetitions.values()].map(placed));
    rejections = countRejections(rejected, rejections, repetitions.size);
    withheld += withdrawn.length;
    records += some.length - repetitions.size - withdrawn.length;
    const last = unique.findLast((judged) => judged.is !== 'skipped');
    hasLastChanged = last !== undefined && last.is !== 'unchanged';
    context.onProgress?.({ phase: 'reading', sync: sync.name, read: records });
  }

  /**
   * What the source has moved out of its window, it does not have on the former day any longer: another source publishes it. What
   * no other source has moves.
   */
  async function followMoved(unique: readonly Judged[]): Promise<void> {
    const beyond = new Map(
      unique.flatMap((judged) => (judged.is === 'skipped' && judged.beyond ? [[judged.key, judged] as const] : [])),
    );
    const window = windowDays(source.sync.window, context.target.timezone, context.runtime.now());
    const isInside = ({ payload }: Member) => outside(window, payload) === undefined;
    const known = async () => members.membersBy('key', sync.name, [...beyond.keys()]);
    const before = await known();
    await members.forgetShared(
      sync.name,
      before.filter(isInside).map(({ key }) => key),
    );
    const left = before.length > 0 ? await known() : [];
    const clusters = left.flatMap(({ cluster }) => cluster ?? []);
    const together = Map.groupBy(await members.membersBy('cluster', sync.name, clusters), ({ cluster }) => cluster);
    const moved: ReadMember[] = [];
    for (const { key, cluster, payload } of left) {
      const judged = beyond.get(key);
      const isShared = cluster !== undefined && (together.get(cluster)?.length ?? 0) > 1;
      if (isShared || !hasOtherDays(judged?.beyond?.payload ?? payload, payload)) continue;
      const mapped = await judged?.beyond?.map();
      if (mapped?.is === 'desired') moved.push(toMember({ ...mapped, readHash: judged?.readHash }));
    }
    await members.putMembers(sync.name, moved);
  }

  function toMember({ record, sourceHash, readHash }: Extract<Judged, { is: 'desired' }>): ReadMember {
    const { key, at, payload, attachments } = record;
    return {
      ...{ ...sight(key, at), source: source.name, read_hash: readHash ?? null, source_hash: sourceHash ?? null },
      ...{ payload: JSON.stringify(payload), attachments: JSON.stringify(attachments) },
      event_hash: eventHash(payload, rule),
      repeats: record.occurrence?.repeats ? 1 : 0,
      ...whenColumns(record),
    };
  }

  function sight(key: string, at: string) {
    return { key, place: placeIn(at), read_in: run, read_no: readNo };
  }

  function placeIn(at: string): string {
    return `${source.name}, ${at}`;
  }

  function placed({ at, message }: Warning): Warning {
    return { at: placeIn(at), message };
  }

  async function judge(facts: { receipt: FeedReceipt; deliveredBefore: number; hasLastChanged: boolean }) {
    const { receipt } = facts;
    if (!receipt.complete) return receipt;
    const earlier = before?.whole?.location === receipt.location ? before.whole : undefined;
    const lost = hasFewerRows(receipt, earlier) && !backfill ? await countLost() : 0;
    return judgeReceipt({ ...facts, lost }, earlier, source.sync.source);
  }

  /** How many members that the last complete reading had, this one lacks, although it covers them. */
  async function countLost(): Promise<number> {
    const coverage = coveredBy(source.sync, context.target, context.runtime.now());
    const missed = await members.missedMembers(sync.name, source.name, readNo);
    return missed.filter(({ missedReadings, payload }) => missedReadings === 0 && isCoveredBy(coverage, payload))
      .length;
  }

  async function countKnown(): Promise<number> {
    return (await members.countClustered(sync.name)).get(source.name) ?? 0;
  }
}
