import type { RunContext } from '../context/run-context.ts';
import { sidesOf } from '../merge/event-questions.ts';
import { type Separation, separateRecords } from '../merge/separate-records.ts';
import type { Undoing } from './judge-change.ts';

/** Key of a record that the run has changed → how that is undone. */
export type Undoings = ReadonlyMap<string, Undoing['is']>;

/**
 * Returns the records that a run has joined: it was the first to publish them as others. If the run has also created the item, or
 * its change is not undone, they stay joined.
 */
export async function joinedBy(undone: string, undoings: Undoings, context: RunContext): Promise<Separation[]> {
  const { ledger, sync } = context;
  if (!sync.sources) return [];
  const staysJoined = (key: string) => ['delete', 'skipped'].includes(undoings.get(key) ?? '');
  const covered = await ledger.members.coveredIn(undone, sync.name);
  return covered.flatMap(({ key, cluster }) => (staysJoined(cluster) ? [] : [{ key, from: cluster }]));
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
  for (const [about, { note }] of await ledger.answers.allAnswers(sync.name)) {
    const isLeft = sidesOf(about).some((key) => undoings.get(key) === 'skipped');
    if (note === noteOf(undone) && !isLeft) await ledger.answers.takeBack(sync.name, [about]);
  }
}

function noteOf(undone: string): string {
  return `undo of ${undone}`;
}
