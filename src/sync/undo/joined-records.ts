import type { Member } from '../../ledger/members/members.ts';
import type { RunContext } from '../context/run-context.ts';
import { answered } from '../merge/form-clusters.ts';
import { sidesOf } from '../merge/questions.ts';
import { mergeRulesOf } from '../merge/rules.ts';
import { compareEvents } from '../merge/same-event.ts';
import { type Separation, separateRecords } from '../merge/separate-records.ts';
import type { Undoing } from './judge-change.ts';

/** Key of a record that the run has changed → how that is undone. */
export type Undoings = ReadonlyMap<string, Undoing['is']>;

/**
 * Returns the records that a run has joined: it was the first to publish them as others, or it has deleted their items as doubles.
 * If the run has also created the item, or its change is not undone, they stay joined.
 */
export async function joinedBy(undone: string, undoings: Undoings, context: RunContext): Promise<Separation[]> {
  const { ledger, sync } = context;
  if (!sync.sources) return [];
  const staysJoined = (key: string) => ['delete', 'skipped'].includes(undoings.get(key) ?? '');
  const covered = await ledger.members.coveredIn(undone, sync.name);
  return [
    ...covered.flatMap(({ key, cluster }) => (staysJoined(cluster) ? [] : [{ key, from: cluster }])),
    ...(await doublesOf(undoings, context)),
  ];
}

/** The records whose items come back, though their sources still have the events, and the items that these were doubles of. */
async function doublesOf(undoings: Undoings, { ledger, sync }: RunContext): Promise<Separation[]> {
  const { members } = ledger;
  const keys = [...undoings].flatMap(([key, is]) => (is === 'create' ? [key] : []));
  const back = (await members.membersNamed(sync.name, keys)).filter(
    ({ state, missedReadings }) => state === undefined && missedReadings === 0,
  );
  if (back.length === 0) return [];
  const rules = await mergeRulesOf({ ledger, sync });
  const alike = await members.membersOfEvents(sync.name, [...new Set(back.map(({ eventHash }) => eventHash))]);
  return back.flatMap((member) => {
    const isDouble = (other: Member) =>
      other.source !== member.source &&
      other.eventHash === member.eventHash &&
      other.cluster !== undefined &&
      other.cluster !== member.key &&
      !undoings.has(other.cluster) &&
      answered(compareEvents(member, other, rules), rules.answers).is === 'same';
    const clusters = new Set(alike.filter(isDouble).flatMap(({ cluster }) => cluster ?? []));
    return [...clusters].map((from) => ({ key: member.key, from }));
  });
}

/** Stores that these records are different events, because the run that has joined them was undone. */
export function separateJoined(separations: readonly Separation[], undone: string, context: RunContext): Promise<void> {
  return separateRecords(separations, { person: context.asked?.by ?? 'feedferry', note: noteOf(undone) }, context);
}

/** The undo of an undo takes its answers back, except those about records that it does not change back. */
export async function takeBackSeparations(
  undo: string,
  undoings: Undoings,
  { ledger, sync }: RunContext,
): Promise<void> {
  const undone = sync.sources && (await ledger.history.undoneBy(undo));
  if (undone === undefined) return;
  for (const [about, { note }] of await ledger.answers.allAnswers(sync.name, 'sameEvent')) {
    const isLeft = sidesOf(about).some((key) => undoings.get(key) === 'skipped');
    if (note === noteOf(undone) && !isLeft) await ledger.answers.takeBack(sync.name, 'sameEvent', about);
  }
}

function noteOf(undone: string): string {
  return `undo of ${undone}`;
}
