import type { RunRowView } from '../../queries/views/overview.ts';
import type { SyncDetailView } from '../../queries/views/sync.ts';
import { mayDo } from '../access/viewer.ts';
import { runPath, syncPath } from '../parts/addresses.ts';
import { healthBadge } from '../parts/badge.ts';
import { runCharts } from '../parts/chart.ts';
import { deedTable } from '../parts/deeds.ts';
import { figure, figureOf, fromNow, fullTime } from '../parts/figures.ts';
import { actionForm } from '../parts/form.ts';
import { type Html, html } from '../parts/html.ts';
import { webLink } from '../parts/link.ts';
import { emptyState, notice } from '../parts/notice.ts';
import { runTable } from '../parts/run-table.ts';
import { syncTabs } from '../parts/sync-tabs.ts';
import { facts } from '../parts/table.ts';
import { consolePage, nothing, type PageContent, type PageContext, syncParams } from './page.ts';

const RUNS = 10;
const REFRESH_SECONDS = 10;

/** A sync: its state, its last runs, and the actions that are possible. */
export const syncPage = consolePage({
  path: '/syncs/:sync',
  params: syncParams,
  query: nothing,
  async show({ sync }, { queries }, context) {
    const [detail, { runs }] = await Promise.all([queries.sync(sync), queries.runs({ sync, limit: RUNS })]);
    return syncContent(detail, runs, context);
  },
});

export function syncContent(view: SyncDetailView, runs: readonly RunRowView[], context: PageContext): PageContent {
  const { sync, recentRuns, config, deeds, mistakes } = view;
  return {
    title: sync,
    crumbs: [{ to: '/', text: 'Overview' }],
    aside: syncActions(view, context),
    refreshSeconds: REFRESH_SECONDS,
    body: html`${syncTabs(sync, 'sync')}
${whatToKnow(view)}
${syncFacts(view, context)}
${mistakes.length > 0 && notice('bad', html`<p><strong>Its file has mistakes, so it cannot run:</strong></p><ul>${mistakes.map((mistake) => html`<li><code>${mistake}</code></li>`)}</ul>`)}
${recentRuns.length > 0 && html`<section aria-labelledby="charts"><h2 id="charts">Last ${recentRuns.length} runs</h2>${runCharts(recentRuns)}</section>`}
<section aria-labelledby="runs"><h2 id="runs">Runs</h2>
${runs.length === 0 ? emptyState('It has never run.') : html`${runTable(runs, context)}<p class="next"><a href="${syncPath(sync, 'runs')}">All runs →</a></p>`}</section>
<section aria-labelledby="deeds"><h2 id="deeds">Who did what</h2>${deedTable(deeds, context)}</section>
${config && html`<section aria-labelledby="config"><h2 id="config">Config</h2><details id="config-text"><summary>${config.file}</summary><pre tabindex="0" role="group" aria-label="Config file">${config.text}</pre></details></section>`}
${mayDo(context.viewer, 'approve') && html`<p class="muted"><a href="${syncPath(sync, 'purge')}">Delete everything that this sync created …</a></p>`}`,
  };
}

function syncActions({ sync, underWay, undelivered }: SyncDetailView, { viewer }: PageContext): Html {
  const waiting = undelivered.pending + undelivered.failed + undelivered.held;
  const retry = {
    viewer,
    does: 'retry',
    to: { sync },
    label: `Retry ${figureOf(waiting, 'record')}`,
  } as const;
  const run = {
    viewer,
    does: 'run',
    to: { sync },
    label: 'Run now',
    kind: 'primary',
  } as const;
  return html`${waiting > 0 && !underWay && actionForm(retry)}${
    underWay ? html`<a class="button primary" href="${runPath(underWay)}">Watch the run</a>` : actionForm(run)
  }`;
}

function whatToKnow({ health, why, waits, drift, backfill }: SyncDetailView): Html {
  const tone = health === 'failed' || health === 'broken' ? 'bad' : 'warning';
  return html`${why && health !== 'ok' && health !== 'running' && notice(tone, why)}
${waits && notice('warning', html`A plan is on hold and waits for a decision. <a href="${runPath(waits, 'plan')}">Review the plan</a>`)}
${drift && drift !== why && notice('warning', drift)}
${backfill && notice('info', html`<a href="${runPath(backfill.run)}">A backfill</a> is unfinished: ${figure(backfill.done)} of ${backfill.total === null ? 'an unknown number' : figure(backfill.total)} records are done.`)}`;
}

function syncFacts(view: SyncDetailView, context: PageContext): Html {
  const { sync, health, resource, source, schedule, nextRunAt, lastSuccessAt, lastRun, undelivered } = view;
  const { pending, failed, held } = undelivered;
  return facts([
    ['Health', healthBadge(health)],
    ['Feed', webLink(source)],
    ['Delivers', resource],
    ['Schedule', schedule ?? 'on request'],
    [
      'Next run',
      nextRunAt !== null &&
        html`${fullTime(nextRunAt, context)} (${Date.parse(nextRunAt) <= context.now ? 'due' : fromNow(nextRunAt, context)})`,
    ],
    [
      'Last success',
      lastSuccessAt !== null ? html`${fullTime(lastSuccessAt, context)} (${fromNow(lastSuccessAt, context)})` : 'never',
    ],
    [
      'Rejected in the last run',
      lastRun !== null &&
        html`<a href="${syncPath(sync, 'rejects')}">${figureOf(lastRun.counts.rejected, 'record')}</a>`,
    ],
    [
      'Undelivered',
      pending + failed + held > 0 && `${figure(pending)} pending, ${figure(failed)} failed, ${figure(held)} on hold`,
    ],
  ]);
}
