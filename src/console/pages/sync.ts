import { uploadAt } from '../../app/uploads.ts';
import { type Html, html } from '../../core/html/html.ts';
import { runPath, syncPath, withQuery } from '../../core/text/addresses.ts';
import { figure, figureOf, fromNow } from '../../core/text/figures.ts';
import { healths } from '../../documents/badges.ts';
import { deedTable, runList } from '../../documents/runs.ts';
import type { RunRowView } from '../../queries/views/overview.ts';
import { describeHeld } from '../../queries/views/overview.ts';
import type { SyncDetailView } from '../../queries/views/sync.ts';
import { mayDo } from '../access/viewer.ts';
import { sparkline } from '../parts/chart.ts';
import { editOf } from '../parts/edit.ts';
import { cappedFigure, fullTime } from '../parts/figures.ts';
import { actionForm, longField, reasonField, textField } from '../parts/form.ts';
import { webLink } from '../parts/link.ts';
import { announced, badge, emptyState, linesToCopy, notice, prose } from '../parts/notice.ts';
import { sourceTable } from '../parts/source-table.ts';
import { syncTabs } from '../parts/sync-tabs.ts';
import { facts } from '../parts/table.ts';
import { asHtml } from './as-html.ts';
import { consolePage, type PageContent, type PageContext } from './page.ts';

const RUNS = 10;
const REFRESH_SECONDS = 10;

/** A sync: its state, its last runs, and the actions that are possible. */
export const syncPage = consolePage({
  path: '/syncs/:sync',
  async show({ sync }, { queries }, context) {
    const [detail, { runs }] = await Promise.all([queries.sync(sync), queries.runs({ sync, limit: RUNS })]);
    return syncContent(detail, runs, context);
  },
});

export function syncContent(view: SyncDetailView, runs: readonly RunRowView[], context: PageContext): PageContent {
  const { sync, recentRuns, config, deeds, mistakes, sources = [] } = view;
  return {
    title: sync,
    crumbs: [{ to: '/', text: 'Overview' }],
    // The aside is not refreshed, so what a person types stays.
    aside: html`${syncActions(view, context)}${pausePart(view, context)}${backfillPart(view, context)}`,
    refreshSeconds: REFRESH_SECONDS,
    body: html`${syncTabs(sync, 'sync')}
${announced(`Health of ${sync}: ${healths[view.health][1]}.`)}${view.paused && pauseNotice(view.paused, context)}
${whatToKnow(view)}
${syncFacts(view, context)}
${mistakes.length > 0 && notice('bad', html`<p><strong>Its file has mistakes, so it cannot run:</strong></p><ul>${mistakes.map((mistake) => html`<li><code>${mistake}</code></li>`)}</ul>`)}
${sources.length > 0 && html`<section aria-labelledby="sources"><h2 id="sources">Sources</h2>${sourceTable(sources, context)}</section>`}
<section aria-labelledby="runs"><h2 id="runs">Runs</h2>${recentRuns.length > 0 && sparkline(recentRuns)}
${runs.length === 0 ? emptyState('It has never run.') : html`${asHtml(runList(runs), context)}<p class="next"><a href="${syncPath(sync, 'runs')}">All runs →</a></p>`}</section>
<section aria-labelledby="deeds"><h2 id="deeds">Who did what</h2>${asHtml([deedTable(deeds, editOf(context))], context)}</section>
${config && html`<section aria-labelledby="config"><h2 id="config">Config</h2><details id="config-text"><summary>${config.file}</summary><pre tabindex="0" role="group" aria-label="Config file">${config.text}</pre></details>${mistakes.length === 0 && changeLinks(view, context)}</section>`}
${mayDo(context.viewer, 'approve') && html`<p class="muted"><a href="${syncPath(sync, 'purge')}">Delete everything that this sync created …</a></p>`}${releasePart(sync, context)}`,
  };
}

