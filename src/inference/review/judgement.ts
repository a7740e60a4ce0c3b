import type { DesiredRecord, Rejection } from '../../core/record.ts';
import type { FeedSample } from '../sample.ts';

/** What a proposed sync makes of the records of a sample. */
export interface Judgement {
  /** Number of records in the sample, and whether these are all records of the feed. */
  read: number;
  isWhole: boolean;
  accepted: number;
  /** Records that `when` leaves out. */
  skipped: number;
  rejected: number;
  /** Reasons of the rejections, the most frequent first, each with its first record. */
  reasons: ReadonlyArray<{ code: string; reason: string; count: number; at: string }>;
  /** The first records as the site will show them. */
  first: readonly DesiredRecord[];
}

const FIRST = 5;

/** Judges a proposed sync by what it makes of the sample. */
export function judgeSample(
  { records, isWhole }: FeedSample,
  { desired, rejections }: { desired: readonly DesiredRecord[]; rejections: readonly Rejection[] },
): Judgement {
  const reasons = new Map<string, { code: string; reason: string; count: number; at: string }>();
  for (const { at, code, reason } of rejections) {
    const kind = `${code} ${reason.replace(/"[^"]*"|\d+/g, '…')}`;
    const known = reasons.get(kind);
    if (known) known.count += 1;
    else reasons.set(kind, { code, reason, count: 1, at });
  }
  return {
    read: records.length,
    isWhole,
    accepted: desired.length,
    skipped: records.length - desired.length - rejections.length,
    rejected: rejections.length,
    reasons: [...reasons.values()].toSorted((a, b) => b.count - a.count),
    first: desired.slice(0, FIRST),
  };
}

/** Says how many records can be published, and of which sample: "Of the first 5000 records, 4990 can be published, 10 rejected." */
export function describeJudgement({ read, isWhole, accepted, skipped, rejected }: Judgement): string {
  const sample = `the ${isWhole ? '' : 'first '}${read === 1 ? 'record' : `${read} records`}`;
  if (accepted === read) {
    if (read === 1) return `T${sample.slice(1)} can be published.`;
    return isWhole ? `All ${read} records can be published.` : `All of ${sample} can be published.`;
  }
  const parts = [
    `${accepted} can be published`,
    ...(skipped > 0 ? [`${skipped} would be skipped by when`] : []),
    ...(rejected > 0 ? [`${rejected} would be rejected`] : []),
  ];
  return `Of ${sample}: ${parts.join(', ')}.`;
}
