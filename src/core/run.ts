import type { ErrorCode } from './errors.ts';
import type { FeedReceipt } from './feed.ts';
import type { Rejection, Warning } from './record.ts';

/**
 * A `plan` only shows what a `run` would do, an `approve` applies the plan of a held run, an `adopt` makes a record the owner
 * of an item, and a `backfill` is a run with other days.
 */
export type RunKind = 'run' | 'plan' | 'retry' | 'approve' | 'adopt' | 'undo' | 'purge' | 'backfill';

/** Run kinds as JSON and metrics name them: an `approve` is a `run`, an `adopt` is a `retry`. */
export type ReportedKind = Exclude<RunKind, 'approve' | 'adopt'>;

/** The kinds of runs that change something: a sync has one of them at a time. */
export type RunWork = Exclude<RunKind, 'plan'>;

export type RunStatus = 'planned' | 'running' | 'success' | 'partial' | 'failed' | 'held';

/**
 * The counts of a run. They balance: read = created + updated + unchanged + rejected + failed + held + skipped (+ notSent).
 * Missing records were not read; some of them are deleted or marked, and `unremoved` counts those for which that failed.
 */
export type RunCounts = Record<CountName, number> & {
  /** Only of a run that broke off: the records for which nothing was sent. The next run delivers them. */
  notSent?: number;
};

/** The counts that every run has. */
export type CountName = keyof ReturnType<typeof zeroCounts>;

/** A run in the form that the command line prints. */
export interface RunResult {
  run: string;
  sync: string;
  status: RunStatus;
  counts: RunCounts;
  complete: boolean;
  durationMs: number;
  /** How many records of the sync are delivered without a file that the source has, at the end of the run; absent: none. */
  withoutFiles?: number;
  /** Why the run as a whole failed or is held. */
  error?: { code: string; message: string; remedy: string };
}

/** Everything that is reported about a finished run. */
export interface RunReport extends RunResult {
  receipt?: FeedReceipt;
  /** The first rejections, in feed order; the ledger has all of them. */
  rejections: Array<Rejection & { title?: string }>;
  /** Records that failed or are held, and why. */
  problems: Array<{ key: string; title?: string; code: string; reason: string }>;
  /** The first files that records were delivered without; absent: none. */
  undeliveredFiles?: UndeliveredFileReport[];
  warnings: Warning[];
}

/** A file that a record was delivered without. Times are ISO instants. */
export interface UndeliveredFileReport {
  key: string;
  /** Title of the record. */
  title?: string;
  attribute: string;
  code: string;
  reason: string;
  /** When it was tried first. */
  since: string;
  /** How often it was tried. */
  tries: number;
  /** Not tried before; absent: the next run tries again. */
  retryAt?: string;
  /** The item keeps the file that was delivered before. */
  keepsEarlier?: true;
}

/** The counts of a run in which nothing has happened yet. */
export function zeroCounts() {
  return {
    read: 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    rejected: 0,
    failed: 0,
    held: 0,
    skipped: 0,
    missing: 0,
    deleted: 0,
    marked: 0,
    unremoved: 0,
    uploaded: 0,
  };
}

const COUNT_NAMES: Partial<Record<string, string>> = {
  unremoved: 'not removed',
  uploaded: 'files uploaded',
  notSent: 'not sent yet',
  withoutFiles: 'without their file',
};

/** Returns the counts that are not zero: "49 read, 47 created, 2 rejected, 11 files uploaded"; '' if all are zero. */
export function describeCounts(counts: Partial<RunCounts & { withoutFiles: number }> | Record<string, number>): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  return some
    .map(([name, count]) => `${count} ${COUNT_NAMES[name] ?? name}`.replace(/^1 (file|warning)s\b/, '1 $1'))
    .join(', ');
}

/** The counts of a run that stops early: records that are not done are added to one count, so that the counts balance. */
export function withRest(counts: RunCounts, rest: 'failed' | 'held' | 'notSent'): RunCounts {
  const undone = countUndone(counts);
  return undone === 0 ? counts : { ...counts, [rest]: (counts[rest] ?? 0) + undone };
}

