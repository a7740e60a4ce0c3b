import ical from 'node-ical';
import { Temporal } from 'temporal-polyfill';
import type { Property } from './property.ts';

/**
 * The IANA zone (or fixed offset) that a TZID means, undefined where it means none that is known. In this order: an IANA
 * name, also inside a path such as /mozilla.org/20050126_1/Europe/Berlin; an offset such as UTC+2; a Windows name or its
 * display text; what the calendar's own VTIMEZONE says.
 */
export function resolveZone(tzid: string, definition: readonly Property[] | undefined): string | undefined {
  const label = tzid.trim();
  if (!knownZones.has(label)) knownZones.set(label, ianaName(label) ?? fixedOffset(label) ?? windowsZone(label));
  return knownZones.get(label) ?? (definition && definedZone(definition));
}

/** What a TZID means by itself. Feeds use the same few again and again. */
const knownZones = new Map<string, string | undefined>();

function ianaName(label: string): string | undefined {
  const parts = label.split('/').filter((part) => part !== '');
  const tails = [
    label,
    ...[3, 2].filter((count) => parts.length >= count).map((count) => parts.slice(-count).join('/')),
  ];
  return tails.find(isZone);
}

/** Temporal also takes whole ISO strings for a zone; a name is letters, digits and a few signs. */
function isZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]*$/.test(name)) return false;
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}

function fixedOffset(label: string): string | undefined {
  const match = /^(?:UTC|GMT)?\s*([+-])(\d{1,2})(?::?(\d{2}))?(?:\d{2})?$/i.exec(label);
  if (match === null) return undefined;
  const [, sign = '+', hours = '0', minutes = '00'] = match;
  if (Number(hours) > 14 || Number(minutes) > 59) return undefined;
  return `${sign}${hours.padStart(2, '0')}:${minutes}`;
}

function windowsZone(label: string): string | undefined {
  return askNodeIcal(label) ?? askNodeIcal(windowsName(label));
}

/** "(UTC-08:00) Pacific Time (US & Canada)" is how Windows displays "Pacific Standard Time". */
function windowsName(label: string): string {
  return label.replace(/^\([^)]*\)\s*/, '').replace(/^(\w+) Time \([^)]*Canada\)$/, '$1 Standard Time');
}

/** node-ical carries the table of Windows zones, and tells of an entry only by reading a date in that zone. */
function askNodeIcal(label: string): string | undefined {
  // It takes a zone without a name of its own for UTC.
  if (/["\r\n]|customized/i.test(label)) return undefined;
  try {
    const event = ical.sync.parseICS(
      `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:event\r\nDTSTART;TZID="${label}":20260101T000000\r\nEND:VEVENT\r\nEND:VCALENDAR`,
    ).event;
    const zone = event?.type === 'VEVENT' ? event.start.tz : undefined;
    return zone !== undefined && isZone(zone) ? zone : undefined;
  } catch {
    return undefined;
  }
}

/** A VTIMEZONE that names its IANA zone, or that has one offset all year. */
function definedZone(definition: readonly Property[]): string | undefined {
  const valuesOf = (name: string) =>
    definition.filter((property) => property.name === name).map(({ value }) => value.trim());
  const named = valuesOf('X-LIC-LOCATION').find(isZone);
  const offsets = new Set(valuesOf('TZOFFSETTO'));
  return named ?? (offsets.size === 1 ? fixedOffset([...offsets][0] ?? '') : undefined);
}
