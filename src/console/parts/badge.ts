import { type Html, html } from '../../core/html/html.ts';
import type { HealthWord, RunRowView } from '../../queries/views/overview.ts';
import type { RunStatusName } from '../../queries/views/shared.ts';
import type { RecordRowView } from '../../queries/views/sync.ts';
import type { DifferenceCauseName } from '../../queries/views/verification.ts';

/** Meaning of a colour; each badge has a word, too. */
export type Tone = 'good' | 'info' | 'warning' | 'bad' | 'plain';

const healths: Record<HealthWord, [Tone, string]> = {
  ok: ['good', 'OK'],
  running: ['info', 'Running'],
  new: ['plain', 'Never run'],
  partial: ['warning', 'Partly done'],
  late: ['warning', 'Late'],
  drift: ['warning', 'Differences'],
  held: ['warning', 'On hold'],
  decided: ['plain', 'Rejected by a person'],
  failed: ['bad', 'Failed'],
  broken: ['bad', 'Broken'],
  paused: ['plain', 'Paused'],
};

const statuses: Record<RunStatusName, [Tone, string]> = {
  planned: ['plain', 'Planned'],
  running: ['info', 'Running'],
  success: ['good', 'Success'],
  partial: ['warning', 'Partly done'],
  failed: ['bad', 'Failed'],
  held: ['warning', 'On hold'],
};

/** The results of runs, for a choice. */
export const statusWords = Object.entries(statuses).map(([status, [, word]]) => [status, word] as const);

const records: Record<RecordRowView['status'], [Tone, string]> = {
  pending: ['info', 'Pending'],
  delivered: ['good', 'Delivered'],
  failed: ['bad', 'Failed'],
  held: ['warning', 'On hold'],
  deleted: ['plain', 'Deleted in the CMS'],
  removed: ['plain', 'Deleted by feedferry'],
};

/** A word on a colour. */
export function badge(tone: Tone, word: string): Html {
  return html`<span class="badge ${tone}">${word}</span>`;
}

export function healthBadge(health: HealthWord): Html {
  return badge(...healths[health]);
}

type RunResult = Pick<RunRowView, 'status' | 'undone' | 'undonePartly' | 'decision' | 'cancelled'>;

/** The result of a run, whether it was undone, and what was decided about its plan. */
export function runBadge(run: RunResult): Html {
  const result = badge(...resultOf(run));
  return run.undonePartly && !run.undone && !run.decision
    ? html`${result} ${badge('warning', 'Partly undone')}`
    : result;
}

/** The word on the badge of a run. */
export function runWord(run: RunResult): string {
  return resultOf(run)[1];
}

function resultOf({ status, undone, decision, cancelled }: RunResult): [Tone, string] {
  if (undone) return ['warning', 'Undone'];
  if (decision) return ['plain', decision.is === 'approved' ? 'Approved' : 'Rejected'];
  if (cancelled === undefined) return statuses[status];
  return ['warning', status === 'running' ? 'Is being cancelled' : 'Cancelled'];
}

export const differenceBadges: Record<DifferenceCauseName, [Tone, string]> = {
  edited: ['warning', 'Edited in the CMS'],
  deleted: ['bad', 'Deleted in the CMS'],
  doubled: ['warning', 'Doubled in the CMS'],
  orphan: ['warning', 'Item without a record'],
  fileMissing: ['warning', 'File missing in the CMS'],
  undelivered: ['warning', 'Not delivered'],
};

/**
 * The state of a record. What a verification has found since the last delivery comes first.
 * @param withoutFiles the attributes whose files the record was delivered without
 */
export function recordBadge(
  status: RecordRowView['status'],
  withoutFiles: readonly string[] = [],
  differs?: DifferenceCauseName,
): Html {
  if (status === 'delivered' && differs) return badge(...differenceBadges[differs]);
  if (status !== 'delivered' || withoutFiles.length === 0) return badge(...records[status]);
  return badge('warning', `Delivered without its ${withoutFiles.join(', ')}`);
}
