import { z } from 'zod';
import { type Html, html } from '../../core/html/html.ts';
import { recordPath, recordsPath, runPath, withQuery } from '../../core/text/addresses.ts';
import { attributeLabel, attributeLabels, attributeWithLabel } from '../../core/text/attribute-label.ts';
import { figure, figureOf } from '../../core/text/figures.ts';
import type { ChangeSearch } from '../../queries/answers/paging.ts';
import {
  type ChangePageView,
  type ChangeView,
  changeView,
  type FailurePageView,
  type RunDetailView,
} from '../../queries/views/run.ts';
import { mayDo, type Viewer } from '../access/viewer.ts';
import { badge, recordBadge, type Tone } from '../parts/badge.ts';
import { deedTable } from '../parts/deeds.ts';
import { differenceTable } from '../parts/difference.ts';
import { shortTime } from '../parts/figures.ts';
import { actionForm, reasonField, selectField, textField } from '../parts/form.ts';
import { filterForm, pagedList } from '../parts/list.ts';
import { notice } from '../parts/notice.ts';
import { prose } from '../parts/prose.ts';
import { recordColumn } from '../parts/record-link.ts';
import { runSummary } from '../parts/run-summary.ts';
import { syncCrumbs } from '../parts/sync-tabs.ts';
import { table } from '../parts/table.ts';
import { consolePage, optionalText, type PageContent, type PageContext } from './page.ts';

const LIMIT = 50;

/** A run: live while it runs, then what it changed, what failed, and what can be done about it. */
export const runPage = consolePage({
  path: '/runs/:run',
  query: z.object({
    changes: optionalText,
    failures: optionalText,
    still: optionalText,
    effect: z.preprocess((effect) => effect || undefined, changeView.shape.effect.optional()),
    attribute: optionalText,
  }),
  async show({ run, changes, failures, still, effect, attribute }, { queries }, context) {
    const filter = { ...(effect && { effect }), ...(attribute && { attribute: attributeWithLabel(attribute) }) };
    const [detail, changePage, failurePage] = await Promise.all([
      queries.run(run),
      queries.changes(run, { after: changes, limit: LIMIT, ...filter }),
      queries.failures(run, { after: failures, limit: LIMIT }),
    ]);
    const view = { detail, changes: changePage, failures: failurePage, filter };
    return runContent(view, context, { isLive: still === undefined });
  },
});

type ChangeFilter = Omit<ChangeSearch, 'after' | 'limit'>;

/** Data of a run that the page shows. */
interface RunView {
  detail: RunDetailView;
  changes: ChangePageView;
  failures: FailurePageView;
  /** Of the changes. */
  filter?: ChangeFilter;
}

export function runContent(view: RunView, context: PageContext, { isLive = true } = {}): PageContent {
  const { detail, changes, failures, filter = {} } = view;
  const { run, sync, kind, finishedAt, deeds, warnings, undeliveredFiles = [], alerts } = detail;
  const { notSent = 0 } = detail.counts;
  const isRunning = finishedAt === undefined && detail.status === 'running';
  return {
    title: `${titles[kind]} of ${sync}`,
    crumbs: syncCrumbs(sync),
    body: html`${runState(detail, context)}
${isRunning && isLive && followPart(run, context)}
${isRunning && cancelPart(detail, context)}
${(failures.failures.length > 0 || notSent > 0) && failureSection(detail, failures)}
${undeliveredFiles.length > 0 && fileSection(sync, undeliveredFiles, context)}
<section aria-labelledby="changes"><h2 id="changes">Changes</h2>${detail.changes > 0 && changeFilter(run, filter)}${changeList(detail, changes, filter)}</section>
${warnings.length > 0 && warningSection(warnings)}
${alerts.length > 0 && alertSection(alerts, context)}
<section aria-labelledby="deeds"><h2 id="deeds">Who did what</h2>${deedTable(deeds, context)}</section>
<details id="support"><summary>For support</summary>Run <code>${run}</code></details>`,
  };
}

const titles: Record<RunDetailView['kind'], string> = {
  run: 'Run',
  plan: 'Plan',
  retry: 'Retry',
  undo: 'Undo',
  purge: 'Purge',
  backfill: 'Backfill',
};

