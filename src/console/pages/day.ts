import { z } from 'zod';
import { addDays, dateAt, isIsoDate } from '../../core/dates/iso-date.ts';
import { type Html, html } from '../../core/html/html.ts';
import { dayPath, runPath, syncPath } from '../../core/text/addresses.ts';
import { attributeLabels } from '../../core/text/attribute-label.ts';
import { countText, figure, figureOf, someFigure } from '../../core/text/figures.ts';
import { resultOf, resultWord } from '../../documents/badges.ts';
import { mark } from '../../documents/inline.ts';
import { effects } from '../../documents/run.ts';
import { deedTable, rejectedIn } from '../../documents/runs.ts';
import type { DayView } from '../../queries/runs/day.ts';
import type { OverviewView, RunRowView } from '../../queries/views/overview.ts';
import { editOf } from '../parts/edit.ts';
import { shortTime } from '../parts/figures.ts';
import { filterForm, textField } from '../parts/form.ts';
import { recordColumn } from '../parts/link.ts';
import { emptyState, notice, prose } from '../parts/notice.ts';
import { table } from '../parts/table.ts';
import { asHtml, cellHtml } from './as-html.ts';
import { attentionLink } from './overview.ts';
import { consolePage, optionalText, type PageContent, type PageContext } from './page.ts';

/** If a day has more changes, those of each run are folded. */
const MOST_OPEN = 20;

/** What did today do: the results, changes and decisions of all syncs on one day. */
export const dayPage = consolePage({
  path: '/day',
  query: z.object({ day: optionalText.refine((text) => text === undefined || isIsoDate(text), 'Enter a day.') }),
  async show({ day }, { queries }, context) {
    const today = dateAt(context.now, context.timezone);
    const isToday = day === undefined || day === today;
    const [view, overview] = await Promise.all([queries.day(day ?? today), isToday ? queries.overview() : undefined]);
    return dayContent(view, context, overview);
  },
});

/** @param overview of today: what waits for a person */
export function dayContent(view: DayView, context: PageContext, overview?: OverviewView): PageContent {
  const { day, runs, changed, deeds, isCut } = view;
  const today = dateAt(context.now, context.timezone);
  const isOpen = changed.reduce((sum, { items }) => sum + items.length, 0) <= MOST_OPEN;
  // What people have started is among the results.
  const decisions = deeds.filter(({ deed }) => deed !== 'run');
  return {
    title: day === today ? `Today, ${day}` : `What happened on ${day}`,
    section: 'day',
    aside: html`<a href="/runs">All runs</a><a href="/rejects">All rejects</a><a class="button" href="${dayPath(addDays(day, -1))}">← Day before</a>${day < today && html`<a class="button" href="${dayPath(addDays(day, 1))}">Day after →</a>`}`,
    body: html`${filterForm({ path: '/day', fields: textField({ name: 'day', label: 'Day', type: 'date', value: day }), button: 'Show' })}
<p>${summary(view)}</p>
${isCut && notice('info', 'There is more than this page lists. The pages of the runs have the rest.')}
${overview && decisionList(overview)}
${changed.length > 0 && html`<section aria-labelledby="changes"><h2 id="changes">Changes on the site</h2>${changed.map((each) => changesOf(each, view, isOpen, context))}</section>`}
<section aria-labelledby="runs"><h2 id="runs">Results</h2>${runs.length === 0 ? emptyState('No sync ran on this day.') : resultTable(runs, context)}</section>
${decisions.length > 0 && html`<section aria-labelledby="deeds"><h2 id="deeds">Decisions</h2>${asHtml([deedTable(decisions, editOf(context))], context)}</section>`}`,
  };
}