/** Leads to the pages on which the sync is changed, and on which a new version of its feed is uploaded. */
function changeLinks({ sync, source = '', sources }: SyncDetailView, { viewer }: PageContext): Html | undefined {
  const feeds = sources?.map((one) => [one.location ?? '', one.source] as const) ?? [[source, undefined] as const];
  const links = html`<p><a class="button" href="${syncPath(sync, 'change')}">Change its fields</a>${viewer.maySave && html` <a href="${syncPath(sync, 'edits')}">What was changed here</a>`}</p>
${viewer.maySave && feeds.map(([location, name]) => uploadLink(sync, name, uploadAt(location)))}`;
  return viewer.mayConfigure && links;
}

function uploadLink(sync: string, source: string | undefined, upload: ReturnType<typeof uploadAt>): Html | undefined {
  const whose = source === undefined ? 'Its feed' : `The feed of ${source}`;
  const path = withQuery(syncPath(sync, 'upload'), { source });
  return (
    upload &&
    html`<p>${whose} is the file ${upload.name}, uploaded on ${upload.day}. <a class="button" href="${path}">Upload a new version</a></p>`
  );
}

function syncActions({ sync, underWay, undelivered, paused }: SyncDetailView, { viewer }: PageContext): Html {
  const waiting = undelivered.pending + undelivered.failed + undelivered.held;
  const isWatched = underWay !== null;
  const retry = {
    viewer,
    does: 'retry',
    to: { sync },
    label: `Retry ${cappedFigure(waiting)} record${waiting === 1 ? '' : 's'}`,
  } as const;
  const run = { viewer, does: 'start', hidden: { sync }, label: 'Run now', kind: 'primary' } as const;
  const resume = { viewer, does: 'resume', to: { sync }, label: 'Resume', kind: 'primary' } as const;
  return html`${waiting > 0 && !isWatched && actionForm(retry)}
${isWatched && html`<a class="button primary" href="${runPath(underWay)}">Watch the run</a>`}
${!isWatched && !paused && actionForm(run)}${paused && actionForm(resume)}`;
}

function pauseNotice({ by, since, reason }: NonNullable<SyncDetailView['paused']>, context: PageContext): Html {
  return notice(
    'warning',
    html`<p><strong>Paused by ${by}</strong> on ${fullTime(since, context)}. Reason: <q>${reason}</q></p>
<p>No run begins, neither by schedule nor on request. Approving, retrying and undoing are possible.</p>`,
  );
}

function pausePart({ sync, paused }: SyncDetailView, { viewer }: PageContext): Html | undefined {
  if (paused) return undefined;
  const form = actionForm({
    viewer,
    does: 'pause',
    to: { sync },
    label: 'Pause the sync',
    fields: html`<p>No run begins until the sync is resumed. A run in progress continues.</p>${reasonField({ isRequired: true })}`,
  });
  return form && html`<details id="pause"><summary>Pause …</summary>${form}</details>`;
}

function backfillPart({ sync, resource, paused }: SyncDetailView, { viewer }: PageContext): Html | undefined {
  if (paused || resource !== 'events') return undefined;
  const form = actionForm({
    viewer,
    does: 'backfill',
    to: { sync },
    label: 'Import these days',
    fields: html`<p>Imports other days of the feed than the sync does, once. Nothing counts as missing.</p>
${textField({ name: 'from', label: 'First day (optional)', type: 'date' })}${textField({ name: 'to', label: 'Last day (optional)', type: 'date' })}`,
  });
  return form && html`<details id="backfill"><summary>Import other days …</summary>${form}</details>`;
}

function releasePart(sync: string, { viewer }: PageContext): Html | undefined {
  const form = actionForm({
    viewer,
    does: 'release',
    to: { sync },
    label: 'Forget its records',
    kind: 'danger',
    fields: html`<p>The items stay on the site, and feedferry no longer manages them. If the sync runs again, it may create them a second time.</p>
${longField({ name: 'reason', id: 'release-reason', label: 'Why it is no longer managed', hint: 'It is kept in the history, with your name.', isRequired: true })}
${textField({ name: 'confirm', label: `Enter ${sync} to confirm`, isRequired: true, autocomplete: 'off' })}`,
  });
  return (
    form && html`<details id="release"><summary>Keep the items, but stop managing them …</summary>${form}</details>`
  );
}

