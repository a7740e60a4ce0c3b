import { z } from 'zod';
import { addDays, dateAt, isIsoDate } from '../../core/dates/iso-date.ts';
import { type Html, html } from '../../core/html/html.ts';
import { attributeLabels } from '../../core/text/attribute-label.ts';
import type { DayView } from '../../queries/runs/day.ts';
import { dayPath, runPath, syncPath, withQuery } from '../parts/addresses.ts';
import { badge } from '../parts/badge.ts';
import { deedTable } from '../parts/deeds.ts';
import { figure, figureOf } from '../parts/figures.ts';
import { textField } from '../parts/form.ts';
import { filterForm } from '../parts/list.ts';
import { emptyState, notice } from '../parts/notice.ts';
import { recordColumn } from '../parts/record-link.ts';
import { runTable } from '../parts/run-table.ts';
import { table } from '../parts/table.ts';
import { consolePage, optionalText, type PageContent, type PageContext } from './page.ts';
import { effects } from './run.ts';

/** What did today do: the runs, changes, rejects and decisions of all syncs on one day. */
export const dayPage = consolePage({
  path: '/day',
  query: z.object({ day: optionalText.refine((text) => text === undefined || isIsoDate(text), 'Enter a day.') }),
  async show({ day }, { queries }, context) {
    return dayContent(await queries.day(day ?? dateAt(context.now, context.timezone)), context);
  },
});

export function dayContent(view: DayView, context: PageContext): PageContent {
  const { day, runs, changed, deeds, isCut } = view;
  const today = dateAt(context.now, context.timezone);
  return {
    title: day === today ? `Today, ${day}` : `What happened on ${day}`,
    section: 'day',
    aside: html`<a href="/runs">All runs</a><a href="/rejects">All rejects</a><a class="button" href="${dayPath(addDays(day, -1))}">← Day before</a>${day < today && html`<a class="button" href="${dayPath(addDays(day, 1))}">Day after →</a>`}`,
    body: html`${filterForm({ path: '/day', fields: textField({ name: 'day', label: 'Day', type: 'date', value: day }), button: 'Show' })}
<p>${summary(view)}</p>
${isCut && notice('info', 'There is more than this page lists. The pages of the runs have the rest.')}
${changed.map((each) => changeSection(each))}
<section aria-labelledby="runs"><h2 id="runs">Runs</h2>${runs.length === 0 ? emptyState('No sync ran on this day.') : runTable(runs, context, { withSync: true })}</section>
${rejectSection(view)}
<section aria-labelledby="deeds"><h2 id="deeds">Decisions and actions</h2>${deedTable(deeds, context)}</section>`,
  };
}

function summary({ runs }: DayView): string {
  const sum = (count: (counts: DayView['runs'][number]['counts']) => number) =>
    runs.reduce((total, { counts }) => total + count(counts), 0);
  const created = sum((counts) => counts.created);
  const updated = sum((counts) => counts.updated + counts.marked);
  const deleted = sum((counts) => counts.deleted);
  return `${figureOf(runs.length, 'run')}: ${figure(created)} created, ${figure(updated)} changed, ${figure(deleted)} deleted.`;
}

function changeSection({ run, sync, items, hasMore }: DayView['changed'][number]): Html {
  const id = `changes-${run}`;
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${sync} <span class="count">${figureOf(items.length, 'item')}${hasMore && ' and more'}</span></h2>
${table<(typeof items)[number]>({
  caption: `Changes of ${sync}`,
  columns: [
    { head: 'What', cell: ({ effect }) => badge(...effects[effect]) },
    recordColumn(sync),
    {
      head: 'Attributes',
      cell: ({ effect, attributes }) => (effect === 'updated' ? attributeLabels(attributes) : undefined),
    },
  ],
  rows: items,
})}<p><a href="${runPath(run)}">All changes of this run of ${sync}<span class="unseen"> ${run.slice(-6)}</span></a></p></section>`;
}

/** Only the last reading of each sync counts: earlier ones have rejected the same records. */
function rejectSection({ runs }: DayView): Html | undefined {
  const last = [...Map.groupBy(runs, ({ sync }) => sync).values()].flatMap((ofSync) => {
    const reading = ofSync.findLast(({ hasRead }) => hasRead);
    return reading && reading.counts.rejected > 0 ? [reading] : [];
  });
  if (last.length === 0) return undefined;
  return html`<section aria-labelledby="rejects"><h2 id="rejects">Rejected</h2>
${table<(typeof last)[number]>({
  caption: 'Rejected records',
  columns: [
    { head: 'Sync', isHeading: true, cell: ({ sync }) => html`<a href="${syncPath(sync)}">${sync}</a>` },
    {
      head: 'Rejected',
      kind: 'number',
      cell: ({ sync, run, counts }) =>
        html`<a href="${withQuery(syncPath(sync, 'rejects'), { run })}">${figure(counts.rejected)} of ${figureOf(counts.read, 'record')}</a>`,
    },
  ],
  rows: last,
})}</section>`;
}
