import { type Html, html } from '../../core/html/html.ts';
import type { AcknowledgedView } from '../../queries/views/shared.ts';
import type { Viewer } from '../access/viewer.ts';

import { fullTime, type SiteNow } from './figures.ts';
import { actionForm, longField } from './form.ts';

/** Who may acknowledge, about which sync, on which page. */
interface AcknowledgeContext {
  viewer: Viewer;
  sync: string;
  /** The address of the page, to which the form leads back. */
  back: string;
}

/** Who has acknowledged a problem, when, and with which note. */
function acknowledgedText({ by, at, note }: AcknowledgedView, clock: Pick<SiteNow, 'timezone'>): Html {
  return html`by ${by} on ${fullTime(at, clock)}${note !== undefined && html`: <q>${note}</q>`}`;
}

/** What is acknowledged about one record, with the button to take it back; else the form to acknowledge it. */
export function acknowledgeRecord(
  record: { name: string; acknowledged: readonly AcknowledgedView[]; hasProblem: boolean },
  { viewer, sync, back }: AcknowledgeContext,
  clock: Pick<SiteNow, 'timezone'>,
): Html | undefined {
  const { name, acknowledged, hasProblem } = record;
  if (acknowledged.length > 0) {
    const takeBack = { viewer, does: 'takeBack', to: { sync }, hidden: { back, keys: name } } as const;
    return html`<div class="notice plain">${acknowledged.map((each) => html`<p>Acknowledged ${acknowledgedText(each, clock)}</p>`)}${actionForm({ ...takeBack, label: 'Take the acknowledgement back' })}</div>`;
  }
  if (!hasProblem) return undefined;
  const hint = 'The problem stays visible, but no longer asks for attention, until its reason changes.';
  return actionForm({
    viewer,
    does: 'acknowledge',
    to: { sync },
    label: 'Acknowledge the problem',
    hidden: { back, keys: name },
    fields: longField({ name: 'note', label: 'Note (optional)', hint }),
  });
}
