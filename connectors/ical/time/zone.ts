import { Temporal } from 'temporal-polyfill';
import { DAY, toIso, type WallTime } from './wall-time.ts';

/** A time zone: the offset of its clocks from UTC at any instant (ms since 1970), in ms, east positive. */
export interface Zone {
  /** IANA name or offset; undefined where the zone is defined only by the calendar itself. */
  id?: string;
  offsetAt(instant: number): number;
}

/** Instants from `from` on, before `to`, on which the offset is the same. */
interface Period {
  from: number;
  to: number;
  offset: number;
}

const zones = new Map<string, Zone>();

/**
 * The zone of an IANA name, in any case, or of an offset such as +05:45, as Temporal knows it; the same object for the same
 * zone. Periods once asked for are remembered.
 */
export function namedZone(name: string): Zone {
  const known = zones.get(name);
  if (known) return known;
  const id = Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  const zone = zones.get(id) ?? rememberingZone(id);
  zones.set(id, zone).set(name, zone);
  return zone;
}

function rememberingZone(id: string): Zone {
  const periods: Period[] = [];
  const offsetAt = (instant: number): number => {
    let period = periods.find(({ from, to }) => instant >= from && instant < to);
    if (period === undefined) {
      period = periodAt(instant, id);
      periods.unshift(period);
    }
    return period.offset;
  };
  return { id, offsetAt };
}

function periodAt(instant: number, id: string): Period {
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
 * The instant (ms since 1970) of a wall time. One in a spring gap moves forward by the gap; one in an autumn fold is the
 * first of the two.
 */
export function toInstant(wall: WallTime, zone: Zone): number {
  const before = zone.offsetAt(wall - DAY);
  const after = zone.offsetAt(wall + DAY);
  // Clocks ahead come first: the larger offset is the earlier instant.
  for (const offset of [Math.max(before, after), Math.min(before, after)]) {
    if (zone.offsetAt(wall - offset) === offset) return wall - offset;
  }
  return wall - before;
}

/** What the clocks of a zone show at an instant. */
export function toWallTime(instant: number, zone: Zone): WallTime {
  return instant + zone.offsetAt(instant);
}

/** An RFC 9557 string; of a zone without a name the offset stands for it. */
export function formatInstant(instant: number, zone: Zone): string {
  const offset = zone.offsetAt(instant);
  const minutes = Math.abs(offset) / 60_000;
  // ISO 8601 has no seconds in offsets; such zones are long gone.
  if (!Number.isInteger(minutes)) return `${toIso(instant)}+00:00[UTC]`;
  const digits = (count: number) => String(count).padStart(2, '0');
  const shown = `${offset < 0 ? '-' : '+'}${digits(Math.floor(minutes / 60))}:${digits(minutes % 60)}`;
  return `${toIso(instant + offset)}${shown}[${zone.id ?? shown}]`;
}
