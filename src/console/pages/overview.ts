import { type Html, html } from '../../core/html/html.ts';
import { recordsPath, runPath, syncPath } from '../../core/text/addresses.ts';
import { countText, figure, figureOf, fromNow, someFigure } from '../../core/text/figures.ts';
import { healths } from '../../documents/badges.ts';
import { startLink } from '../../documents/runs.ts';
import type { NewsView } from '../../queries/syncs/overview.ts';
import {
  type AttentionItem,
  type OverviewView,
  type SyncRowView,
  type TargetStateView,
  URGENT,
} from '../../queries/views/overview.ts';
import { mayDo } from '../access/viewer.ts';
import { sparkline } from '../parts/chart.ts';
import { fullTime, type SiteNow, shortTime } from '../parts/figures.ts';
import { actionForm } from '../parts/form.ts';
import { webLink } from '../parts/link.ts';
import { advice, announced, badge, emptyState, notice, prose } from '../parts/notice.ts';
import { facts, table } from '../parts/table.ts';
import { cellHtml } from './as-html.ts';
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
  const { attention, syncs, target } = view;
  return {
    title: 'Overview',
    section: 'overview',
    ...(context.viewer.mayConfigure && { aside: html`<a href="/feeds/new">Add a feed</a>` }),
    refreshSeconds: REFRESH_SECONDS,
    body: html`${announced(`${figureOf(attention.length, 'problem')} ${attention.length === 1 ? 'needs' : 'need'} attention.`)}${needsPerson(view, context)}
${newsSection(news, context)}
<section aria-labelledby="syncs"><h2 id="syncs">Syncs</h2>${syncs.length === 0 ? noSyncs(context.viewer.mayConfigure) : syncTable(view, context)}</section>
<section aria-labelledby="target"><h2 id="target">CMS</h2>${targetFacts(target, context)}</section>`,
  };
}

/** What is new since the viewer last looked, or else since this time yesterday. */
function newsSection({ since, changes, plans, rejects }: NewsView, context: PageContext): Html {
  return html`<section aria-labelledby="news"><h2 id="news">${context.lastVisit ? html`Since you last looked, ${shortTime(since, context)}` : 'In the last 24 hours'}</h2>
${plans.length > 0 && html`<p>New to decide: ${plans.map(({ sync, run }) => html`<a href="${runPath(run, 'plan')}">the plan of ${sync}</a> `)}</p>`}
${rejects.length > 0 && html`<p>New rejects: ${rejects.map(({ sync, count }, place) => html`${place > 0 && ', '}<a href="${syncPath(sync, 'rejects')}">${figure(count)} of ${sync}</a>`)}</p>`}
${changes.length === 0 ? emptyState('Nothing was changed in the CMS.') : html`<ul>${changes.map((row) => html`<li><a href="${syncPath(row.sync, 'runs')}">Runs of ${row.sync}</a>: ${countText(row)}</li>`)}</ul>`}</section>`;
}

/** One card for each feed: what is wrong, since when, what follows, and what a person can do. */
function needsPerson({ attention, syncs }: OverviewView, context: PageContext): Html {
  if (attention.length === 0) return notice('good', 'Nothing needs your attention.');
  const cards = Map.groupBy(attention, ({ sync }) => sync ?? '');
  return html`<section aria-labelledby="attention"><h2 id="attention">Needs attention</h2><div class="cards">
${[...cards].map(([sync, items]) =>
  card(
    items,
    syncs.find((row) => row.sync === sync),
    context,
  ),
)}</div></section>`;
}

function card(items: readonly AttentionItem[], row: SyncRowView | undefined, context: PageContext): Html {
  const [{ sync } = {}] = items;
  const isUrgent = items.some(({ is }) => URGENT.has(is));
  const remedies = [...new Set(items.flatMap(({ is, remedy }) => (is in TELLING ? [] : remedy)))];
  // A guard may hold a run without a plan, as that of an empty feed.
  const followOf = ({ is, run }: AttentionItem) =>
    is === 'held' && row?.waits !== run ? AS_IT_IS : (FOLLOWS[is] ?? []);
  const follows = [...new Set(items.flatMap(followOf))];
  const since = isUrgent && row?.lastSuccessAt;
  return html`<article class="card ${isUrgent ? 'bad' : 'warning'}"><h3>${sync === undefined ? 'The whole site' : html`<a href="${syncPath(sync)}">${sync}</a>`}</h3>
<ul>${items.map(({ text, run }) => html`<li>${prose(text, { sync, run })}</li>`)}</ul>
<p>${since && html`The last good run was ${fromNow(since, context)}. `}${follows.join(' ')}</p>
<div class="actions">${items.map((item) => attentionLink(item, row))}${actionsOf(items, row, context)}</div>
${remedies.length > 0 && html`<details id="remedy-${sync}"><summary>What to do<span class="unseen"> about ${sync ?? 'the site'}</span></summary>${remedies.map((remedy) => advice(remedy, { sync, run: items[0]?.run }))}</details>`}</article>`;
}

const AS_IT_IS = 'What is on the site stays as it is.';

/** What follows from a problem for the site. */
const FOLLOWS: Partial<Record<AttentionItem['is'], string>> = {
  stopped: AS_IT_IS,
  unscheduled: AS_IT_IS,
  failed: AS_IT_IS,
  late: AS_IT_IS,
  broken: AS_IT_IS,
  held: 'Nothing of this plan is on the site until it is decided.',
  rejected: 'Rejected records are not on the site, or stay as they were.',
  questions: 'Until they are answered, only one of each pair is on the site.',
};

