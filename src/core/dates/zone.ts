import { Temporal } from 'temporal-polyfill';
import { DAY, toIso, type WallTime } from './wall-time.ts';

/** A time zone: the offset of its clocks from UTC at any instant (ms since 1970), in ms, east positive. */
export interface Zone {
  /** IANA name or offset. Undefined: only the calendar defines the zone. */
  id?: string;
  offsetAt(instant: number): number;
}

const zones = new Map<string, Zone>();

export const utc = namedZone('UTC');

/**
 * Returns the zone with an IANA name, in any case, or with an offset such as +05:45, as Temporal knows it. The same zone is
 * always the same object, which remembers its periods.
 */
export function namedZone(name: string): Zone {
  const known = zones.get(name);
  if (known) return known;
  const id = Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  const zone = zones.get(id) ?? { id, offsetAt: offsetReader(id) };
  zones.set(id, zone).set(name, zone);
  return zone;
}

function offsetReader(id: string): Zone['offsetAt'] {
  const periods: Array<ReturnType<typeof periodAt>> = [];
  return (instant) => {
    const known = periods.find(({ from, to }) => instant >= from && instant < to);
    const period = known ?? periodAt(instant, id);
    if (known === undefined) periods.unshift(period);
    return period.offset;
  };
}

/** Finds the period around an instant with the same offset: from `from` on, before `to`. */
function periodAt(instant: number, id: string) {
  const time = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(id);
  const next = time.getTimeZoneTransition('next');
  const last = time.add({ nanoseconds: 1 }).getTimeZoneTransition('previous');
  return {
    from: last?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    to: next?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offset: time.offsetNanoseconds / 1e6,
  };
}

/**
 * The instant, as ms since 1970, of a wall time. A wall time in the gap of spring moves forward by the gap; in the fold of
 * autumn, the first of the two instants counts.
 */
export function toInstant(wall: WallTime, zone: Zone): number {
  const before = zone.offsetAt(wall - DAY);
  const after = zone.offsetAt(wall + DAY);
  // The larger offset gives the earlier instant.
  for (const offset of [Math.max(before, after), Math.min(before, after)]) {
    if (zone.offsetAt(wall - offset) === offset) return wall - offset;
  }
  return wall - before;
}

/** The wall time of an instant. */
export function toWallTime(instant: number, zone: Zone): WallTime {
  return instant + zone.offsetAt(instant);
}

/** Parses the offset of a zone (Z, or as in RFC 5545, 3.3.14, also with colons) as ms; undefined for other texts. */
export function parseOffset(text: string): number | undefined {
  if (/^z$/i.test(text)) return 0;
  const [, sign, hours, minutes = 0, seconds = 0] = /^([+-])(\d{2})(?::?(\d{2}))?(?::?(\d{2}))?$/.exec(text) ?? [];
  if (sign === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const ms = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -ms : ms;
}

/** Formats an instant as RFC 9557. A zone without a name is shown by its offset. */
export function formatInstant(instant: number, zone: Zone): string {
  const offset = zone.offsetAt(instant);
  const minutes = Math.abs(offset) / 60_000;
  // ISO 8601 has no seconds in offsets; only historical zones need them.
  if (!Number.isInteger(minutes)) return `${toIso(instant)}+00:00[UTC]`;
  const digits = (count: number) => String(count).padStart(2, '0');
  const shown = `${offset < 0 ? '-' : '+'}${digits(Math.floor(minutes / 60))}:${digits(minutes % 60)}`;
  return `${toIso(instant + offset)}${shown}[${zone.id ?? shown}]`;
}
