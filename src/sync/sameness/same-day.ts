import { DAY, midnightOf, type WallTime } from '../../core/dates/wall-time.ts';
import type { Payload } from '../../core/record.ts';
import type { Candidate } from './candidate.ts';

/** When an occurrence is, by some clock; NaN: unknown. */
export type TimeOf = (candidate: Candidate) => WallTime;

/** By the clock of its series. */
export const written: TimeOf = ({ occurrence }) => wallTimeOf(occurrence?.slot);

/** By the clock of the site. */
export const shown: TimeOf = ({ payload: { date, time } }) => {
  const start = startOf(time);
  return wallTimeOf(typeof date === 'string' ? date + (start === undefined ? '' : `T${start}`) : undefined);
};

/**
 * Pairs occurrences that have the same series and day. Of several on one day, each is paired with the nearest with the same title, and
 * then with the nearest, in order.
 */
export function matchByDay<Gone extends Candidate, Fresh extends Candidate>(
  gone: readonly Gone[],
  fresh: readonly Fresh[],
  timeOf: TimeOf,
): Array<[Gone, Fresh]> {
  const dayOf = (candidate: Candidate) => {
    const time = timeOf(candidate);
    if (!candidate.occurrence || Number.isNaN(time)) return undefined;
    return `${midnightOf(time) / DAY} ${candidate.occurrence.series}`;
  };
  const goneByDay = Map.groupBy(gone, dayOf);
  return [...Map.groupBy(fresh, dayOf)].flatMap(([day, news]) => {
    const olds = day === undefined ? undefined : goneByDay.get(day);
    if (!olds) return [];
    const byTitle = Map.groupBy(olds, titleOf);
    const alike = [...Map.groupBy(news, titleOf)].flatMap(([title, found]) =>
      nearest(byTitle.get(title) ?? [], found, timeOf),
    );
    const paired = new Set<Candidate>(alike.flat());
    const isLeft = (candidate: Candidate) => !paired.has(candidate);
    return [...alike, ...nearest(olds.filter(isLeft), news.filter(isLeft), timeOf)];
  });
}

function titleOf({ payload: { title } }: Candidate): string {
  return JSON.stringify(title);
}

/** Sorts by time. */
export function inOrder<Item extends Candidate>(items: readonly Item[], timeOf: TimeOf): Item[] {
  return items.toSorted((one, other) => timeOf(one) - timeOf(other));
}

/** Pairs each item of the shorter list with the nearest of the longer one that leaves enough for those after it. */
function nearest<One extends Candidate, Other extends Candidate>(
  some: readonly One[],
  more: readonly Other[],
  timeOf: TimeOf,
): Array<[One, Other]> {
  if (some.length > more.length) {
    return nearest(more, some, timeOf).map(([other, one]) => [one, other]);
  }
  const [ones, others] = [inOrder(some, timeOf), inOrder(more, timeOf)];
  let next = 0;
  return ones.flatMap((one, index): Array<[One, Other]> => {
    const last = others.length - ones.length + index;
    const distance = (at: number) => {
      const other = others[at];
      return other ? Math.abs(timeOf(other) - timeOf(one)) : Number.POSITIVE_INFINITY;
    };
    while (next < last && distance(next + 1) <= distance(next)) next += 1;
    const found = others[next];
    next += 1;
    return found ? [[one, found]] : [];
  });
}

function startOf(time: Payload[string] | undefined): string | undefined {
  return typeof time === 'object' && time !== null && 'start' in time && typeof time.start === 'string'
    ? time.start
    : undefined;
}

/** @param text YYYY-MM-DD or YYYY-MM-DDTHH:MM:SS */
function wallTimeOf(text: string | undefined): WallTime {
  return text === undefined ? Number.NaN : Date.parse(text.includes('T') ? `${text}Z` : text);
}