/** Kinds whose link or button says what to do. */
const TELLING: Partial<Record<AttentionItem['is'], [text: string, path: (sync: string) => string]>> = {
  rejected: ['Show the rejects', (sync) => syncPath(sync, 'rejects')],
  drift: ['Show the differences', (sync) => syncPath(sync, 'verification')],
  questions: ['Answer the questions', (sync) => syncPath(sync, 'questions')],
  reviews: ['Look at what waits', (sync) => syncPath(sync, 'questions')],
  incomplete: ['Show its runs', (sync) => syncPath(sync, 'runs')],
  undelivered: ['Show the records', (sync) => recordsPath(sync)],
};

/** The link that says what to do about a problem of a sync. */
export function attentionLink({ is, sync, run }: AttentionItem, row: SyncRowView | undefined): Html | undefined {
  if (sync === undefined) return undefined;
  const to = (text: string, path: string) =>
    html`<a class="button" href="${path}">${text}<span class="unseen"> of ${sync}</span></a>`;
  if (is === 'held' && run && row?.waits === run) return to('Review the plan', runPath(run, 'plan'));
  if (is === 'orphan') return to('Delete its items', syncPath(sync, 'purge'));
  const [text, path] = TELLING[is] ?? [];
  if (text && path) return to(text, path(sync));
  return run === undefined ? undefined : to('Show the run', runPath(run));
}

/** What can be done at once. */
function actionsOf(
  items: readonly AttentionItem[],
  row: SyncRowView | undefined,
  { viewer }: PageContext,
): Html | undefined {
  if (!row || row.underWay !== null || row.paused || row.mistakes.length > 0) return undefined;
  const { sync } = row;
  const name = html`<span class="unseen"> ${sync}</span>`;
  const retries = items.some(({ is }) => is === 'undelivered' || is === 'withoutFiles');
  const again = items.some(({ is }) => is === 'failed' || is === 'late' || is === 'incomplete');
  return html`${again && actionForm({ viewer, does: 'start', hidden: { sync }, label: html`Run again${name}` })}
${retries && actionForm({ viewer, does: 'retry', to: { sync }, label: html`Try again${name}` })}
${again && mayDo(viewer, 'operate') && html`<a class="button" href="${syncPath(sync)}#pause">Pause …${name}</a>`}`;
}

function syncTable({ syncs, scheduler, attention }: OverviewView, context: PageContext): Html {
  // The reason is in the list above, if it needs a person.
  const listed = new Set(attention.map(({ sync }) => sync));
  const last = (count: (counts: NonNullable<SyncRowView['lastRun']>['counts']) => number) => {
    return ({ lastRun }: SyncRowView) => (lastRun ? someFigure(count(lastRun.counts)) : undefined);
  };
  return table<SyncRowView>({
    caption: 'Syncs',
    columns: [
      { head: 'Sync', isHeading: true, cell: ({ sync }) => html`<a href="${syncPath(sync)}">${sync}</a>` },
      { head: 'Health', cell: (row) => healthCell(row, listed.has(row.sync)) },
      { head: 'Last run', kind: 'time', cell: ({ lastRun }) => lastRunCell(lastRun, context) },
      { head: 'Next run', kind: 'time', cell: (row) => nextRunCell(row, scheduler, context) },
      { head: 'New', kind: 'number', cell: last(({ created }) => created) },
      { head: 'Changed', kind: 'number', cell: last(({ updated, marked }) => updated + marked) },
      { head: 'Rejected', kind: 'number', cell: last(({ rejected }) => rejected) },
      { head: 'Deleted', kind: 'number', cell: last(({ deleted }) => deleted) },
      {
        head: 'Last 30 runs',
        isExtra: true,
        cell: ({ recentRuns }) => recentRuns.length > 0 && sparkline(recentRuns),
      },
    ],
    rows: syncs,
  });
}

function healthCell({ sync, health, why, underWay }: SyncRowView, isListed: boolean): Html {
  const word = badge(...healths[health]);
  return html`${underWay ? html`<a href="${runPath(underWay)}">${word}</a>` : word}${!isListed && why && html`<span class="why">${prose(why, { sync })}</span>`}`;
}

function lastRunCell(lastRun: SyncRowView['lastRun'], context: PageContext): Html | string {
  return lastRun ? html`${cellHtml(startLink(lastRun), context)}` : 'never';
}

function nextRunCell(
  { nextRunAt, schedule, paused }: SyncRowView,
  { isRunning }: OverviewView['scheduler'],
  context: SiteNow,
): Html | string {
  if (paused) return 'paused';
  if (nextRunAt === null) return schedule === null ? 'on request' : '';
  if (!isRunning) return 'no scheduler';
  return Date.parse(nextRunAt) <= context.now ? 'due' : shortTime(nextRunAt, context);
}

function targetFacts({ baseUrl, state, until, reason }: TargetStateView, context: SiteNow): Html {
  const [tone, word] = (
    { open: ['good', 'Open'], paused: ['warning', 'Paused'], stopped: ['bad', 'Stopped'] } as const
  )[state];
  return facts([
    ['Address', webLink(baseUrl)],
    ['State', html`${badge(tone, word)} ${reason && prose(reason)}`],
    ['Resumes', until && html`${fullTime(until, context)} (${fromNow(until, context)})`],
  ]);
}

function noSyncs(mayConfigure = false): Html {
  return html`${emptyState(mayConfigure ? html`There is no sync yet. <a href="/feeds/new">Add the first feed</a>` : 'There is no sync yet. The people who run feedferry add the first one.')}
<details id="init"><summary>On the server</summary>${!mayConfigure && html`<p>With <code>HTTP_EDIT=on</code>, feeds are added on this page. Or run:</p>`}<pre tabindex="0" role="group" aria-label="Command">feedferry init https://…</pre></details>`;
}
