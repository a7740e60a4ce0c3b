import type { Html } from '../core/html/html.ts';
import { recordsPath, runPath, withQuery } from '../core/text/addresses.ts';
import { figure, figureOf } from '../core/text/figures.ts';
import type { ChangePageView, ChangeView, FailurePageView, RunDetailView } from '../queries/views/run.ts';
import type { DeedView } from '../queries/views/shared.ts';
import { recordState } from './badges.ts';
import {
  buttonTo,
  foldOf,
  formOf,
  inMedium,
  listSection,
  nextPage,
  noticeOf,
  paragraph,
  reasonOf,
  section,
  tableOf,
} from './blocks.ts';
import type { Block, ChangeEffect, Document } from './document.ts';
import { adviceOf, linkTo, mark, onPage, proseOf, recordRef, say, styled, timeAt } from './inline.ts';
import { runSummary } from './run-summary.ts';
import { deedTable } from './runs.ts';

/** Data of a run. */
export interface RunView {
  detail: RunDetailView;
  changes: ChangePageView;
  failures: FailurePageView;
  /** Of the changes. */
  filter?: { effect?: ChangeView['effect'] | undefined; attribute?: string | undefined };
}

/** What only a page has: the progress of the run, how it is followed, the form that filters changes, and the lines of edits. */
export interface RunMarkup {
  progress?: Html;
  follow?: Html;
  filterForm?: Html;
  edit?: (deed: DeedView) => Html | false;
}

/** A run: live while it runs, then what it changed, what failed, and what can be done about it. */
export function runDocument(view: RunView, { progress, follow, filterForm, edit }: RunMarkup = {}): Document {
  const { detail, changes, failures, filter = {} } = view;
  const { run, sync, kind, finishedAt, deeds, warnings, undeliveredFiles = [], alerts } = detail;
  const { notSent = 0 } = detail.counts;
  const isRunning = finishedAt === undefined && detail.status === 'running';
  return {
    title: `${titles[kind]} of ${sync}`,
    sync,
    blocks: [
      progress && { is: 'markup', html: progress },
      ...runSummary(detail),
      { is: 'actions', blocks: runActions(detail) },
      follow && { is: 'markup', html: follow },
      isRunning && cancelPart(detail),
      (failures.failures.length > 0 || notSent > 0) && failureSection(detail, failures),
      fileSection(sync, undeliveredFiles),
      section(
        'changes',
        'Changes',
        detail.changes > 0 && filterForm && { is: 'markup', html: filterForm },
        ...changeList(detail, changes, filter),
      ),
      warningSection(warnings),
      alertSection(alerts),
      section('deeds', 'Who did what', deedTable(deeds, edit)),
      inMedium('page', foldOf('support', 'For support', paragraph(say`Run ${styled('code', run)}`))),
    ],
  };
}

const SHORT = { isShort: true };

const titles: Record<RunDetailView['kind'], string> = {
  run: 'Run',
  plan: 'Plan',
  retry: 'Retry',
  undo: 'Undo',
  purge: 'Purge',
  backfill: 'Backfill',
};

/** What a run did with an item. */
export const effects: Record<ChangeView['effect'], ChangeEffect> = {
  created: ['good', 'Created', '+ created'],
  updated: ['info', 'Changed', '~ changed'],
  removed: ['bad', 'Removed', '- removed'],
};

function cancelPart({ run, sync, kind, cancelled }: RunDetailView): Block {
  if (cancelled !== undefined) return noticeOf('warning', `${cancelled} Requests in flight are still to end.`);
  const next = kind === 'backfill' ? 'backfill of these days' : 'run';
  return formOf({
    folded: { id: 'cancel', summary: `Cancel this ${kind} …` },
    does: 'cancel',
    to: { run },
    label: 'Cancel the run',
    kind: 'danger',
    blocks: [
      paragraph(`Requests in flight end. What was not sent yet is sent by the next ${next} of ${sync} or by a retry.`),
      reasonOf(),
    ],
  });
}

function runActions(detail: RunDetailView): Block[] {
  const { sync, finishedAt, counts, withoutFiles = 0, changes, heldPlan, decision, undoes, undone } = detail;
  const undelivered = counts.failed + counts.held + counts.unremoved + (counts.notSent ?? 0) + withoutFiles;
  return [
    heldPlan !== undefined && reviewLink(heldPlan, decision !== undefined),
    finishedAt !== undefined &&
      decision === undefined &&
      undelivered > 0 &&
      formOf({
        does: 'retry',
        to: { sync },
        label: `Retry undelivered records of ${sync}`,
        command: `feedferry retry ${sync}`,
      }),
    finishedAt !== undefined && changes > 0 && undoes === undefined && !undone && undoLink(detail),
  ];
}

