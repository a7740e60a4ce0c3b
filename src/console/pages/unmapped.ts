import { html } from '../../core/html/html.ts';
import type { UnmappedView } from '../../queries/syncs/sync.ts';
import type { Viewer } from '../access/viewer.ts';
import { syncPath } from '../parts/addresses.ts';
import { postForm } from '../parts/form.ts';
import { emptyState, notice } from '../parts/notice.ts';
import { syncCrumbs, syncTabs } from '../parts/sync-tabs.ts';
import { table } from '../parts/table.ts';
import { consolePage, type PageContent } from './page.ts';

/** The fields of the feed that the sync does not use. */
export const unmappedPage = consolePage({
  path: '/syncs/:sync/unmapped',
  show: async ({ sync }, { queries, signal }, { viewer }) =>
    unmappedContent(sync, await queries.unmapped(sync, signal), viewer),
});

export function unmappedContent(sync: string, { fields, error }: UnmappedView, viewer: Viewer): PageContent {
  const mapForm = ({ field }: { field: string }) => {
    const unseen = html`Map it<span class="unseen">: ${field}</span>`;
    return postForm(syncPath(sync, 'edit'), { viewer, hidden: { field }, label: unseen });
  };
  return {
    title: `Unmapped fields of ${sync}`,
    crumbs: syncCrumbs(sync),
    body: html`${syncTabs(sync, 'unmapped')}
${error && notice('bad', html`<p><strong>The feed could not be read.</strong> ${error.message}</p><p class="muted"><code>${error.code}</code></p>`)}
${!error && fields.length === 0 && emptyState('The sync uses all fields of the feed that have values.')}
${
  fields.length > 0 &&
  html`<p>The feed has values in these fields, but the sync does not deliver them. To deliver one, add it to <code>map</code>.</p>
${table<UnmappedView['fields'][number]>({
  caption: 'Unmapped fields',
  columns: [
    { head: 'Field', isHeading: true, kind: 'key', cell: ({ field }) => field },
    { head: 'Example', cell: ({ example }) => example },
    ...(viewer.mayConfigure ? [{ head: 'Use', cell: mapForm }] : []),
  ],
  rows: fields,
})}`
}`,
  };
}
