import { isTimeZone } from '../../../src/core/dates/time-zone.ts';
import { namedZone, type Zone } from '../../../src/core/dates/zone.ts';
import { valuesOf } from '../parse/property.ts';
import { zoneOfCommonLabel } from './common-labels.ts';
import { zoneOfLabel } from './known-labels.ts';
import { type ZoneDefinition, zoneFromDefinition } from './vtimezone.ts';

/**
 * Resolves a TZID, in this order: an IANA name with an area, also in a path such as /mozilla.org/20050126_1/Europe/Berlin; a
 * Windows name or its display text; the calendar's own VTIMEZONE; what is less certain than the definition in a calendar: an IANA name
 * without an area, such as EST or GMT; an offset such as UTC+2; a label that is common. Returns undefined for an unknown zone.
 */
export function resolveZone(tzid: string, sourceTimezone: string, definition?: ZoneDefinition): Zone | undefined {
  const label = tzid.trim();
  const certain = nameWithArea(label) ?? displayedZone(label);
  if (certain !== undefined) return namedZone(certain);
  const defined = definition && zoneOfDefinition(definition);
  if (defined) return defined;
  const name = label.replace(/^tzone:\/\/Microsoft\//i, '');
  const other = isTimeZone(name) ? name : (fixedOffset(label) ?? zoneOfCommonLabel(label, sourceTimezone));
  return other === undefined ? undefined : namedZone(other);
}

/** Returns the zone of a Windows name or display text, or of the first known city in a list. */
function displayedZone(label: string): string | undefined {
  // Short labels are abbreviations or offsets rather than cities.
  if (label.length <= 6) return undefined;
  const name = windowsName(label);
  for (const one of [label, name, ...name.split(',')]) {
    const zone = zoneOfLabel(one);
    if (zone !== undefined) return zone;
  }
  return undefined;
}

/** Returns the IANA zone that a VTIMEZONE names, or else a zone made from its rules. */
function zoneOfDefinition(definition: ZoneDefinition): Zone | undefined {
  const [named] = valuesOf(definition.properties, 'X-LIC-LOCATION').filter(isTimeZone);
  return named === undefined ? zoneFromDefinition(definition) : namedZone(named);
}

function nameWithArea(label: string): string | undefined {
  const parts = label.split('/').filter((part) => part !== '');
  const tails = [3, 2].filter((count) => parts.length >= count).map((count) => parts.slice(-count).join('/'));
  return tails.find(isTimeZone);
}

function fixedOffset(label: string): string | undefined {
  const match = /^\(?(?:UTC|GMT)?\s*([+-])(\d{1,2})(?:[:.]?(\d{2}))?(?:\d{2})?\)?$/i.exec(label);
  if (match === null) return undefined;
  const [, sign = '+', hours = '0', minutes = '00'] = match;
  if (Number(hours) > 14 || Number(minutes) > 59) return undefined;
  return `${sign}${hours.padStart(2, '0')}:${minutes}`;
}

/** Returns the name for a display text: "(UTC-08:00) Pacific Time (US & Canada)" is "Pacific Standard Time". */
function windowsName(label: string): string {
  return label.replace(/^\([^)]*\)\s*/, '').replace(/^(\w+) Time \([^)]*Canada\)$/, '$1 Standard Time');
}
