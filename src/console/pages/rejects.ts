import { z } from 'zod';
import { siteTime } from '../../core/dates/site-time.ts';
import { type Html, html } from '../../core/html/html.ts';
import { runPath, syncPath, withQuery } from '../../core/text/addresses.ts';
import { figure, figureOf } from '../../core/text/figures.ts';
import { nameWithKey } from '../../core/text/record-title.ts';
import type { AllRejectsView } from '../../queries/syncs/rejects.ts';
import type { RejectGroupView, RejectsView } from '../../queries/views/sync.ts';
import { type AcknowledgeContext, acknowledgedColumn, acknowledgeForm, choiceColumn } from '../parts/acknowledge.ts';
import { fullTime } from '../parts/figures.ts';
import { emptyState, notice } from '../parts/notice.ts';
import { prose } from '../parts/prose.ts';
import { recordLink } from '../parts/record-link.ts';
import { syncCrumbs, syncTabs } from '../parts/sync-tabs.ts';
import { table } from '../parts/table.ts';
import { consolePage, optionalText, type PageContent, type PageContext } from './page.ts';

/** The rejects of the last reading, grouped by reason, to be passed on to the owner of the source. */
export const rejectsPage = consolePage({
  path: '/syncs/:sync/rejects',
  query: z.object({ run: optionalText }),
  show: async ({ sync, run }, { queries }, context) =>
    rejectsContent(sync, await queries.rejects(sync, { run }), context, { isPast: run !== undefined }),
});

/** The rejects of all syncs: how many, why, and where they are listed. */
export const allRejectsPage = consolePage({
  path: '/rejects',
  show: async (_input, { queries }, context) => allRejectsContent(await queries.allRejects(), context),
});

export function allRejectsContent({ syncs }: AllRejectsView, context: PageContext): PageContent {
  return {
    title: 'Rejects of all syncs',
    crumbs: [{ to: '/', text: 'Overview' }],
    body:
      syncs.length === 0
        ? emptyState('The last runs have rejected nothing.')
        : table<AllRejectsView['syncs'][number]>({
            caption: 'Rejects of the last run of each sync',
            columns: [
              {
                head: 'Sync',
                isHeading: true,
                cell: ({ sync }) => html`<a href="${syncPath(sync, 'rejects')}">${sync}</a>`,
              },
              { head: 'Read', kind: 'time', cell: ({ startedAt }) => fullTime(startedAt, context) },
              { head: 'Rejected', kind: 'number', cell: ({ total, read }) => `${figure(total)} of ${figure(read)}` },
              {
                head: 'Why',
                cell: ({ reasons }) =>
                  html`<ul>${reasons.map(({ cause, total }) => html`<li>${figure(total)}: ${cause}</li>`)}</ul>`,
              },
            ],
            rows: syncs,
          }),
  };
}

export function rejectsContent(
  sync: string,
  view: RejectsView,
  context: PageContext,
  { isPast = false } = {},
): PageContent {
  const { run, total, groups } = view;
  const file = withQuery(syncPath(sync, 'rejects.csv'), { run: isPast && run !== null ? run : undefined });
  return {
    title: `Rejects of ${sync}`,
    crumbs: syncCrumbs(sync),
    aside:
      total > 0
        ? html`<a class="button" href="${mailTo(sync, view, context)}">Write to the feed’s owner</a><a class="button" href="${file}" download>Download as CSV</a>`
        : undefined,
    body: html`${syncTabs(sync, 'rejects')}
${isPast && run !== null && notice('info', html`These are the rejects of <a href="${runPath(run)}">one run</a>. <a href="${syncPath(sync, 'rejects')}">Show those of the last run</a>`)}
${summary(view, context)}
${groups.map((group) => groupSection(sync, group, context))}
${total > 0 && html`<details id="letter"><summary>Text for the feed’s owner, to copy</summary><pre tabindex="0" role="group" aria-label="Text for the feed’s owner">${letterOf(sync, view, context)}</pre></details>`}`,
  };
}

function summary({ run, startedAt, read, rejected = 0, total }: RejectsView, context: PageContext): Html {
  if (run === null) return emptyState('No run has read the feed yet.');
  const when = startedAt && html` on ${fullTime(startedAt, context)}`;
  if (total === 0 && rejected > 0) {
    return emptyState(
      html`${figure(rejected)} of ${figureOf(read, 'record')} read${when} were rejected. The ledger no longer has the reasons.`,
    );
  }
  if (total === 0)
    return emptyState(
      html`${read === 1 ? 'The record' : `All ${figureOf(read, 'record')}`} read${when} ${read === 1 ? 'was' : 'were'} accepted.`,
    );
  return html`<p>${figure(total)} of ${figureOf(read, 'record')} read${when} ${total === 1 ? 'was' : 'were'} rejected and not delivered. The file to download has all of them, for the people who maintain the source.</p>`;
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
      {
        head: 'Record',
        cell: ({ key, title }) => (key === undefined ? title : recordLink(sync, { key, title })),
      },
      { head: 'Reason', cell: ({ reason }) => reason },
      first.some(({ acknowledged }) => acknowledged) && acknowledgedColumn(page),
    ],
    rows: first,
  });
}

/** Mail programs cut longer addresses off. */
const LONGEST_LETTER = 1_500;

/** A mail to the people who maintain the feed; whom it is for is up to the user. */
function mailTo(sync: string, view: RejectsView, page: PageContext): string {
  const letter = letterOf(sync, view, page);
  const body = letter.length > LONGEST_LETTER ? `${letter.slice(0, LONGEST_LETTER)}\n…` : letter;
  const subject = `${figureOf(view.total, 'record')} of ${sync} cannot be published`;
  return `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body.replaceAll('\n', '\r\n'))}`;
}

function letterOf(
  sync: string,
  { read, total, groups, startedAt }: RejectsView,
  { viewer, timezone }: PageContext,
): string {
  const parts = groups.map(({ cause, total: count, first }) => {
    const lines = first.map(
      ({ at, key = '', title, reason }) =>
        `- ${[at, nameWithKey({ key, title })].filter(Boolean).join(', ')}: ${reason}`,
    );
    const more = count > first.length ? [`- and ${figure(count - first.length)} more`] : [];
    return [`${cause} (${figure(count)})`, ...lines, ...more].join('\n');
  });
  const on = startedAt === undefined ? '' : ` on ${siteTime(startedAt, timezone)}`;
  const not =
    total === 1 ? 'is not on the website, or as it was before' : 'are not on the website, or as they were before';
  return [
    'Hello,',
    `we have read your feed "${sync}"${on}. ${figure(total)} of its ${figureOf(read, 'record')} ${not}, for these reasons:`,
    ...parts,
    'Once they are correct in the feed, they are published by themselves.',
    `Kind regards\n${viewer.name}`,
  ].join('\n\n');
}
