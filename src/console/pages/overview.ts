import { type Html, html } from '../../core/html/html.ts';
import type { NewsView } from '../../queries/syncs/overview.ts';
import {
  type AttentionItem,
  type OverviewView,
  type SyncRowView,
  type TargetStateView,
  URGENT,
} from '../../queries/views/overview.ts';
import { runPath, syncPath } from '../parts/addresses.ts';
import { badge, healthBadge } from '../parts/badge.ts';
import { CHART_LEGEND, sparkline } from '../parts/chart.ts';
import { figure, figureOf, fromNow, fullTime, type SiteNow, shortTime } from '../parts/figures.ts';
import { runLink, webLink } from '../parts/link.ts';
import { announced, emptyState, notice } from '../parts/notice.ts';
import { prose } from '../parts/prose.ts';
import { missingCell } from '../parts/run-table.ts';
import { facts, table } from '../parts/table.ts';
import { consolePage, type PageContent, type PageContext } from './page.ts';

const REFRESH_SECONDS = 10;

/** The page that is opened in the morning: what needs a person, then all syncs, then the CMS. */
export const overviewPage = consolePage({
  path: '/',
  async show(_input, { queries }, context) {
    const [overview, news] = await Promise.all([queries.overview(), queries.news(context.lastVisit)]);
    return overviewContent(overview, news, context);
  },
});

export function overviewContent(view: OverviewView, news: NewsView, context: PageContext): PageContent {
  const { attention, syncs, target, orphans } = view;
  return {
    title: 'Overview',
    section: 'overview',
    ...(context.viewer.mayConfigure && { aside: html`<a href="/feeds/new">Add a feed</a>` }),
    refreshSeconds: REFRESH_SECONDS,
    body: html`${announced(`${figureOf(attention.length, 'problem')} ${attention.length === 1 ? 'needs' : 'need'} attention.`)}${needsPerson(attention, syncs)}
${newsSection(news, context)}
<section aria-labelledby="syncs"><h2 id="syncs">Syncs</h2>${syncs.length === 0 ? noSyncs(context.viewer.mayConfigure) : html`${syncTable(view, context)}<p class="muted">${CHART_LEGEND}</p>`}</section>
${brokenFiles(syncs)}
<section aria-labelledby="target"><h2 id="target">CMS</h2>${targetFacts(target, context)}</section>
${orphans.length > 0 && orphanSection(orphans)}
<p class="muted">As of ${fullTime(view.at, context)}</p>`,
  };
}

/** What is new since the viewer last looked, or else since this time yesterday. */
function newsSection({ since, changes, plans, rejects }: NewsView, context: PageContext): Html {
  const words = { created: 'new', updated: 'changed', deleted: 'deleted', marked: 'marked as missing' } as const;
  const parts = (row: (typeof changes)[number]) =>
    (['created', 'updated', 'deleted', 'marked'] as const)
      .filter((name) => row[name] > 0)
      .map((name) => `${figure(row[name])} ${words[name]}`)
      .join(', ');
  return html`<section aria-labelledby="news"><h2 id="news">Since ${context.lastVisit ? 'you last looked' : 'yesterday'}, ${shortTime(since, context)}</h2>
<p>${plans.length === 0 ? 'No new plan waits for a decision.' : html`New to decide: ${plans.map(({ sync, run }) => html`<a href="${runPath(run, 'plan')}">the plan of ${sync}</a> `)}`}</p>
${rejects.length > 0 && html`<p>New rejects: ${rejects.map(({ sync, count }, place) => html`${place > 0 && ', '}<a href="${syncPath(sync, 'rejects')}">${figure(count)} of ${sync}</a>`)}</p>`}
${changes.length === 0 ? emptyState('Nothing was changed in the CMS.') : html`<ul>${changes.map((row) => html`<li><a href="${syncPath(row.sync, 'runs')}">Runs of ${row.sync}</a>: ${parts(row)}</li>`)}</ul>`}</section>`;
}

function needsPerson(items: readonly AttentionItem[], syncs: readonly SyncRowView[]): Html {
  const plans = new Set(syncs.map(({ waits }) => waits));
  if (items.length === 0) return notice('good', 'Nothing needs your attention.');
  return html`<section aria-labelledby="attention"><h2 id="attention">Needs attention</h2>
<ul class="attention">${items.map((item) => html`<li class="${URGENT.has(item.is) ? 'bad' : 'warning'}">${item.sync && html`<a href="${syncPath(item.sync)}"><strong>${item.sync}</strong></a>: `}${prose(item.text, { sync: item.sync, run: item.run })} ${attentionLink(item, plans)}</li>`)}</ul></section>`;
}

function attentionLink({ is, sync, run }: AttentionItem, plans: ReadonlySet<string | null>): Html | undefined {
  if (is === 'held' && run && plans.has(run))
    return html`<a href="${runPath(run, 'plan')}">Review the plan${of(sync)}</a>`;
  if (is === 'rejected' && sync) return html`<a href="${syncPath(sync, 'rejects')}">Show the rejects${of(sync)}</a>`;
  if (is === 'drift' && sync)
    return html`<a href="${syncPath(sync, 'verification')}">Show the differences${of(sync)}</a>`;
  if (is === 'questions' && sync)
    return html`<a href="${syncPath(sync, 'questions')}">Answer the questions${of(sync)}</a>`;
  if (is === 'orphan' && sync) return html`<a href="${syncPath(sync, 'purge')}">Delete its items${of(sync)}</a>`;
  return run === undefined ? undefined : html`<a href="${runPath(run)}">Show the run${of(sync)}</a>`;
}

