import { type Html, html } from '../../core/html/html.ts';
import { runPath } from '../../core/text/addresses.ts';
import type { DecisionView } from '../../queries/views/shared.ts';
import { fullTime, type SiteNow } from './figures.ts';
import { notice } from './notice.ts';

/** Who has decided about a held plan, when and why, and the run that applied it. */
export function decisionNotice(
  { is, by, via, at, reason, appliedBy }: DecisionView,
  clock: Pick<SiteNow, 'timezone'>,
): Html {
  const where = { console: '', api: ' through the API', cli: ' on the command line' }[via];
  return notice(
    'info',
    html`<p><strong>${is === 'approved' ? 'Approved' : 'Rejected'} by ${by}</strong> on ${fullTime(at, clock)}${where}.${
      reason !== undefined && html` Reason: <q>${reason}</q>`
    }</p>
<p>${appliedBy === undefined ? 'None of these changes was applied.' : html`<a href="${runPath(appliedBy)}">Show the run that applied it</a>`}</p>`,
  );
}
