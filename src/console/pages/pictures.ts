import { z } from 'zod';
import { html } from '../../core/html/html.ts';
import { syncPath, withQuery } from '../../core/text/addresses.ts';
import { isMasked } from '../../core/text/masked.ts';
import { isOnSite } from '../../documents/badges.ts';
import { nextPage } from '../../documents/blocks.ts';
import type { PicturesView } from '../../queries/views/sync.ts';
import { recordColumn, siteLink } from '../parts/link.ts';
import { emptyState, prose } from '../parts/notice.ts';
import { syncCrumbs, syncTabs } from '../parts/sync-tabs.ts';
import { table } from '../parts/table.ts';
import { thumbnail } from '../parts/value.ts';
import { asHtml } from './as-html.ts';
import { consolePage, optionalText, type PageContent, type PageContext } from './page.ts';

/** Records of a page: most have one picture. */
const LIMIT = 50;

/** The pictures of a sync: a wrong one is seen at a glance. */
export const picturesPage = consolePage({
  path: '/syncs/:sync/pictures',
  query: z.object({ after: optionalText }),
  show: async ({ sync, after }, { queries }, context) =>
    picturesContent(await queries.pictures(sync, { after, limit: LIMIT }), context),
});

export function picturesContent({ sync, pictures, waiting, next }: PicturesView, context: PageContext): PageContent {
  const more = nextPage(next && withQuery(syncPath(sync, 'pictures'), { after: next }), 'More pictures', '');
  const list = table<(typeof pictures)[number]>({
    caption: 'Pictures',
    columns: [
      recordColumn(sync),
      {
        head: 'Picture',
        cell: ({ address, alt, title, key }) => thumbnail(address, alt ?? `Picture of ${title || key}`),
      },
      { head: 'Alternative text', cell: ({ alt }) => alt ?? html`<span class="muted">unknown</span>` },
      { head: 'File', kind: 'key', isExtra: true, cell: ({ address }) => new URL(address).pathname },
      {
        head: 'On the site',
        cell: (record) => isOnSite(record) && !isMasked(record.key) && siteLink(sync, record, 'Show'),
      },
    ],
    rows: pictures,
  });
  const held = table<(typeof waiting)[number]>({
    caption: 'Not on the site yet',
    columns: [
      recordColumn(sync),
      { head: 'Picture', cell: ({ address, name }) => (address ? thumbnail(address, name) : name) },
      { head: 'Why it waits', cell: ({ key, reason }) => prose(reason, { sync, key }) },
    ],
    rows: waiting,
  });
  const waits =
    waiting.length > 0 &&
    html`<section aria-labelledby="waiting"><h2 id="waiting">Not on the site yet</h2>${held}</section>`;
  return {
    title: `Pictures of ${sync}`,
    crumbs: syncCrumbs(sync),
    body: html`${syncTabs(sync, 'records')}${waits}${pictures.length === 0 ? emptyState(next ? 'These records have no pictures.' : 'There are no pictures.') : list}${asHtml([more], context)}`,
  };
}
