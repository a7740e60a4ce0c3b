import { isAnswered, placesOf } from './rules.ts';
import { publisherOf, type Seen } from './seen.ts';
import type { Known, World } from './world.ts';

/** What is seen before and after a run. */
export interface Comparison {
  world: World;
  before: Seen;
  now: Seen;
}

export function isPublished(known: Known, { world, now }: Comparison): boolean {
  return now.items.some((item) => publisherOf(world, item) === known);
}

export function isAsked(known: Known, { world, now }: Comparison): boolean {
  return now.questions.some(({ why, records }) => {
    if (records.includes(known.id)) return true;
    if (why !== 'places') return false;
    const [place] = placesOf(known.entry, known.entry);
    // The model does not know a record that only the CMS has had since the ledger was lost.
    const others = records.flatMap((id) => world.known.get(id)?.entry ?? []);
    return others.some((other) => placesOf(other, other)[0] === place);
  });
}

/** Whether nothing but the rules decides about a record: it has no item, is in no question, and no person has decided. */
export function isFree(known: Known, comparison: Comparison): boolean {
  return !isPublished(known, comparison) && !isAsked(known, comparison) && !isAnswered(comparison.world, known);
}
