import { type Html, html } from '../../core/html.ts';
import type { RecordRejectionView } from '../../queries/views/record.ts';
import type { Viewer } from '../access/viewer.ts';
import { acknowledgeRecord } from '../parts/acknowledge.ts';
import { recordPath, runPath } from '../parts/addresses.ts';
import { badge } from '../parts/badge.ts';
import { fullTime, type SiteNow } from '../parts/figures.ts';
import { problemNotice } from '../parts/notice.ts';

/** Why the last reading has rejected a record, what to do about it, and who has acknowledged that. */
export function rejectionNotices(
  { sync, key, run, startedAt, found, acknowledged = [] }: RecordRejectionView,
  context: SiteNow & { viewer: Viewer },
): Html | undefined {
  if (found.length === 0) return undefined;
  const reading =
    run && html`<a href="${runPath(run)}">the last run</a>${startedAt && html` (${fullTime(startedAt, context)})`}`;
  const by = { viewer: context.viewer, sync, back: recordPath(sync, key) };
  return html`<p>${badge('bad', 'Rejected')} by ${reading}. The record was not delivered.</p>
${found.map(({ at, problem }) => html`<p><strong>${at}</strong></p>${problemNotice(problem, 'bad', { sync, key })}`)}
${acknowledgeRecord({ name: key, acknowledged, hasProblem: true }, by, context)}`;
}