/** Returns how many of the records that were read are not done yet. */
export function countUndone(counts: RunCounts): number {
  const { read, created, updated, unchanged, rejected, failed, held, skipped, notSent = 0 } = counts;
  return read - created - updated - unchanged - rejected - failed - held - skipped - notSent;
}

/**
 * Returns whether a run that has ended counts as a success, wherever "last success" is shown or measured. A `partial` one does if
 * it read its whole feed and left undelivered only what is wrong in the feed, what the CMS refuses because of its content, and
 * what waits for a decision. A run that got nothing into the CMS does not.
 * @param refused those of the failed records whose content the CMS refuses
 */
export function countsAsSuccess(run: Pick<RunResult, 'status' | 'complete' | 'counts'>, refused: number): boolean {
  const { status, complete, counts } = run;
  if (status !== 'partial') return status === 'success';
  const { created, updated, unchanged, skipped, deleted, marked, failed, unremoved } = counts;
  const hasWorked = created + updated + unchanged + skipped + deleted + marked > 0;
  return complete && hasWorked && failed <= refused && unremoved === 0;
}

/** Returns whether a partial run has no problems other than rejections that a person has acknowledged. */
export function isAcknowledged(
  { status, complete, counts }: Pick<RunResult, 'status' | 'complete' | 'counts'>,
  acknowledged: number,
): boolean {
  const { rejected, failed, held, unremoved } = counts;
  return (
    status === 'partial' && complete && failed + held + unremoved === 0 && rejected > 0 && acknowledged >= rejected
  );
}

/** Returns how long ago the last success of a sync was, in ms; Infinity: it never had one. */
export function lastSuccessAgo(
  sync: string,
  totals: ReadonlyArray<{ sync: string; kind: string; successAgoMs?: number }>,
): number {
  const ofSync = totals.filter((sum) => sum.sync === sync && sum.kind === 'run');
  return Math.min(...ofSync.map(({ successAgoMs = Number.POSITIVE_INFINITY }) => successAgoMs));
}

/** The errors of runs that a signal or a person ended: they say nothing about the health of a sync. */
export const ENDED_EARLY: string[] = ['FF_RUN_INTERRUPTED', 'FF_RUN_CANCELLED'] satisfies ErrorCode[];

/** The errors of runs that a signal or a crash ended: the work of these runs is still to be done. */
export const BROKEN_OFF: string[] = ['FF_RUN_INTERRUPTED', 'FF_RUN_ABANDONED'] satisfies ErrorCode[];

/** Returns whether a run was ended before its end, so that its records are "not sent yet" rather than failed. */
export function leavesUnsent(errorCode: string | undefined): boolean {
  return brokeOff(errorCode) || errorCode === ('FF_RUN_CANCELLED' satisfies ErrorCode);
}

/** Returns whether a signal or a crash ended a run before its end. */
export function brokeOff(errorCode: string | undefined): boolean {
  return errorCode !== undefined && BROKEN_OFF.includes(errorCode);
}

/** The limits of `changes`: on any change, on changes of title, day or time, on emptied and garbled values, and on changed keys. */
export type ChangeRule = 'threshold' | 'core' | 'emptied' | 'garbled' | 'churn';

/** How many records of a plan count towards a limit of `changes`, and of how many published records. */
export interface ChangeMeasure {
  rule: ChangeRule;
  records: number;
  of: number;
  /** Of `emptied`: the attribute. */
  attribute?: string;
}

/** How near a plan came to a limit that would have held it. */
export interface LimitShare extends Pick<ChangeMeasure, 'records' | 'of'> {
  /** `missing`: the threshold of `missing`. */
  rule: ChangeRule | 'missing';
  /** All records have changed in the same way. */
  isUniform?: true;
  /** What has happened to the records, without values. */
  text: string;
}

/** Returns the kind as JSON and metrics name it. */
export function reportedKind(kind: RunKind): ReportedKind {
  if (kind === 'approve') return 'run';
  return kind === 'adopt' ? 'retry' : kind;
}
