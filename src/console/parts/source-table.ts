import { type Html, html } from '../../core/html/html.ts';
import { figure } from '../../core/text/figures.ts';
import type { SourceView } from '../../queries/views/overview.ts';
import { fullTime, type SiteNow } from './figures.ts';
import { webLink } from './link.ts';
import { table } from './table.ts';

/** The sources of a sync that has several, best first, with their last readings. */
export function sourceTable(sources: readonly SourceView[], context: SiteNow): Html {
  return table<SourceView>({
    caption: 'Sources, best first',
    columns: [
      { head: 'Source', isHeading: true, cell: ({ source }) => source },
      { head: 'Connector', cell: ({ connector }) => connector },
      { head: 'Feed', isExtra: true, cell: ({ location }) => webLink(location) },
      {
        head: 'Last read',
        kind: 'time',
        cell: ({ readAt }) => (readAt === undefined ? 'never' : fullTime(readAt, context)),
      },
      { head: 'Records', kind: 'number', cell: ({ records }) => records !== undefined && figure(records) },
      { head: 'Read', cell: describeReading },
    ],
    rows: sources,
  });
}

function describeReading({ isFormer, readAt, complete, reason }: SourceView): Html | string | undefined {
  const read =
    readAt === undefined ? '' : complete ? 'completely' : `not completely: ${reason ?? 'the reason is unknown'}`;
  if (!isFormer) return read;
  return html`${read}<span class="muted"> (no longer in the sync file: its events stay)</span>`;
}
