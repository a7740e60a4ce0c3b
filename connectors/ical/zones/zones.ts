import ical from 'node-ical';
import { Temporal } from 'temporal-polyfill';
import { namedZone, type Zone } from '../time/zone.ts';
import { type ZoneDefinition, zoneFromDefinition } from './vtimezone.ts';

/**
 * The zone that a TZID means, undefined where it means none that is known. In this order: an IANA name with its area, also
 * inside a path such as /mozilla.org/20050126_1/Europe/Berlin; a Windows name or its display text; the rules of the calendar's
 * own VTIMEZONE; an IANA name without an area, for EST and the like mean less than what a calendar says; an offset as UTC+2.
 */
export function resolveZone(tzid: string, definition?: ZoneDefinition): Zone | undefined {
  const label = tzid.trim();
  const known = knownZone(label);
  if (known?.sure) return namedZone(known.id);
  return (definition && zoneOfDefinition(definition)) ?? (known && namedZone(known.id));
}

interface Known {
  id: string;
  /** Nothing that a calendar defines under the same name takes its place. */
  sure: boolean;
}

/** What a TZID means by itself. Feeds use the same few again and again. */
const knownZones = new Map<string, Known | undefined>();

function knownZone(label: string): Known | undefined {
  if (!knownZones.has(label)) knownZones.set(label, findZone(label));
  return knownZones.get(label);
}

function findZone(label: string): Known | undefined {
  const withArea = nameWithArea(label);
  if (withArea !== undefined) return { id: withArea, sure: true };
  const windows = windowsZone(label);
  if (windows !== undefined) return { id: windows, sure: true };
  const other = isZone(label) ? label : fixedOffset(label);
  return other === undefined ? undefined : { id: other, sure: /^(utc|gmt|z)$/i.test(label) };
}

function nameWithArea(label: string): string | undefined {
  const parts = label.split('/').filter((part) => part !== '');
  const tails = [3, 2].filter((count) => parts.length >= count).map((count) => parts.slice(-count).join('/'));
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
  // It takes a zone without a name of its own for UTC, and short names for offsets.
  if (/["\r\n]|customized|^\S{0,6}$/i.test(label)) return undefined;
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

const definedZones = new WeakMap<ZoneDefinition, Zone | undefined>();

/** A VTIMEZONE that names its IANA zone, else its rules. */
function zoneOfDefinition(definition: ZoneDefinition): Zone | undefined {
  if (!definedZones.has(definition)) {
    const named = definition.properties.find(({ name, value }) => name === 'X-LIC-LOCATION' && isZone(value.trim()));
    definedZones.set(definition, named ? namedZone(named.value.trim()) : zoneFromDefinition(definition));
  }
  return definedZones.get(definition);
}
