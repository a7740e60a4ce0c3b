import type { DesiredRecord, Rejection } from '../../core/record.ts';
import type { FeedSample } from '../sample.ts';

/** A reason for which records are rejected, with its first record. */
export interface JudgedReason {
  code: string;
  /** The reason of the first record, with the other values of which it is true: `"x" is not a date. Also: "y" (2), "z"`. */
  reason: string;
  count: number;
  at: string;
}

/** What a proposed sync makes of the records of a sample. */
export interface Judgement {
  /** Number of records in the sample, and whether these are all records of the feed. */
  read: number;
  isWhole: boolean;
  accepted: number;
  /** Records that `when` leaves out. */
  skipped: number;
  rejected: number;
  /** Records that repeat another one, and count as one with it. */
  repeated: number;
  /** Reasons of the rejections, the most frequent first. */
  reasons: readonly JudgedReason[];
  /** The first records as the site will show them. */
  first: readonly DesiredRecord[];
}

const FIRST = 5;
/** Number of other values to show of a reason. */
const OTHERS = 4;

/** Judges a proposed sync by what it makes of the sample. */
export function judgeSample(
  { records, isWhole }: FeedSample,
  draft: { desired: readonly DesiredRecord[]; rejections: readonly Rejection[]; repeated: number },
): Judgement {
  const { desired, rejections, repeated } = draft;
  const kinds = Map.groupBy(rejections, ({ code, reason }) => `${code} ${reason.replace(/"[^"]*"|\d+/g, '…')}`);
  const reasons = [...kinds.values()].flatMap(toReason);
  return {
    read: records.length,
    isWhole,
    accepted: desired.length,
    skipped: records.length - desired.length - rejections.length - repeated,
    rejected: rejections.length,
    repeated,
    reasons: reasons.toSorted((a, b) => b.count - a.count),
    first: desired.slice(0, FIRST),
  };
}

function toReason(rejections: readonly Rejection[]): JudgedReason[] {
  const [first] = rejections;
  if (first === undefined) return [];
  const { code, reason, at } = first;
  const values = Map.groupBy(rejections, (rejection) => /"[^"]*"/.exec(rejection.reason)?.[0] ?? '');
  const [, ...others] = [...values].map(([value, { length }]) => (length > 1 ? `${value} (${length})` : value));
  const more = others.length > OTHERS ? ` and ${others.length - OTHERS} more` : '';
  const also = others.length === 0 ? '' : `. Also: ${others.slice(0, OTHERS).join(', ')}${more}`;
  return [{ code, reason: reason + also, count: rejections.length, at }];
}

/** Says how many records can be published, and of which sample: "Of the first 5000 records, 4990 can be published, 10 rejected." */
export function describeJudgement({ read, isWhole, accepted, skipped, rejected, repeated }: Judgement): string {
  const sample = `the ${isWhole ? '' : 'first '}${read === 1 ? 'record' : `${read} records`}`;
  if (accepted === read) {
    if (read === 1) return `T${sample.slice(1)} can be published.`;
    return isWhole ? `All ${read} records can be published.` : `All of ${sample} can be published.`;
  }
  const parts = [
    `${accepted} can be published`,
    ...(skipped > 0 ? [`${skipped} would be skipped by when`] : []),
    ...(rejected > 0 ? [`${rejected} would be rejected`] : []),
    ...(repeated > 0 ? [`${repeated} ${repeated === 1 ? 'repeats' : 'repeat'} another one`] : []),
  ];
  return `Of ${sample}: ${parts.join(', ')}.`;
}