export const effects: Record<ChangeView['effect'], [Tone, string]> = {
  created: ['good', 'Created'],
  updated: ['info', 'Changed'],
  removed: ['bad', 'Removed'],
};

/** Loads the content again and again, until it has no such part: the run has ended. */
function followPart(run: string, { path }: PageContext): Html {
  return html`<div hx-get="${path}" hx-trigger="every 2s" hx-target="#content" hx-swap="innerMorph"></div>
<p class="muted refresh">This page follows the run. <a href="${runPath(run)}?still=1">Stop</a><noscript> Without JavaScript, <a href="${path}">load the page again</a>.</noscript></p>`;
}

function cancelPart({ run, sync, kind, cancelled }: RunDetailView, { viewer }: PageContext): Html | undefined {
  if (cancelled !== undefined) {
    return notice('warning', html`${cancelled} Requests in flight are still to end.`);
  }
  const form = actionForm({
    viewer,
    does: 'cancel',
    to: { run },
    label: 'Cancel the run',
    kind: 'danger',
    fields: html`<p>Requests in flight end. What was not sent yet is sent by the next ${kind === 'backfill' ? 'backfill of these days' : 'run'} of ${sync} or by a retry.</p>${reasonField()}`,
  });
  return form && html`<details id="cancel"><summary>Cancel this ${kind} …</summary>${form}</details>`;
}

function runState(detail: RunDetailView, context: PageContext): Html {
  const actions = runActions(detail, context.viewer);
  return html`${runSummary(detail, context)}${actions.length > 0 && html`<div class="actions">${actions}</div>`}`;
}

function runActions(
  {
    run,
    sync,
    finishedAt,
    counts,
    withoutFiles = 0,
    changes,
    heldPlan,
    decision,
    undoes,
    undone,
    isOverwritten,
  }: RunDetailView,
  viewer: Viewer,
): Html[] {
  const undelivered = counts.failed + counts.held + counts.unremoved + (counts.notSent ?? 0) + withoutFiles;
  const retry = {
    viewer,
    does: 'retry',
    to: { sync },
    label: `Retry undelivered records of ${sync}`,
  } as const;
  return [
    heldPlan !== undefined && reviewLink(heldPlan, decision !== undefined),
    finishedAt !== undefined && decision === undefined && undelivered > 0 && actionForm(retry),
    finishedAt !== undefined &&
      changes > 0 &&
      undoes === undefined &&
      !undone &&
      mayDo(viewer, 'approve') &&
      undoLink(run, isOverwritten),
  ].filter((each): each is Html => Boolean(each));
}

function undoLink(run: string, isOverwritten = false): Html {
  const to = runPath(run, 'undo');
  return isOverwritten
    ? html`<p class="muted">Nothing to undo: later runs have changed all of its items. <a href="${to}">Show which runs</a></p>`
    : html`<a class="button" href="${to}">Undo …</a>`;
}

/** A plan with the changes of a rejected one can be approved, but does not wait for a decision. */
function reviewLink(plan: string, isDecided: boolean): Html {
  const to = runPath(plan, 'plan');
  return isDecided
    ? html`<a class="button" href="${to}">Decide again …</a>`
    : html`<a class="button primary" href="${to}">Review the plan</a>`;
}

function changeFilter(run: string, { effect, attribute }: ChangeFilter): Html {
  const words = Object.entries(effects).map(([value, [, word]]) => [value, word] as const);
  return filterForm({
    path: runPath(run),
    fields: html`${selectField({ name: 'effect', label: 'Effect', value: effect, options: [['', 'All'], ...words] })}
${textField({ name: 'attribute', label: 'Attribute', value: attribute && attributeLabel(attribute) })}`,
    button: 'Filter',
  });
}

function changeList(
  { run, sync, changes: total, finishedAt }: RunDetailView,
  { changes, next }: ChangePageView,
  filter: ChangeFilter,
): Html {
  const isFiltered = Object.keys(filter).length > 0;
  return pagedList({
    path: runPath(run),
    query: { ...filter },
    name: 'changes',
    rows: changes,
    // The counts of a run in progress are those of its plan.
    show: (
      rows,
    ) => html`${finishedAt !== undefined && html`<p>${figureOf(total, 'item')} ${total === 1 ? 'was' : 'were'} changed in the CMS.</p>`}
<ul class="changes">${rows.map((change) => html`<li>${changeItem(sync, change)}</li>`)}</ul>`,
    empty: isFiltered
      ? 'No change is like this.'
      : finishedAt === undefined
        ? 'No changes yet.'
        : 'It changed nothing in the CMS.',
    next,
    more: 'More changes',
  });
}

