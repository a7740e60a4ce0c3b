import { type Html, html } from '../../core/html/html.ts';
import type { AcknowledgedView } from '../../queries/views/shared.ts';
import type { Viewer } from '../access/viewer.ts';
import { mayDo } from '../access/viewer.ts';
import { acting } from '../api/acting.ts';
import { fullTime, type SiteNow } from './figures.ts';
import { actionForm, longField } from './form.ts';
import type { ShownColumn } from './table.ts';

/** What can be acknowledged in a list: a problem of a record, by its name. */
interface Row {
  name: string;
  acknowledged?: AcknowledgedView | undefined;
  /** There is nothing left to acknowledge. */
  isOver?: boolean;
}

/** Who may acknowledge, about which sync, on which page. */
export interface AcknowledgeContext {
  viewer: Viewer;
  sync: string;
  /** The address of the page, to which the form leads back. */
  back: string;
}

/** The column with the checkboxes of a list; none for people who may not acknowledge. */
export function choiceColumn<Shown extends Row>({ viewer }: AcknowledgeContext): ShownColumn<Shown> | false {
  return (
    mayDo(viewer, acting.acknowledge.role) && {
      head: 'Select',
      cell: ({ name, acknowledged, isOver }) =>
        acknowledged === undefined &&
        !isOver &&
        html`<input type="checkbox" name="keys" value="${name}" aria-label="Select ${name}">`,
    }
  );
}

/** The column that says who has acknowledged a problem. */
export function acknowledgedColumn<Shown extends Row>(clock: SiteNow): ShownColumn<Shown> {
  return { head: 'Acknowledged', cell: ({ acknowledged }) => acknowledged && acknowledgedText(acknowledged, clock) };
}

/** Who has acknowledged a problem, when, and with which note. */
export function acknowledgedText({ by, at, note }: AcknowledgedView, clock: Pick<SiteNow, 'timezone'>): Html {
  return html`by ${by} on ${fullTime(at, clock)}${note !== undefined && html`: <q>${note}</q>`}`;
}

/**
 * A list with the form that acknowledges those of its problems that are selected.
 * @param all a code, and the number of all records that were rejected with it, if the list shows only the first
 */
export function acknowledgeForm(
  list: Html,
  rows: readonly Row[],
  { id, all, ...context }: AcknowledgeContext & { id: string; all?: { code: string; total: number } },
): Html {
  const { viewer, sync, back } = context;
  if (!mayDo(viewer, acting.acknowledge.role) || rows.every(({ acknowledged, isOver }) => acknowledged || isOver))
    return list;
  const hint = 'They stay in the list, but no longer ask for attention, until their reasons change.';
  const form = actionForm({
    viewer,
    does: 'acknowledge',
    to: { sync },
    label: 'Acknowledge the selected',
    hidden: { back, hint: `${id}-none` },
    fields: html`${list}<p class="notice warning if-target" id="${id}-none" role="alert">Select at least one.</p>${longField({ name: 'note', id: `${id}-note`, label: 'Note (optional)', hint })}`,
    also: all && html`<button name="code" value="${all.code}">Acknowledge all ${all.total}</button>`,
  });
  return form ?? list;
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
