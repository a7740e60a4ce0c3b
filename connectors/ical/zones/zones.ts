import ical from 'node-ical';
import { isTimeZone } from '../../../src/core/dates/time-zone.ts';
import { namedZone, type Zone } from '../time/zone.ts';
import { type ZoneDefinition, zoneFromDefinition } from './vtimezone.ts';

/**
 * Resolves a TZID, in this order: an IANA name with an area, also in a path such as /mozilla.org/20050126_1/Europe/Berlin; a
 * Windows name or its display text; the calendar's own VTIMEZONE; an IANA name without an area, such as EST, which is less
 * certain than what a calendar defines; an offset such as UTC+2. Returns undefined for an unknown zone.
 */
export function resolveZone(tzid: string, definition?: ZoneDefinition): Zone | undefined {
  const label = tzid.trim();
  const known = knownZone(label);
  if (known?.isCertain) return namedZone(known.id);
  return (definition && zoneOfDefinition(definition)) ?? (known && namedZone(known.id));
}

interface KnownZone {
  id: string;
  /** The calendar's own definition under that name is ignored. */
  isCertain: boolean;
}

/** Feeds use a few TZIDs many times. */
const knownZones = new Map<string, KnownZone | undefined>();

function knownZone(label: string): KnownZone | undefined {
  if (!knownZones.has(label)) knownZones.set(label, findZone(label));
  return knownZones.get(label);
}

function findZone(label: string): KnownZone | undefined {
  const certain = nameWithArea(label) ?? windowsZone(label) ?? windowsZone(windowsName(label));
  if (certain !== undefined) return { id: certain, isCertain: true };
  const other = isTimeZone(label) ? label : fixedOffset(label);
  return other === undefined ? undefined : { id: other, isCertain: /^(utc|gmt|z)$/i.test(label) };
}

function nameWithArea(label: string): string | undefined {
  const parts = label.split('/').filter((part) => part !== '');
  const tails = [3, 2].filter((count) => parts.length >= count).map((count) => parts.slice(-count).join('/'));
  return tails.find(isTimeZone);
}

function fixedOffset(label: string): string | undefined {
  const match = /^(?:UTC|GMT)?\s*([+-])(\d{1,2})(?::?(\d{2}))?(?:\d{2})?$/i.exec(label);
  if (match === null) return undefined;
  const [, sign = '+', hours = '0', minutes = '00'] = match;
  if (Number(hours) > 14 || Number(minutes) > 59) return undefined;
  return `${sign}${hours.padStart(2, '0')}:${minutes}`;
}

/** Windows displays "Pacific Standard Time" as "(UTC-08:00) Pacific Time (US & Canada)". */
function windowsName(label: string): string {
  return label.replace(/^\([^)]*\)\s*/, '').replace(/^(\w+) Time \([^)]*Canada\)$/, '$1 Standard Time');
}

/** node-ical has the table of Windows zones, but uses it only when it reads a date. */
function windowsZone(label: string): string | undefined {
  // node-ical takes customized zones for UTC, and short names for offsets.
  if (/["\r\n]|customized|^\S{0,6}$/i.test(label)) return undefined;
  try {
    const event = ical.sync.parseICS(
      `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:event\r\nDTSTART;TZID="${label}":20260101T000000\r\nEND:VEVENT\r\nEND:VCALENDAR`,
    ).event;
    const zone = event?.type === 'VEVENT' ? event.start.tz : undefined;
    return zone !== undefined && isTimeZone(zone) ? zone : undefined;
  } catch {
    return undefined;
  }
}

const definedZones = new WeakMap<ZoneDefinition, Zone | undefined>();

/** The IANA zone that a VTIMEZONE names, otherwise the zone of its rules. */
function zoneOfDefinition(definition: ZoneDefinition): Zone | undefined {
  if (!definedZones.has(definition)) {
    const named = definition.properties.find(
      ({ name, value }) => name === 'X-LIC-LOCATION' && isTimeZone(value.trim()),
    );
    definedZones.set(definition, named ? namedZone(named.value.trim()) : zoneFromDefinition(definition));
  }
  return definedZones.get(definition);
}
