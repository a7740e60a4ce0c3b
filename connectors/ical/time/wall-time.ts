/**
 * A wall time: what clock and calendar show somewhere, as ms since 1970 as if it were UTC, so that it can be compared and
 * counted with. The day of a DATE is its midnight. Only UTC functions of Date touch it, so the host's zone never matters.
 */
export type WallTime = number;

export const DAY = 86_400_000;

/** The calendar that is served: years 1 to 9999, less a day at each end for the offsets of zones. */
const FIRST: WallTime = Date.parse('0001-01-02T00:00:00Z');
export const LAST: WallTime = Date.parse('9999-12-30T23:59:59Z');

/** The wall time of an ISO date-time without a zone, undefined where there is none such: nothing is rolled over. */
export function parseWallTime(iso: string): WallTime | undefined {
  const wall = Date.parse(`${iso}Z`);
  return isInCalendar(wall) && toIso(wall) === iso ? wall : undefined;
}

/** Whether calendars can show it. False for NaN. */
export function isInCalendar(wall: WallTime): boolean {
  return wall >= FIRST && wall <= LAST;
}

/** YYYY-MM-DDTHH:MM:SS */
export function toIso(wall: WallTime): string {
  return new Date(wall).toISOString().slice(0, 19);
}

/** YYYY-MM-DD */
export function toIsoDay(wall: WallTime): string {
  return new Date(wall).toISOString().slice(0, 10);
}

/** YYYYMMDDTHHMMSS, as RFC 5545 writes it. */
export function toBasicFormat(wall: WallTime): string {
  return toIso(wall).replace(/[-:]/g, '');
}

/** The midnight that the day begins with. */
export function midnightOf(wall: WallTime): WallTime {
  return Math.floor(wall / DAY) * DAY;
}
