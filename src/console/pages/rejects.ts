import type { RejectGroupView, RejectsView } from '../../queries/views/sync.ts';
import { type AcknowledgeContext, acknowledgedColumn, acknowledgeForm, choiceColumn } from '../parts/acknowledge.ts';
import { recordPath, syncPath } from '../parts/addresses.ts';
import { figure, figureOf, fullTime } from '../parts/figures.ts';
import { type Html, html } from '../parts/html.ts';
import { emptyState } from '../parts/notice.ts';
import { prose } from '../parts/prose.ts';
import { syncCrumbs, syncTabs } from '../parts/sync-tabs.ts';
import { table } from '../parts/table.ts';
import { consolePage, nothing, type PageContent, type PageContext, syncParams } from './page.ts';

/** The rejects of the last reading, grouped by reason, to be passed on to the owner of the source. */
export const rejectsPage = consolePage({
  path: '/syncs/:sync/rejects',
  params: syncParams,
  query: nothing,
  show: async ({ sync }, { queries }, context) => rejectsContent(sync, await queries.rejects(sync), context),
});

export function rejectsContent(sync: string, view: RejectsView, context: PageContext): PageContent {
  const { total, groups } = view;
  return {
    title: `Rejects of ${sync}`,
    crumbs: syncCrumbs(sync),
    aside:
      total > 0
        ? html`<a class="button" href="${syncPath(sync, 'rejects.csv')}" download>Download as CSV</a>`
        : undefined,
    body: html`${syncTabs(sync, 'rejects')}
${summary(view, context)}
${groups.map((group) => groupSection(sync, group, context))}`,
  };
}

function summary({ run, startedAt, read, total }: RejectsView, context: PageContext): Html {
  if (run === null) return emptyState('No run has read the feed yet.');
  const when = startedAt && html` on ${fullTime(startedAt, context)}`;
  if (total === 0) return emptyState(html`All ${figureOf(read, 'record')} read${when} were accepted.`);
  return html`<p>${figure(total)} of ${figureOf(read, 'record')} read${when} were rejected and not delivered. The file to download has all of them, for the people who maintain the source.</p>`;
}

function groupSection(sync: string, { code, cause, remedy, total, first }: RejectGroupView, page: PageContext): Html {
  const id = `group-${code}`;
  const by = { viewer: page.viewer, sync, back: syncPath(sync, 'rejects') };
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${cause} <span class="count">${figure(total)}</span></h2>
<p>${prose(remedy, { sync })}</p>
${acknowledgeForm(rejectTable(sync, { code, first }, by, page), first, { id, ...by, ...(total > first.length && { all: { code, total } }) })}
${total > first.length && html`<p class="muted">and ${figure(total - first.length)} more</p>`}</section>`;
}

function rejectTable(
  sync: string,
  { code, first }: Pick<RejectGroupView, 'code' | 'first'>,
  by: AcknowledgeContext,
  page: PageContext,
): Html {
  return table<RejectGroupView['first'][number]>({
    caption: `Rejected: ${code}`,
    columns: [
      choiceColumn(by),
      { head: 'Place', isHeading: true, kind: 'key', cell: ({ at }) => at },
      { head: 'Record', kind: 'key', cell: ({ key }) => key && html`<a href="${recordPath(sync, key)}">${key}</a>` },
      { head: 'Reason', cell: ({ reason }) => reason },
      first.some(({ acknowledged }) => acknowledged) && acknowledgedColumn(page),
    ],
    rows: first,
  });
}
