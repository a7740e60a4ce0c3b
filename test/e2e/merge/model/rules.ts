import type { Happening, Known, World } from './world.ts';

// The rules of docs/several-sources.md, written again without a look at the code.

export type Likeness = 'same' | 'question' | 'different';

export const plainText = (text: string) => text.toLowerCase().split(/\s+/).filter(Boolean).join(' ');

/** Compares two records of different sources. */
export function likeness(one: Happening, other: Happening): Likeness {
  if (plainText(one.title) !== plainText(other.title) || one.date !== other.date) return 'different';
  if (one.start !== other.start) return one.start === '' || other.start === '' ? 'question' : 'different';
  const [place, otherPlace] = [plainText(one.place), plainText(other.place)];
  return place !== '' && place === otherPlace ? 'same' : 'question';
}

export const placesOf = (one: Happening, other: Happening) => [plainText(one.place), plainText(other.place)].sort();

/** Whether any answer is about a record. Then a person has decided, and the rules alone do not. */
export function isAnswered(world: World, { id, entry }: Known): boolean {
  return world.answers.some(({ ids, places }) => ids.includes(id) || places.includes(plainText(entry.place)));
}

/** Whether records that are no longer the same are asked about by now. */
export function areAsked({ calm, policy, after }: World): boolean {
  return calm >= (policy === 'keep' ? 2 : after);
}

/** Whether a new record may be one that its source no longer has, with another key (docs/missing.md). */
export function mayBeAnother(world: World, source: string, entry: Happening): boolean {
  return [...world.known.values()].some(
    (each) =>
      each.source === source &&
      each.absent > 0 &&
      likeness({ ...each.entry, place: 'any' }, { ...entry, place: 'any' }) === 'same',
  );
}

/** The source has the record now, as far as its last reading has shown. */
export const isPresent = ({ absent, withdrawn, rejected }: Known) => absent === 0 && !withdrawn && !rejected;

/** The source has not proven that it no longer has the record. */
export const isLive = (world: World, { absent, withdrawn }: Known) =>
  !withdrawn && (world.policy === 'keep' || absent < world.after);

/** Another source has withdrawn the event, or people were asked about that: it stays as it is until they answer. */
export function isWithdrawnElsewhere(world: World, known: Known): boolean {
  return (
    world.answers.some(({ why, ids }) => why === 'withdrawn' && ids.includes(known.id)) ||
    [...world.known.values()].some(
      (each) => each.withdrawn && each.source !== known.source && likeness(each.entry, known.entry) !== 'different',
    )
  );
}

/** The present records of another source that are the same event. */
export function sameIn(world: World, source: string, about: Known): Known[] {
  return [...world.known.values()].filter(
    (each) =>
      each.source === source &&
      each.id !== about.id &&
      isLive(world, each) &&
      likeness(each.entry, about.entry) === 'same',
  );
}