function undoLink({ run, isOverwritten }: RunDetailView): Block {
  const to = runPath(run, 'undo');
  const shown = isOverwritten
    ? paragraph(
        say`Nothing to undo: later runs have changed all of its items. ${linkTo(to, 'Show which runs')}`,
        'muted',
      )
    : buttonTo(to, 'Undo …', { command: `feedferry undo ${run}` });
  return { is: 'allowed', does: 'undo', blocks: [shown] };
}

/** A plan with the changes of a rejected one can be approved, but does not wait for a decision. */
function reviewLink(plan: string, isDecided: boolean): Block {
  const to = runPath(plan, 'plan');
  const command = `feedferry approve --list ${plan}`;
  return isDecided
    ? buttonTo(to, 'Decide again …', { command })
    : buttonTo(to, 'Review the plan', { kind: 'primary', command });
}

function changeList(
  { run, sync, changes: total, finishedAt }: RunDetailView,
  { changes, next }: ChangePageView,
  filter: NonNullable<RunView['filter']>,
): Block[] {
  const isFiltered = Object.values(filter).some(Boolean);
  const none = finishedAt === undefined ? 'No changes yet.' : 'It changed nothing in the CMS.';
  if (changes.length === 0) return [paragraph(isFiltered ? 'No change is like this.' : none, 'empty')];
  return [
    // The counts of a run in progress are those of its plan.
    finishedAt !== undefined &&
      paragraph(`${figureOf(total, 'item')} ${total === 1 ? 'was' : 'were'} changed in the CMS.`),
    {
      is: 'changes',
      id: 'change',
      caption: 'Changes',
      sync,
      heads: ['What', 'Before', 'After'],
      rows: changes.map(({ effect, ...change }) => ({ ...change, effect: effects[effect] })),
    },
    nextPage(
      next && `${withQuery(runPath(run), { ...filter, changes: next })}#changes`,
      'More changes',
      `and ${total - changes.length} more`,
    ),
  ];
}

function failureSection({ run, sync, counts }: RunDetailView, { failures, next }: FailurePageView): Block {
  const { read, notSent = 0 } = counts;
  const pending = onPage(linkTo(withQuery(recordsPath(sync), { state: 'pending' }), 'Show pending records'));
  const unsent = `Nothing was sent for ${figure(notSent)} of ${figureOf(read, 'record')}. The next run of ${sync} sends them, and so does a retry. `;
  const list = tableOf<FailurePageView['failures'][number]>({
    caption: 'Not delivered',
    columns: [
      { head: 'Record', isHeading: true, cell: (record) => recordRef(sync, record) },
      { head: 'State', cell: ({ status }) => mark(recordState({ status })) },
      { head: 'Code', medium: 'terminal', cell: ({ code }) => code },
      { head: 'Reason', cell: ({ reason }) => proseOf(reason) },
      { head: 'What to do', cell: ({ key, remedy }) => adviceOf(remedy, { sync, key }) },
    ],
    rows: failures,
  });
  return section(
    'failures',
    'Not delivered',
    notSent > 0 && paragraph([unsent, pending]),
    failures.length > 0 && list,
    nextPage(next && `${withQuery(runPath(run), { failures: next })}#failures`, 'More', 'and more'),
  );
}

/** The files that records of the sync lack now. */
function fileSection(sync: string, files: NonNullable<RunDetailView['undeliveredFiles']>): Block {
  return listSection('files', 'Without a file now', files, [
    { head: 'Record', isHeading: true, cell: (record) => recordRef(sync, record) },
    { head: 'Attribute', cell: ({ attribute }) => attribute },
    { head: 'Reason', cell: ({ reason }) => proseOf(reason) },
    { head: 'In the CMS', cell: ({ keepsEarlier }) => (keepsEarlier ? 'the earlier file' : 'no file') },
    { head: 'Next try', kind: 'time', cell: ({ retryAt }) => (retryAt ? timeAt(retryAt, SHORT) : 'next run') },
  ]);
}

function warningSection(warnings: RunDetailView['warnings']): Block {
  return listSection('warnings', 'Warnings', warnings, [
    { head: 'Place', isHeading: true, kind: 'key', cell: ({ at }) => at },
    { head: 'Warning', cell: ({ message }) => proseOf(message) },
  ]);
}

function alertSection(alerts: RunDetailView['alerts']): Block {
  return listSection('alerts', 'Alerts', alerts, [
    { head: 'About', isHeading: true, cell: ({ kind }) => kind },
    { head: 'Sent to', cell: ({ channel }) => channel },
    { head: 'Sent', kind: 'time', cell: ({ sentAt }) => (sentAt ? timeAt(sentAt, SHORT) : 'not yet') },
  ]);
}
