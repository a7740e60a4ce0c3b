import { isOver } from '../../mapping/window.ts';
import type { Candidate, Surroundings } from './candidate.ts';
import { inOrder, shown, written } from './same-day.ts';

/** The largest shift that new rules of a time zone cause in a part of a series. */
const HOURS_MS = 3 * 3_600_000;

/**
 * Pairs the occurrences of series whose times have shifted: the series has as many new occurrences as are missing, all by one
 * amount earlier or later. Only past occurrences may have no new one; fewer than half of the new ones, which the window has
 * reached since, may have no old one. Of several possible amounts, the smallest counts.
 * @param amount `hours`: three hours at most. `any`: only if the series has kept none of its later occurrences, and some of
 * those that moved are not over yet: otherwise, past ones have left the feed, and others have come
 */
export function matchShifts<Gone extends Candidate, Fresh extends Candidate>(
  gone: readonly Gone[],
  fresh: readonly Fresh[],
  { kept, now }: Pick<Surroundings, 'kept' | 'now'>,
  amount: 'hours' | 'any',
): Array<[Gone, Fresh]> {
  const goneBySeries = Map.groupBy(gone, seriesOf);
  const lastKept = new Map<string, string>();
  for (const { series, slot } of kept) if (slot >= (lastKept.get(series) ?? '')) lastKept.set(series, slot);
  return [...Map.groupBy(fresh, seriesOf)].flatMap(([series, news]) => {
    const olds = series === undefined ? undefined : goneBySeries.get(series);
    if (!olds) return [];
    const pairs = shiftOf(inOrder(olds, written), inOrder(news, written), now);
    const first = pairs[0]?.[0].occurrence?.slot ?? '';
    const isWhole = (lastKept.get(series ?? '') ?? '') < first && pairs.some(([old]) => !isOver(old.payload, now));
    return sizeOf(pairs) <= HOURS_MS || (amount === 'any' && isWhole) ? pairs : [];
  });
}

function seriesOf({ occurrence }: Candidate): string | undefined {
  return occurrence?.series;
}

/** The pairs of the smallest shift that explains all new occurrences; empty if there is no such shift, or two of one size. */
function shiftOf<Gone extends Candidate, Fresh extends Candidate>(
  olds: readonly Gone[],
  news: readonly Fresh[],
  now: string,
): Array<[Gone, Fresh]> {
  const [first] = news;
  if (!first) return [];
  const later = olds.findIndex((old) => written(old) > written(first));
  const nearest = later === -1 ? [olds.length - 1] : [later - 1, later];
  const shifts = nearest
    .filter((index) => index >= 0 && olds.slice(0, index).every((old) => isOver(old.payload, now)))
    .map((index) => pairUp(olds.slice(index), news))
    .filter(isOneShift)
    .sort((one, other) => sizeOf(one) - sizeOf(other));
  const [smallest = [], next] = shifts;
  return next && sizeOf(next) === sizeOf(smallest) ? [] : smallest;
}

function pairUp<Gone, Fresh>(olds: readonly Gone[], news: readonly Fresh[]): Array<[Gone, Fresh]> {
  if (olds.length > news.length || olds.length <= news.length - olds.length) return [];
  return olds.flatMap((old, index): Array<[Gone, Fresh]> => {
    const found = news[index];
    return found ? [[old, found]] : [];
  });
}

/** Whether one amount shifts all pairs, by the clock of the series or of the site: clocks change between occurrences. */
function isOneShift(pairs: ReadonlyArray<[Candidate, Candidate]>): boolean {
  return [written, shown].some((clock) => {
    const [amount, ...others] = new Set(pairs.map(([old, found]) => clock(found) - clock(old)));
    return Number.isFinite(amount) && others.length === 0;
  });
}

function sizeOf([first]: ReadonlyArray<[Candidate, Candidate]>): number {
  return first ? Math.abs(written(first[1]) - written(first[0])) : 0;
}