function changeItem(sync: string, { key, title, effect, cmsId, differences }: ChangeView): Html {
  const what = html`${badge(...effects[effect])} <span class="title">${title || key}</span> ${cmsId !== undefined && html`<span class="muted">#${cmsId}</span>`}`;
  const story = html`<p><a href="${recordPath(sync, key)}"><span class="unseen">${title || key}: </span>Story of this record</a></p>`;
  if (differences.length === 0) return html`<div class="row">${what} ${story}</div>`;
  return html`<details id="change-${key}"><summary>${what} <span class="muted">${attributeLabels(differences.map(({ attribute }) => attribute))}</span></summary>${differenceTable(differences)}${story}</details>`;
}

function failureSection({ run, sync, counts }: RunDetailView, { failures, next }: FailurePageView): Html {
  const { read, notSent = 0 } = counts;
  const pending = withQuery(recordsPath(sync), { state: 'pending' });
  return html`<section aria-labelledby="failures"><h2 id="failures">Not delivered</h2>
${notSent > 0 && html`<p>Nothing was sent for ${figure(notSent)} of ${figureOf(read, 'record')}. The next run of ${sync} sends them, and so does a retry. <a href="${pending}">Show pending records</a></p>`}
${
  failures.length > 0 &&
  pagedList({
    path: runPath(run),
    name: 'failures',
    rows: failures,
    show: (rows) => failureTable(sync, rows),
    empty: 'There are no more.',
    next,
    more: 'More',
  })
}</section>`;
}

function failureTable(sync: string, failures: FailurePageView['failures']): Html {
  return table<FailurePageView['failures'][number]>({
    caption: 'Not delivered',
    columns: [
      recordColumn(sync),
      { head: 'State', cell: ({ status }) => recordBadge(status) },
      { head: 'Reason', cell: ({ reason }) => prose(reason) },
      { head: 'What to do', cell: ({ key, remedy }) => prose(remedy, { sync, key }) },
    ],
    rows: failures,
  });
}

/** The files that records of the sync lack now. */
function fileSection(sync: string, files: NonNullable<RunDetailView['undeliveredFiles']>, context: PageContext): Html {
  return html`<section aria-labelledby="files"><h2 id="files">Without a file now</h2>
${table<(typeof files)[number]>({
  caption: 'Records that lack a file now',
  columns: [
    recordColumn(sync),
    { head: 'Attribute', cell: ({ attribute }) => attribute },
    { head: 'Reason', cell: ({ reason }) => prose(reason) },
    { head: 'In the CMS', cell: ({ keepsEarlier }) => (keepsEarlier ? 'the earlier file' : 'no file') },
    { head: 'Next try', kind: 'time', cell: ({ retryAt }) => (retryAt ? shortTime(retryAt, context) : 'next run') },
  ],
  rows: files,
})}</section>`;
}

function warningSection(warnings: RunDetailView['warnings']): Html {
  return html`<section aria-labelledby="warnings"><h2 id="warnings">Warnings</h2>
${table<RunDetailView['warnings'][number]>({
  caption: 'Warnings',
  columns: [
    { head: 'Place', isHeading: true, kind: 'key', cell: ({ at }) => at },
    { head: 'Warning', cell: ({ message }) => prose(message) },
  ],
  rows: warnings,
})}</section>`;
}

function alertSection(alerts: RunDetailView['alerts'], context: PageContext): Html {
  return html`<section aria-labelledby="alerts"><h2 id="alerts">Alerts</h2>
${table<RunDetailView['alerts'][number]>({
  caption: 'Alerts',
  columns: [
    { head: 'About', isHeading: true, cell: ({ kind }) => kind },
    { head: 'Sent to', cell: ({ channel }) => channel },
    { head: 'Sent', kind: 'time', cell: ({ sentAt }) => (sentAt ? shortTime(sentAt, context) : 'not yet') },
  ],
  rows: alerts,
})}</section>`;
}