/** The plans and questions that wait, however long. */
function decisionList({ attention, syncs }: OverviewView): Html | false {
  const waiting = attention.filter(({ is }) => is === 'held' || is === 'questions' || is === 'reviews');
  const row = (name: string | undefined) => syncs.find(({ sync }) => sync === name);
  return (
    waiting.length > 0 &&
    html`<section aria-labelledby="waiting"><h2 id="waiting">Waits for a person</h2><ul>${waiting.map((item) => html`<li>${item.sync}: ${prose(item.text, item)} ${attentionLink(item, row(item.sync))}</li>`)}</ul></section>`
  );
}

function summary({ runs }: DayView): string {
  const idle = runs.filter((run) => countText(run.counts) === '').length;
  const sum = (count: 'created' | 'updated' | 'marked' | 'deleted') =>
    runs.reduce((total, { counts }) => total + counts[count], 0);
  const changes = countText({
    created: sum('created'),
    updated: sum('updated'),
    marked: sum('marked'),
    deleted: sum('deleted'),
  });
  return `${figureOf(runs.length, 'run')}${idle > 0 ? `, ${idle === runs.length ? 'all' : figure(idle)} without changes` : ''}${changes && `: ${changes}`}.`;
}

function changesOf(
  { run, sync, items, hasMore }: DayView['changed'][number],
  { runs }: DayView,
  isOpen: boolean,
  context: PageContext,
): Html {
  const its = runs.find((each) => each.run === run);
  return html`<details id="changes-${run}"${isOpen && html` open`}><summary>${its && shortTime(its.startedAt, context)} <strong>${sync}</strong>: ${its && countText(its.counts)}</summary>
${table<(typeof items)[number]>({
  caption: `Changes of ${sync}`,
  columns: [
    { head: 'What', cell: ({ effect }) => cellHtml(mark(effects[effect]), context) },
    recordColumn(sync),
    {
      head: 'Attributes',
      cell: ({ effect, attributes }) => (effect === 'updated' ? attributeLabels(attributes) : undefined),
    },
  ],
  rows: items,
})}<p><a href="${runPath(run)}">${hasMore ? 'More changes' : 'The whole run'} of ${sync}<span class="unseen"> ${run.slice(-6)}</span></a></p></details>`;
}

/** One row for all runs of a sync with the same result: most of them repeat the one before. */
function resultTable(runs: readonly RunRowView[], context: PageContext): Html {
  const groups = [...Map.groupBy(runs, (run) => JSON.stringify([run.sync, run.kind, resultWord(run)])).values()];
  const last = (group: RunRowView[]) => group.at(-1) as RunRowView;
  const sum = (count: 'created' | 'updated' | 'deleted') => (group: RunRowView[]) =>
    someFigure(group.reduce((total, { counts }) => total + counts[count], 0));
  return table<RunRowView[]>({
    caption: 'Results of the day',
    columns: [
      {
        head: 'Sync',
        isHeading: true,
        cell: (group) => html`<a href="${syncPath(last(group).sync)}">${last(group).sync}</a>`,
      },
      {
        head: 'Result',
        cell: (group) =>
          html`${cellHtml(resultOf(last(group)), context)}${group.length > 1 && ` ${figure(group.length)} times`}`,
      },
      { head: 'Last', kind: 'time', cell: (group) => lastOf(last(group), context) },
      { head: 'New', kind: 'number', cell: sum('created') },
      { head: 'Changed', kind: 'number', cell: sum('updated') },
      { head: 'Deleted', kind: 'number', cell: sum('deleted') },
      // The last reading counts: earlier ones have rejected the same records.
      { head: 'Rejected', kind: 'number', cell: (group) => cellHtml(rejectedIn(last(group)), context) },
    ],
    rows: groups.toSorted((one, other) => last(one).sync.localeCompare(last(other).sync)),
  });
}

function lastOf({ run, sync, kind, startedAt }: RunRowView, context: PageContext): Html {
  return html`<a href="${runPath(run)}">${shortTime(startedAt, context)}<span class="unseen"> ${sync} ${run.slice(-6)}</span></a>${kind !== 'run' && ` ${kind}`}`;
}
