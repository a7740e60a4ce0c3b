/**
 * A wall time: what clock and calendar show at some place, as ms since 1970 as if it were UTC, so that it can be compared
 * and calculated with. A day is its midnight. Only the UTC functions of Date are used, so this machine's zone does not matter.
 */
export type WallTime = number;

export const DAY = 86_400_000;

/** Parses YYYY-MM-DDTHH:MM:SS. Returns undefined for a day or time that does not exist, such as 30 February. */
export function parseIso(text: string): WallTime | undefined {
  const wall = Date.parse(`${text}Z`);
  return !Number.isNaN(wall) && toIso(wall) === text ? wall : undefined;
}

/** Formats as YYYY-MM-DDTHH:MM:SS. */
export function toIso(wall: WallTime): string {
  const time = wall - midnightOf(wall);
  const [hours, minutes, seconds] = [
    Math.floor(time / 3_600_000),
    Math.floor(time / 60_000) % 60,
    Math.floor(time / 1000) % 60,
  ];
  return `${toIsoDay(wall)}T${twoDigits(hours)}:${twoDigits(minutes)}:${twoDigits(seconds)}`;
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

/** The occurrences of a calendar have few different days, and Date formats slowly. */
const knownDays = new Map<WallTime, string>();
const MOST_KNOWN = 10_000;

/** Formats as YYYY-MM-DD. */
export function toIsoDay(wall: WallTime): string {
  const midnight = midnightOf(wall);
  const known = knownDays.get(midnight);
  if (known !== undefined) return known;
  const day = new Date(wall).toISOString().slice(0, 10);
  if (knownDays.size < MOST_KNOWN) knownDays.set(midnight, day);
  return day;
}

export function midnightOf(wall: WallTime): WallTime {
  return Math.floor(wall / DAY) * DAY;
}
