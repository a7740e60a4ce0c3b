import { type Html, html } from '../../core/html/html.ts';
import { syncPath, withQuery } from '../../core/text/addresses.ts';
import { countText, durationText, figure } from '../../core/text/figures.ts';
import type { RunRowView } from '../../queries/views/overview.ts';
import { runBadge } from './badge.ts';
import { vias } from './deeds.ts';
import type { SiteNow } from './figures.ts';
import { runLink } from './link.ts';
import { table } from './table.ts';

/** So many runs without changes in a row are folded. */
const FOLDED = 4;

/** Runs as lists show them. Those in a row that changed nothing are one line. */
export function runList(runs: readonly RunRowView[], clock: SiteNow, options: { withSync?: boolean } = {}): Html {
  const parts: RunRowView[][] = [];
  for (const run of runs) {
    const part = parts.at(-1);
    if (part?.[0] && isIdle(part[0]) === isIdle(run)) part.push(run);
    else parts.push([run]);
  }
  return html`${parts.map(([first, ...others]) => {
    if (!first) return undefined;
    const list = runTable([first, ...others], clock, options);
    if (!isIdle(first) || others.length + 1 < FOLDED) return list;
    return html`<details id="idle-${first.run}"><summary>${figure(others.length + 1)} runs without changes</summary>${list}</details>`;
  })}`;
}

function isIdle({ kind, status, counts, undone, decision }: RunRowView): boolean {
  return kind === 'run' && status === 'success' && !undone && !decision && countText(counts) === '';
}

function runTable(runs: readonly RunRowView[], clock: SiteNow, { withSync = false } = {}): Html {
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
      { head: 'Result', cell: (run) => html`${runBadge(run)}${run.kind !== 'run' && ` ${run.kind}`}` },
      { head: 'Changes', cell: ({ counts }) => countText(counts) },
      { head: 'Rejected', kind: 'number', cell: rejectedCell },
      { head: 'Started by', cell: startedBy },
      { head: 'Duration', kind: 'number', cell: ({ durationMs }) => durationText(durationMs) },
    ],
    rows: runs,
  });
}

function rejectedCell({ run, sync, counts }: RunRowView): Html | undefined {
  if (counts.rejected === 0) return undefined;
  return html`<a href="${withQuery(syncPath(sync, 'rejects'), { run })}">${figure(counts.rejected)}<span class="unseen"> rejected by run ${run.slice(-6)}</span></a>`;
}

/** Who or what has started a run. Plans have no history. */
export function startedBy({ asked, kind }: Pick<RunRowView, 'asked' | 'kind'>): string {
  if (asked) return `${asked.by} (${vias[asked.via]})`;
  return kind === 'run' ? 'schedule' : '';
}
