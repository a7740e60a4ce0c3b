import { z } from 'zod';
import { type Html, html } from '../../core/html/html.ts';
import { recordsPath, runPath, syncPath, withQuery } from '../../core/text/addresses.ts';
import { isMasked } from '../../core/text/masked.ts';
import { healths, isOnSite, recordState, recordStates } from '../../documents/badges.ts';
import { nextPage } from '../../documents/blocks.ts';
import type { SyncRowView } from '../../queries/views/overview.ts';
import { isAnyFound, type RecordPageView, type RecordRowView, recordStatus } from '../../queries/views/sync.ts';
import { shortTime } from '../parts/figures.ts';
import { filterForm, selectField, textField } from '../parts/form.ts';
import { recordLink, siteLink } from '../parts/link.ts';
import { advice, badge, emptyState, notice, prose } from '../parts/notice.ts';
import { syncCrumbs, syncTabs } from '../parts/sync-tabs.ts';
import { table } from '../parts/table.ts';
import { asHtml } from './as-html.ts';
import { consolePage, optionalText, type PageContent, type PageContext } from './page.ts';

const LIMIT = 25;

const search = z.object({
  sync: optionalText,
  words: optionalText,
  /** An empty field of the form counts as absent. */
  state: z.preprocess((state) => state || undefined, recordStatus.optional()),
  after: optionalText,
});

type Search = Partial<z.output<typeof search>>;

/** "Why is my event not on the site?": the records of all syncs; and the records of one sync. */
export const recordsPages = ['/records', '/syncs/:sync/records'].map((path) =>
  consolePage({
    path,
    query: search,
    async show(query, { queries }, context) {
      const { sync, words, state } = query;
      // Without words there is nothing to search for: a list of all records of all syncs would be of no use.
      const isEmpty = sync === undefined && words === undefined && state === undefined;
      if (isEmpty) return recordsContent(query, undefined, context);
      const page = await queries.records(toOptions(query));
      const silent = isAnyFound(page) && !page.isSimilar ? [] : silentOf((await queries.overview()).syncs, sync);
      return recordsContent(query, page, context, silent);
    },
  }),
);

/** @param page the records found; absent before the first search */
export function recordsContent(
  query: Search,
  page: RecordPageView | undefined,
  context: PageContext,
  silent: readonly SyncRowView[] = [],
): PageContent {
  const { sync } = query;
  const content = html`${searchForm(query)}${page === undefined ? explanation() : html`${page.isSimilar && notice('info', 'Nothing has exactly these words. These are similar:')}${namedList(page)}${results(query, page, context)}${waitingList(page)}${rejectedList(page)}${silentList(silent)}`}`;
  if (sync === undefined) return { title: 'Why is my event not on the site?', section: 'records', body: content };
  return {
    title: `Records of ${sync}`,
    crumbs: syncCrumbs(sync),
    aside: html`<a href="${syncPath(sync, 'pictures')}">Pictures</a>`,
    body: html`${syncTabs(sync, 'records')}${content}`,
  };
}

function toOptions({ sync, words, state, after }: Search) {
  return { sync, words, ...(state && { states: [state] }), after, limit: LIMIT };
}

const stateNames = Object.entries(recordStates).map(([state, [, word]]) => [state, word] as const);

function searchForm({ sync, words, state }: Search): Html {
  return filterForm({
    path: recordsPath(sync),
    fields: html`${textField({ name: 'words', label: 'Words, a key, an address, a day or a number', type: 'search', value: words })}
${selectField({ name: 'state', label: 'State', value: state, options: [['', 'All'], ...stateNames] })}`,
    button: 'Search',
  });
}

function explanation(): Html {
  return html`<p>Search the records of all syncs by words of the title or name, a key, an e-mail address, a day (2027-03-05), or the number or address of an item. The page of a record shows what the feed has, what was delivered, and what the CMS has now.</p>`;
}

function results({ sync, words, state }: Search, page: RecordPageView, context: PageContext): Html {
  const { records, next } = page;
  const none = words === undefined ? 'There are no such records.' : notFound(page);
  const more = next && withQuery(recordsPath(sync), { words, state, after: next });
  return html`${records.length === 0 ? emptyState(none) : recordTable(records, context, { withSync: sync === undefined })}${asHtml([nextPage(more, 'More records', '')], context)}`;
}

function notFound(page: RecordPageView): string {
  if (isAnyFound(page)) return 'No delivered record has these words.';
  return 'No record has these words, neither among the delivered ones nor among those that wait in a held plan or that the last runs have rejected. It may be spelled differently, missing from the feed, or skipped.';
}

