import type { SourceConfig } from '../../config/types.ts';
import { incompleteReason, type Sign } from '../../core/completeness.ts';
import type { FeedReceipt } from '../../core/feed.ts';
import type { Mapped, Rejection } from '../../core/record.ts';
import type { RecordFacts, SourceReading } from '../../core/source-reading.ts';
import { type Judged, readHashOf, withoutDuplicates } from './duplicate-keys.ts';

/** So many repeated records are named. */
const KEPT_NOTES = 1000;

/** How many of the records of a reading a run would reject. */
export type RejectionCounts = Pick<RecordFacts, 'rejected' | 'unnamed' | 'duplicates'>;

/** What a reading consists of, in numbers. */
export interface Tally extends RejectionCounts {
  read: number;
  /** Records that can be delivered. */
  valid: number;
  skipped: number;
  /** Records that repeat another one: `read` does not count them. */
  repeated: number;
  warnings: number;
}

/**
 * Reads a feed and judges its records as a run would, without ledger and CMS.
 * @param see is shown each record, and the copy without content that is kept of it; returns whether to read on
 * @returns `all`: what was kept, except repetitions; `unique`: without rejected records; `rejected`: in feed order
 * @throws CodedError FF_FEED_… if the feed cannot be read
 */
export async function judgeReading(reading: SourceReading, see: (mapped: Mapped, kept: Mapped) => boolean) {
  const kept: Judged[] = [];
  let warnings = 0;
  for await (const record of reading.unmappedRecords) {
    const mapped = await record.map();
    const copy: Judged & Mapped = { ...withoutContent(mapped), readHash: readHashOf(record) };
    kept.push(copy);
    if (mapped.is === 'desired') warnings += mapped.warnings.length;
    if (!see(mapped, copy)) break;
  }
  const { unique, rejected, repetitions } = withoutDuplicates(kept, []);
  const all = kept.filter((judged) => !repetitions.has(judged));
  reading.warnings.push(...[...repetitions.values()].slice(0, KEPT_NOTES));
  const count = (is: Judged['is']) => unique.filter((mapped) => mapped.is === is).length;
  const tally: Tally = {
    ...{ read: all.length, valid: count('desired'), skipped: count('skipped'), repeated: repetitions.size },
    ...countRejections(rejected),
    warnings: warnings + reading.warnings.length,
  };
  return { all, unique, rejected, tally };
}

/**
 * Counts rejected records, and those of them that bear on whether other records are missing.
 * @param before are added
 * @param repeated count as duplicates
 */
export function countRejections(
  rejected: readonly Rejection[],
  before: RejectionCounts = { rejected: 0, unnamed: 0, duplicates: 0 },
  repeated = 0,
): RejectionCounts {
  const doubled = rejected.filter(({ code }) => code === 'FF_RECORD_DUPLICATE').length;
  return {
    rejected: before.rejected + rejected.length,
    unnamed: before.unnamed + rejected.filter(({ key }) => key === undefined).length,
    duplicates: before.duplicates + doubled + repeated,
  };
}

const NO_CONTENT = { payload: {}, attachments: [] };
const NO_WARNINGS: [] = [];

/** Leaves out what is not needed to find duplicates: a feed may be larger than the memory. */
function withoutContent(mapped: Mapped): Mapped {
  if (mapped.is === 'rejected') return { ...mapped, rejection: { ...mapped.rejection, fields: undefined } };
  if (mapped.is === 'skipped') return { ...mapped, fields: undefined };
  const { at, key, resource } = mapped.record;
  return { is: 'desired', record: { at, key, resource, ...NO_CONTENT }, warnings: NO_WARNINGS };
}

/** What is known when a reading has ended without a sign that it is incomplete. */
interface EndedReading {
  receipt: FeedReceipt;
  /** Number of records that were known before, if the feed has no records now. */
  deliveredBefore: number;
  /** Whether the last record of the feed has changed. */
  hasLastChanged: boolean;
  /** Number of published records that the feed should have, and has no longer; if it has fewer rows than before. */
  lost?: number;
}

/** Judges a complete receipt again, by comparison with that of the last whole reading. */
export function judgeReceipt(
  facts: EndedReading,
  earlier: FeedReceipt | undefined,
  { ignoreSigns = [], partial }: Pick<SourceConfig, 'ignoreSigns' | 'partial'>,
): FeedReceipt {
  // A feed of changes may have any number of records.
  const ignored: readonly Sign[] = partial ? [...ignoreSigns, 'empty', 'files', 'fullPage'] : ignoreSigns;
  const reason = incompleteReason({ ...facts, earlier }, ignored);
  return { ...facts.receipt, complete: reason === undefined, reason };
}
