import { z } from 'zod';
import type { RunPageView } from '../../queries/views/sync.ts';
import { syncPath } from '../parts/addresses.ts';
import { html } from '../parts/html.ts';
import { pagedList } from '../parts/list.ts';
import { runTable } from '../parts/run-table.ts';
import { syncCrumbs, syncTabs } from '../parts/sync-tabs.ts';
import { consolePage, optionalText, type PageContent, type PageContext, syncParams } from './page.ts';

const LIMIT = 50;

/** All runs of a sync, newest first. */
export const runsPage = consolePage({
  path: '/syncs/:sync/runs',
  params: syncParams,
  query: z.object({ after: optionalText }),
  async show({ sync, after }, { queries }, context) {
    return runsContent(sync, await queries.runs({ sync, after, limit: LIMIT }), context);
  },
});

export function runsContent(sync: string, { runs, next }: RunPageView, context: PageContext): PageContent {
  return {
    title: `Runs of ${sync}`,
    crumbs: syncCrumbs(sync),
    body: html`${syncTabs(sync, 'runs')}
${pagedList({
  path: syncPath(sync, 'runs'),
  rows: runs,
  show: (rows) => runTable(rows, context),
  empty: 'It has never run.',
  next,
  more: 'Older runs',
})}`,
  };
}
