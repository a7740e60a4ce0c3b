import { z } from 'zod';
import { type Html, html } from '../../core/html/html.ts';
import { syncPath } from '../../core/text/addresses.ts';
import { describeChanges } from '../../core/text/describe-changes.ts';
import { capitalised, figureOf } from '../../core/text/figures.ts';
import type { PurgePreviewView } from '../../queries/views/run.ts';
import { mayDo } from '../access/viewer.ts';
import { actionForm, reasonField, textField } from '../parts/form.ts';
import { itemNumber } from '../parts/link.ts';
import { pagedList } from '../parts/list.ts';
import { notice } from '../parts/notice.ts';
import { recordColumn } from '../parts/record-link.ts';
import { syncCrumbs } from '../parts/sync-tabs.ts';
import { table } from '../parts/table.ts';
import { consolePage, optionalText, type PageContent, type PageContext } from './page.ts';

const LIMIT = 25;

/** What a purge of a sync would delete, and the form that begins it. The file of the sync may already be removed. */
export const purgePage = consolePage({
  path: '/syncs/:sync/purge',
  query: z.object({ after: optionalText }),
  async show({ sync, after }, { queries }, context) {
    return purgeContent(await queries.purgePreview(sync, { after, limit: LIMIT }), context);
  },
});

export function purgeContent(view: PurgePreviewView, context: PageContext): PageContent {
  const { sync, deletes, adopted, items, next } = view;
  return {
    title: `Delete the items of ${sync}`,
    crumbs: syncCrumbs(sync),
    body: html`${deletes > 0 && purgeForm(view, context)}
${adopted > 0 && html`<p>${figureOf(adopted, 'item')} would stay in the CMS: ${adopted === 1 ? 'it' : 'they'} existed before this sync adopted ${adopted === 1 ? 'it' : 'them'}. feedferry would no longer manage ${adopted === 1 ? 'it' : 'them'}.</p>`}
<section aria-labelledby="items"><h2 id="items">What would be deleted</h2>
${pagedList({
  path: syncPath(sync, 'purge'),
  rows: items,
  show: (rows) => itemTable(sync, rows),
  empty: deletes > 0 ? 'There are no more items.' : 'This sync has created no items that are still in the CMS.',
  next,
  more: 'More items',
})}</section>`,
  };
}

function purgeForm({ sync, resource, deletes }: PurgePreviewView, { viewer }: PageContext): Html {
  if (!mayDo(viewer, 'approve')) return notice('plain', 'Only people who may approve can delete the items of a sync.');
  return html`${notice(
    'bad',
    html`<p><strong>This deletes ${figureOf(deletes, 'item')} from the CMS: every item that the sync ${sync} created there.</strong></p>
<p>If the sync still has its file, its next run creates the items again, with new numbers and addresses.</p>`,
  )}
${actionForm({
  viewer,
  does: 'purge',
  to: { sync },
  label: capitalised(describeChanges({ delete: deletes }, resource)),
  kind: 'danger',
  fields: html`${reasonField({ isRequired: true })}${textField({ name: 'confirm', label: `Enter ${sync} to confirm`, isRequired: true, autocomplete: 'off' })}`,
})}`;
}

function itemTable(sync: string, items: PurgePreviewView['items']): Html {
  return table<PurgePreviewView['items'][number]>({
    caption: 'Items that would be deleted',
    columns: [
      recordColumn(sync),
      { head: 'Item', kind: 'number', cell: (item) => itemNumber(item) ?? 'unconfirmed' },
      { head: 'Key', kind: 'key', isExtra: true, cell: ({ key }) => key },
    ],
    rows: items,
  });
}
