import type { AcknowledgedView } from '../queries/views/shared.ts';
import { formOf, inMedium, noteField, paragraph } from './blocks.ts';
import type { Block, Inline } from './document.ts';
import { say, styled, timeAt } from './inline.ts';

/** What is acknowledged, and the page to which forms lead back. */
interface About {
  sync: string;
  back: string;
}

/** Who has acknowledged a problem, when, and with which note. */
export function acknowledgedBy({ by, at, note }: AcknowledgedView): Inline {
  return say`by ${by} on ${timeAt(at)}${note !== undefined && say`: ${styled('quote', note)}`}`;
}

/**
 * A list with the form that acknowledges those of its problems that are selected.
 * @param about.all a code, and the number of all records that were rejected with it, if the list shows only the first
 */
export function acknowledgeSelected(
  list: Block,
  { id, sync, back, all }: About & { id: string; all?: { code: string; total: number } | false },
): Block {
  const hint = 'They stay in the list, but no longer ask for attention, until their reasons change.';
  return formOf({
    does: 'acknowledge',
    to: { sync },
    label: 'Acknowledge the selected',
    hidden: { back, hint: `${id}-none` },
    also: all ? { name: 'code', value: all.code, label: `Acknowledge all ${all.total}` } : undefined,
    blocks: [list, noteField({ name: 'note', id: `${id}-note`, label: 'Note (optional)', hint })],
  });
}

const ACKNOWLEDGE = {
  label: 'Acknowledge the problem',
  hint: 'The problem stays visible, but no longer asks for attention, until its reason changes.',
};
const KEEP = {
  label: 'Keep it as it is on the site',
  hint: 'It stays until the source changes the same attributes. To keep it for good, editors have to own them.',
};

/** What is acknowledged about one record, with the button to take it back; else the form to acknowledge it. */
export function acknowledgement(
  {
    name,
    acknowledged,
    hasProblem,
    isKept = false,
  }: { name: string; acknowledged: readonly AcknowledgedView[]; hasProblem: boolean; isKept?: boolean | undefined },
  { sync, back }: About,
): Block {
  const of = { to: { sync }, hidden: { back, keys: name } };
  if (acknowledged.length > 0) {
    const said = acknowledged.map((each) => paragraph(say`Acknowledged ${acknowledgedBy(each)}`));
    return {
      is: 'box',
      tone: 'plain',
      blocks: [...said, formOf({ ...of, does: 'takeBack', label: 'Take the acknowledgement back' })],
    };
  }
  if (!hasProblem) return undefined;
  const { label, hint } = isKept ? KEEP : ACKNOWLEDGE;
  const note = noteField({ name: 'note', label: 'Note (optional)', hint });
  return inMedium('page', formOf({ ...of, does: 'acknowledge', label, blocks: [note] }));
}
