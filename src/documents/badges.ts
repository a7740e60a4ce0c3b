import type { HealthWord, RunRowView } from '../queries/views/overview.ts';
import type { RunStatusName } from '../queries/views/shared.ts';
import type { RecordRowView } from '../queries/views/sync.ts';
import type { DifferenceCauseName } from '../queries/views/verification.ts';
import type { Inline, Tone } from './document.ts';
import { mark } from './inline.ts';

type Badge = readonly [Tone, string];

export const healths: Record<HealthWord, Badge> = {
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

const statuses: Record<RunStatusName, Badge> = {
  planned: ['plain', 'Planned'],
  running: ['info', 'Running'],
  success: ['good', 'Success'],
  partial: ['warning', 'Partly done'],
  failed: ['bad', 'Failed'],
  held: ['warning', 'On hold'],
};

/** The results of runs, for a choice. */
export const statusWords = Object.entries(statuses).map(([status, [, word]]) => [status, word] as const);

export const recordStates: Record<RecordRowView['status'], Badge> = {
  pending: ['info', 'Pending'],
  delivered: ['good', 'Delivered'],
  failed: ['bad', 'Failed'],
  held: ['warning', 'On hold'],
  deleted: ['plain', 'Deleted in the CMS'],
  removed: ['plain', 'Deleted by feedferry'],
};

export const differenceCauses: Record<DifferenceCauseName, Badge> = {
  edited: ['warning', 'Edited in the CMS'],
  deleted: ['bad', 'Deleted in the CMS'],
  doubled: ['warning', 'Doubled in the CMS'],
  orphan: ['warning', 'Item without a record'],
  fileMissing: ['warning', 'File missing in the CMS'],
  undelivered: ['warning', 'Not delivered'],
};

type RunResult = Pick<RunRowView, 'status' | 'undone' | 'undonePartly' | 'decision' | 'cancelled'>;

/** The result of a run, whether it was undone, and what was decided about its plan. */
export function resultOf(run: RunResult): Inline {
  const isPart = run.undonePartly && !run.undone && !run.decision;
  return [mark(resultBadge(run)), isPart && [' ', mark(['warning', 'Partly undone'])]];
}

/** The result of a run in one word. */
export function resultWord(run: RunResult): string {
  return resultBadge(run)[1];
}

function resultBadge({ status, undone, decision, cancelled }: RunResult): Badge {
  if (undone) return ['warning', 'Undone'];
  if (decision) return ['plain', decision.is === 'approved' ? 'Approved' : 'Rejected'];
  if (cancelled === undefined) return statuses[status];
  return ['warning', status === 'running' ? 'Is being cancelled' : 'Cancelled'];
}

/** Whether the site still has the item of a record, as far as is known. */
export function isOnSite({ cmsId, status, differs }: Pick<RecordRowView, 'cmsId' | 'status' | 'differs'>): boolean {
  return cmsId !== undefined && status !== 'deleted' && status !== 'removed' && differs?.cause !== 'deleted';
}

type Stateful = Pick<RecordRowView, 'status' | 'withoutFiles' | 'leftOut'> & {
  differs?: Pick<NonNullable<RecordRowView['differs']>, 'cause'> | undefined;
};

/** The state of a record. What a verification has found since the last delivery comes first. */
export function recordState({ status, withoutFiles = [], differs, leftOut }: Stateful): Badge {
  if (leftOut) return ['plain', 'Left out'];
  if (status === 'delivered' && differs) return differenceCauses[differs.cause];
  if (status !== 'delivered' || withoutFiles.length === 0) return recordStates[status];
  return ['warning', `Delivered without its ${withoutFiles.join(', ')}`];
}