/** Feeds of which new records do not arrive now. */
function silentOf(syncs: readonly SyncRowView[], only: string | undefined): SyncRowView[] {
  return syncs.filter(
    ({ sync, health, isLate, waits }) =>
      (only === undefined || sync === only) &&
      (isLate || waits !== null || ['failed', 'held', 'paused', 'broken', 'late'].includes(health)),
  );
}

/** If a record is not found, its feed may be one of these. */
function silentList(syncs: readonly SyncRowView[]): Html | undefined {
  if (syncs.length === 0) return undefined;
  return html`<section aria-labelledby="silent"><h2 id="silent">Feeds of which nothing new arrives now</h2>
<ul>${syncs.map(({ sync, health, why }) => html`<li><a href="${syncPath(sync)}">${sync}</a> ${badge(...healths[health])} ${prose(why, { sync })}</li>`)}</ul></section>`;
}

function namedList({ named = [] }: RecordPageView): Html | false {
  return (
    named.length > 0 &&
    html`<p>Feeds with this name: ${named.map((sync) => html`<a href="${syncPath(sync)}">${sync}</a> `)}</p>`
  );
}

function waitingList({ waiting = [] }: RecordPageView): Html | undefined {
  if (waiting.length === 0) return undefined;
  return html`<section aria-labelledby="waiting"><h2 id="waiting">To be created: waits for a decision</h2>
${table<(typeof waiting)[number]>({
  caption: 'Records of held plans',
  columns: [
    { head: 'Record', isHeading: true, cell: ({ sync, key, title }) => recordLink(sync, { key, title }) },
    { head: 'Sync', cell: ({ sync }) => html`<a href="${syncPath(sync)}">${sync}</a>` },
    { head: 'Plan', cell: ({ run }) => html`<a href="${runPath(run, 'plan')}">Review the plan</a>` },
  ],
  rows: waiting,
})}</section>`;
}

function rejectedList({ rejected = [] }: RecordPageView): Html | undefined {
  if (rejected.length === 0) return undefined;
  return html`<section aria-labelledby="rejected"><h2 id="rejected">Rejected by the last run</h2>
${table<(typeof rejected)[number]>({
  caption: 'Rejected records',
  columns: [
    {
      head: 'Record',
      isHeading: true,
      cell: ({ sync, key, name }) => (key === undefined ? name : recordLink(sync, { key, title: name })),
    },
    { head: 'Sync', cell: ({ sync }) => html`<a href="${syncPath(sync, 'rejects')}">${sync}</a>` },
    { head: 'Place', kind: 'key', cell: ({ at }) => at },
    { head: 'Reason', cell: ({ reason }) => prose(reason) },
    { head: 'What to do', cell: ({ sync, key, remedy }) => advice(remedy, { sync, key }) },
  ],
  rows: rejected,
})}</section>`;
}

function recordTable(
  records: readonly RecordRowView[],
  context: PageContext,
  { withSync }: { withSync: boolean },
): Html {
  return table<RecordRowView>({
    caption: 'Records',
    columns: [
      {
        head: 'Title',
        isHeading: true,
        cell: (record) => recordLink(record.sync, record),
      },
      withSync && { head: 'Sync', cell: ({ sync }) => html`<a href="${syncPath(sync)}">${sync}</a>` },
      { head: 'State', cell: (record) => stateCell(record, context) },
      { head: 'Delivered', kind: 'time', cell: ({ deliveredAt }) => deliveredAt && shortTime(deliveredAt, context) },
      {
        head: 'On the site',
        cell: (record) => isOnSite(record) && !isMasked(record.key) && siteLink(record.sync, record, 'Show'),
      },
      { head: 'Key', kind: 'key', isExtra: true, cell: ({ key }) => key },
    ],
    rows: records,
  });
}

function stateCell(
  { error, missingSince, undeliveredFiles = [], ...record }: RecordRowView,
  context: PageContext,
): Html {
  const { leftOut } = record;
  const why = error?.reason ?? (missingSince && 'Missing from the feed');
  const files = undeliveredFiles.map(({ reason, retryAt }) => {
    return html`<span class="why">${prose(reason)} Next try: ${retryAt ? shortTime(retryAt, context) : 'the next run'}.</span>`;
  });
  return html`${badge(...recordState(record))}${leftOut && html`<span class="why">by ${leftOut.person}, ${shortTime(leftOut.at, context)}</span>`}${why && html`<span class="why">${prose(why)}</span>`}${files}`;
}
