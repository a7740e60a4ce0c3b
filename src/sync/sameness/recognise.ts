import type { Candidate, Match, Surroundings } from './candidate.ts';
import { matchByContent, matchByPlace } from './same-content.ts';
import { matchByDay, shown, written } from './same-day.ts';
import { isRenamedWholly } from './same-thing.ts';
import { matchShifts } from './shifted-series.ts';

/**
 * What shows that a new record is a missing one whose key has changed, the surest first. A record that one grade has paired
 * is not judged by the next. Records with the same key are not judged at all.
 */
const grades = {
  /** The new record has a key that the missing one has had before. */
  formerKey: matchByFormerKey,
  /** All new occurrences of a series are some hours earlier or later than the missing ones, as if its clock had changed. */
  hours: (gone, fresh, surroundings) => matchShifts(gone, fresh, surroundings, 'hours'),
  /** Both are on the same day of the same series, as the source writes it. */
  day: (gone, fresh) => matchByDay(gone, fresh, written),
  /** The same, as the site shows it. */
  shownDay: (gone, fresh) => matchByDay(gone, fresh, shown),
  /** The rest of a series has moved as a whole. */
  shift: (gone, fresh, surroundings) => matchShifts(gone, fresh, surroundings, 'any'),
  /** What people see of them is equal, and their places. */
  place: matchByPlace,
  /** What people see of them is equal, and no other record has it. */
  content: matchByContent,
} as const satisfies Record<string, Match>;

export type Grade = keyof typeof grades;

/**
 * A source that gives an event another key at each export may return to one of them when the event has changed, too. The key may also have
 * passed on to what another missing record was.
 */
function matchByFormerKey<Gone extends Candidate, Fresh extends Candidate>(
  gone: readonly Gone[],
  fresh: readonly Fresh[],
  surroundings: Surroundings,
): Array<[Gone, Fresh]> {
  const owners = Map.groupBy(
    gone.flatMap((old) => (old.formerKeys ?? []).map((key) => ({ key, old }))),
    ({ key }) => key,
  );
  if (owners.size === 0) return [];
  const equal = [...matchByPlace(gone, fresh), ...matchByContent(gone, fresh, surroundings)];
  const others = new Set(equal.map(([, found]) => found));
  const taken = new Set<Gone>();
  return fresh.flatMap((found): Array<[Gone, Fresh]> => {
    const [owner, ...more] = owners.get(found.key) ?? [];
    if (!owner || more.length > 0 || taken.has(owner.old)) return [];
    if (others.has(found) && isRenamedWholly(owner.old.payload, found.payload, found.resource)) return [];
    taken.add(owner.old);
    return [[owner.old, found]];
  });
}

/** The records that were recognised under new keys, and how. */
export function recogniseRecords<Gone extends Candidate, Fresh extends Candidate>(
  gone: readonly Gone[],
  fresh: readonly Fresh[],
  { kept, ...surroundings }: Surroundings,
): Array<{ old: Gone; found: Fresh; grade: Grade }> {
  const links: Array<{ old: Gone; found: Fresh; grade: Grade }> = [];
  for (const grade of Object.keys(grades) as Grade[]) {
    const match: Match = grades[grade];
    const { gone: olds, fresh: news } = unlinked({ gone, fresh }, links);
    const settled = links.flatMap(({ found }) => found.occurrence ?? []);
    const pairs = match(olds, news, { ...surroundings, kept: [...kept, ...settled] });
    for (const [old, found] of pairs) links.push({ old, found, grade });
  }
  return links;
}

/** Returns the records that were not recognised. */
export function unlinked<Gone, Fresh>(
  { gone, fresh }: { gone: readonly Gone[]; fresh: readonly Fresh[] },
  links: ReadonlyArray<{ old: Gone; found: Fresh }>,
): { gone: Gone[]; fresh: Fresh[] } {
  const linked = new Set<Gone | Fresh>(links.flatMap(({ old, found }) => [old, found]));
  const isOpen = (record: Gone | Fresh) => !linked.has(record);
  return { gone: gone.filter(isOpen), fresh: fresh.filter(isOpen) };
}