/** States of which another part of the page says the reason. */
const EXPLAINED = ['ok', 'running', 'paused', 'drift'];

function whatToKnow(view: SyncDetailView): Html {
  const { sync, health, why, waits, drift, questions = 0, stillShown = [], unlisted = [] } = view;
  const waiting = describeHeld(view);
  const tone = health === 'failed' || health === 'broken' ? 'bad' : 'warning';
  const reason = EXPLAINED.includes(health) ? stillShown.map((text) => `${text}.`).join(' ') : why;
  return html`${reason && notice(tone, html`<p>${prose(reason, { sync })}${stillShown.length > 0 && html` <a href="${syncPath(sync, 'rejects')}">Show what to do</a>`}</p>${linesToCopy(reason)}`)}
${waits && notice('warning', html`A plan is on hold and waits for a decision. <a href="${runPath(waits, 'plan')}">Review the plan</a>`)}
${drift && notice('warning', html`The CMS differs from what was delivered: ${drift}. <a href="${syncPath(sync, 'verification')}">Show the differences</a>`)}
${waiting && notice('info', html`${waiting} <a href="${syncPath(sync, 'questions')}">Look at what waits</a>`)}
${questions > 0 && notice('info', html`<a href="${syncPath(sync, 'questions')}">${figureOf(questions, 'question')}</a>: your answer is needed.`)}
${unlisted.length > 0 && notice('info', html`<p>To be added to the lookup tables:</p><ul>${unlisted.map((text) => html`<li>${text}</li>`)}</ul>`)}`;
}

function syncFacts(view: SyncDetailView, context: PageContext): Html {
  const {
    sync,
    health,
    resource,
    source,
    schedule,
    nextRunAt,
    scheduler,
    lastSuccessAt,
    lastRun,
    undelivered,
    questions,
  } = view;
  const { pending, failed, held } = undelivered;
  const { withoutFiles = 0 } = view;
  return facts([
    ['Health', badge(...healths[health])],
    ['Feed', !view.sources && webLink(source)],
    ['Delivers', resource],
    ['Schedule', schedule ?? 'on request'],
    ['Next run', nextRunAt !== null && !scheduler.isRunning && noScheduler(scheduler, context)],
    [
      'Next run',
      nextRunAt !== null &&
        scheduler.isRunning &&
        html`${fullTime(nextRunAt, context)} (${Date.parse(nextRunAt) <= context.now ? 'due' : fromNow(nextRunAt, context)})`,
    ],
    [
      'Last good run',
      lastSuccessAt !== null ? html`${fullTime(lastSuccessAt, context)} (${fromNow(lastSuccessAt, context)})` : 'never',
    ],
    [
      'Rejected in the last run',
      lastRun !== null &&
        html`<a href="${syncPath(sync, 'rejects')}">${figureOf(lastRun.counts.rejected, 'record')}</a>`,
    ],
    [
      'Delivered without a file',
      withoutFiles > 0 && lastRun && html`<a href="${runPath(lastRun.run)}">${figureOf(withoutFiles, 'record')}</a>`,
    ],
    [
      'Questions',
      questions !== undefined && html`<a href="${syncPath(sync, 'questions')}">${figure(questions)} open</a>`,
    ],
    ['Pictures', resource === 'events' && html`<a href="${syncPath(sync, 'pictures')}">Show the pictures</a>`],
    [
      'Undelivered',
      pending + failed + held > 0 &&
        `${cappedFigure(pending)} pending, ${cappedFigure(failed)} failed, ${cappedFigure(held)} on hold`,
    ],
  ]);
}

function noScheduler({ since }: SyncDetailView['scheduler'], context: PageContext): Html {
  if (since === undefined) return html`no scheduler has run yet`;
  return html`no scheduler is running since ${fullTime(since, context)}`;
}
