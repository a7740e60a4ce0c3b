import { z } from 'zod';
import { isIsoDate } from '../../core/dates/iso-date.ts';
import { type Html, html } from '../../core/html/html.ts';
import { syncPath, withQuery } from '../../core/text/addresses.ts';
import { statusWords } from '../../documents/badges.ts';
import { nextPage } from '../../documents/blocks.ts';
import { runsDocument } from '../../documents/runs.ts';
import { runStatus } from '../../queries/views/shared.ts';
import type { RunPageView } from '../../queries/views/sync.ts';
import { filterForm, selectField, textField } from '../parts/form.ts';
import { syncCrumbs, syncTabs } from '../parts/sync-tabs.ts';
import { asHtml } from './as-html.ts';
import { consolePage, optionalText, type PageContent, type PageContext } from './page.ts';

const LIMIT = 50;

/** An empty field of the form counts as absent. */
const search = z.object({
  sync: optionalText,
  day: optionalText.refine((day) => day === undefined || isIsoDate(day), 'Enter a day such as 2027-03-01.'),
  status: z.preprocess((status) => status || undefined, runStatus.optional()),
  changed: optionalText,
  after: optionalText,
});

type Search = Partial<z.output<typeof search>>;

/** The runs of all syncs, and those of one, newest first. */
export const runsPages = ['/runs', '/syncs/:sync/runs'].map((path) =>
  consolePage({
    path,
    query: search,
    async show(query, { queries }, context) {
      return runsContent(query, await queries.runs(toOptions(query)), context, { ofAll: path === '/runs' });
    },
  }),
);

function toOptions({ sync, day, status, changed, after }: Search) {
  return { sync, day, ...(status && { statuses: [status] }), changed: changed !== undefined, after, limit: LIMIT };
}

export function runsContent(
  query: Search,
  { runs, next }: RunPageView,
  context: PageContext,
  { ofAll = false } = {},
): PageContent {
  const { sync, day, status, changed } = query;
  const path = ofAll || sync === undefined ? '/runs' : syncPath(sync, 'runs');
  const isFiltered = day !== undefined || status !== undefined || changed !== undefined;
  const more = next && withQuery(path, { ...(ofAll && { sync }), day, status, changed, after: next });
  const empty = isFiltered ? 'There are no such runs.' : 'It has never run.';
  const shown = runsDocument(sync, { runs }, empty, { withSync: ofAll });
  const blocks = [...shown.blocks, nextPage(more, 'Older runs', '')];
  const list = html`${runFilter(path, query, { ofAll })}${asHtml(blocks, context)}`;
  if (ofAll || sync === undefined) return { title: 'Runs', crumbs: [{ to: '/', text: 'Overview' }], body: list };
  return { title: `Runs of ${sync}`, crumbs: syncCrumbs(sync), body: html`${syncTabs(sync, 'runs')}${list}` };
}

function runFilter(path: string, { sync, day, status, changed }: Search, { ofAll }: { ofAll: boolean }): Html {
  return filterForm({
    path,
    fields: html`${ofAll && textField({ name: 'sync', label: 'Sync', value: sync })}
${textField({ name: 'day', label: 'Day', type: 'date', value: day })}
${selectField({ name: 'status', label: 'Result', value: status, options: [['', 'All'], ...statusWords] })}
${selectField({
  name: 'changed',
  label: 'Changes',
  value: changed,
  options: [
    ['', 'All runs'],
    ['1', 'Only runs that changed something'],
  ],
})}`,
    button: 'Filter',
  });
}