/** Makes links of the same kind distinct for screen readers. */
function of(sync: string | undefined): Html | undefined {
  return sync === undefined ? undefined : html`<span class="unseen"> of ${sync}</span>`;
}

function syncTable({ syncs, scheduler, attention }: OverviewView, context: SiteNow): Html {
  // The reason is in the list above, if it needs a person.
  const listed = new Set(attention.map(({ sync }) => sync));
  const last = (count: (run: NonNullable<SyncRowView['lastRun']>) => number) => {
    return ({ lastRun }: SyncRowView) => (lastRun ? figure(count(lastRun)) : '–');
  };
  return table<SyncRowView>({
    caption: 'Syncs',
    columns: [
      { head: 'Sync', isHeading: true, cell: ({ sync }) => html`<a href="${syncPath(sync)}">${sync}</a>` },
      { head: 'Health', cell: (row) => healthCell(row, listed.has(row.sync)) },
      { head: 'Last run', kind: 'time', cell: ({ lastRun }) => lastRunCell(lastRun, context) },
      { head: 'Next run', kind: 'time', cell: (row) => nextRunCell(row, scheduler, context) },
      { head: 'New', kind: 'number', cell: last(({ counts }) => counts.created) },
      { head: 'Changed', kind: 'number', cell: last(({ counts }) => counts.updated) },
      { head: 'Rejected', kind: 'number', cell: last(({ counts }) => counts.rejected) },
      { head: 'Missing', kind: 'number', cell: ({ lastRun }) => (lastRun ? missingCell(lastRun) : '–') },
      {
        head: 'Last 30 runs',
        isExtra: true,
        cell: ({ recentRuns }) => (recentRuns.length > 0 ? sparkline(recentRuns) : '–'),
      },
    ],
    rows: syncs,
  });
}

function healthCell({ sync, health, why, underWay }: SyncRowView, isListed: boolean): Html {
  const word = healthBadge(health);
  return html`${underWay ? html`<a href="${runPath(underWay)}">${word}</a>` : word}${!isListed && why && html`<span class="why">${prose(why, { sync })}</span>`}`;
}

function lastRunCell(lastRun: SyncRowView['lastRun'], context: SiteNow): Html | string {
  return lastRun ? runLink(lastRun, context) : 'never';
}

function nextRunCell(
  { nextRunAt, schedule, paused }: SyncRowView,
  { isRunning }: OverviewView['scheduler'],
  context: SiteNow,
): Html | string {
  if (paused) return 'paused';
  if (nextRunAt === null) return schedule === null ? 'on request' : '–';
  if (!isRunning) return 'no scheduler';
  return Date.parse(nextRunAt) <= context.now ? 'due' : shortTime(nextRunAt, context);
}

function targetFacts(
  { baseUrl, state, until, reason, inFlightLimit, requestsPerSecond }: TargetStateView,
  context: SiteNow,
): Html {
  const [tone, word] = (
    { open: ['good', 'Open'], paused: ['warning', 'Paused'], stopped: ['bad', 'Stopped'] } as const
  )[state];
  return facts([
    ['Address', webLink(baseUrl)],
    ['State', html`${badge(tone, word)} ${reason && prose(reason)}`],
    ['Resumes', until && html`${fullTime(until, context)} (${fromNow(until, context)})`],
    ['Requests in flight', inFlightLimit && `at most ${figure(inFlightLimit)}`],
    ['Rate', requestsPerSecond && `at most ${figureOf(requestsPerSecond, 'request')} a second`],
  ]);
}

function brokenFiles(syncs: readonly SyncRowView[]): Html | undefined {
  const broken = syncs.filter(({ mistakes }) => mistakes.length > 0);
  if (broken.length === 0) return undefined;
  return html`<section aria-labelledby="broken"><h2 id="broken">Config files with mistakes</h2>
<p>These syncs do not run until their file is corrected. Check it with <code>feedferry validate</code>.</p>
${broken.map(({ sync, mistakes }) => html`<h3>${sync}</h3><ul>${mistakes.map((mistake) => html`<li><code>${mistake}</code></li>`)}</ul>`)}</section>`;
}

function orphanSection(orphans: OverviewView['orphans']): Html {
  return html`<section aria-labelledby="orphans"><h2 id="orphans">Syncs without a file</h2>
<p>Their files were removed, but their items are still in the CMS.</p>
${table<OverviewView['orphans'][number]>({
  caption: 'Syncs without a file',
  columns: [
    { head: 'Sync', isHeading: true, cell: ({ sync }) => sync },
    { head: 'Items', kind: 'number', cell: ({ items }) => figure(items) },
    {
      head: 'What to do',
      cell: ({ sync, heir }) =>
        heir
          ? html`<a href="${syncPath(heir)}">${heir}</a> takes them over in its next run`
          : html`restore its file, or <a href="${syncPath(sync, 'purge')}">delete its items</a>`,
    },
  ],
  rows: orphans,
})}</section>`;
}

function noSyncs(mayConfigure = false): Html {
  const onServer = html`<code>feedferry init https://…</code>`;
  return emptyState(
    mayConfigure
      ? html`There is no sync yet. <a href="/feeds/new">Add the first feed</a>, or write its sync on the server: ${onServer}`
      : html`There is no sync yet. Write one from a feed: ${onServer}`,
  );
}
