import { type Html, html } from '../../core/html/html.ts';
import type { RunRowView } from '../../queries/views/overview.ts';
import { syncPath, withQuery } from './addresses.ts';
import { runBadge } from './badge.ts';
import { vias } from './deeds.ts';
import { durationText, figure, type SiteNow } from './figures.ts';
import { runLink } from './link.ts';
import { table } from './table.ts';

/** Runs with their counts, as lists show them. */
export function runTable(runs: readonly RunRowView[], clock: SiteNow, { withSync = false } = {}): Html {
  return table<RunRowView>({
    caption: 'Runs',
    columns: [
      {
        head: 'Started',
        isHeading: true,
        kind: 'time',
        cell: (run) => runLink(run, clock),
      },
      withSync && { head: 'Sync', cell: ({ sync }) => html`<a href="${syncPath(sync)}">${sync}</a>` },
      { head: 'Kind', cell: ({ kind }) => kind },
      { head: 'Status', cell: runBadge },
      { head: 'Started by', cell: startedBy },
      { head: 'Read', kind: 'number', cell: ({ counts }) => figure(counts.read) },
      { head: 'New', kind: 'number', cell: ({ counts }) => figure(counts.created) },
      { head: 'Changed', kind: 'number', cell: ({ counts }) => figure(counts.updated) },
      { head: 'Rejected', kind: 'number', cell: rejectedCell },
      { head: 'Failed', kind: 'number', isExtra: true, cell: ({ counts }) => figure(counts.failed + counts.held) },
      { head: 'Missing', kind: 'number', isExtra: true, cell: missingCell },
      { head: 'Duration', kind: 'number', cell: ({ durationMs }) => durationText(durationMs) },
    ],
    rows: runs,
  });
}

/** How many records are missing from the feed, and what became of their items. */
export function missingCell({ counts: { missing, deleted, marked } }: Pick<RunRowView, 'counts'>): Html {
  const done = [deleted > 0 && `${figure(deleted)} deleted`, marked > 0 && `${figure(marked)} marked`].filter(Boolean);
  return html`${figure(missing)}${done.length > 0 && html`<span class="why">${done.join(', ')}</span>`}`;
}

function rejectedCell({ run, sync, counts }: RunRowView): Html | string {
  if (counts.rejected === 0) return figure(0);
  return html`<a href="${withQuery(syncPath(sync, 'rejects'), { run })}">${figure(counts.rejected)}<span class="unseen"> rejected by run ${run.slice(-6)}</span></a>`;
}

/** Who or what has started a run. Plans have no history. */
export function startedBy({ asked, kind }: Pick<RunRowView, 'asked' | 'kind'>): string {
  if (asked) return `${asked.by} (${vias[asked.via]})`;
  return kind === 'run' ? 'schedule' : '';
}
