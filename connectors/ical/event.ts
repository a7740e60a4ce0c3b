import type { ReadContext } from '../../src/core/connector.ts';
import { CodedError } from '../../src/core/errors.ts';
import { sha256 } from '../../src/core/hash.ts';
import type { SourceRecord } from '../../src/core/record.ts';
import { checkEvent } from './check.ts';
import type { Calendar, RawEvent } from './components.ts';
import { fieldsOf } from './fields.ts';
import type { Property } from './property.ts';
import { parseWhen, spanOf, type ZoneOf } from './times.ts';
import { resolveZone } from './zones.ts';

/** An event read by itself; whether it is published depends on the others of its feed. */
export interface ReadEvent {
  record: SourceRecord;
  /** UID, with the RECURRENCE-ID of a moved instance. */
  key: string;
  sequence: number;
  cancelled: boolean;
  repeats: boolean;
}

type Context = Pick<ReadContext, 'timezone' | 'warn'>;

/**
 * Reads one VEVENT.
 * @throws CodedError FF_RECORD_DATE or FF_RECORD_MALFORMED: the event is rejected.
 */
export function readEvent({ at, properties, calendar }: RawEvent, context: Context): ReadEvent {
  const warn = (message: string) => context.warn({ at, message });
  const one = (name: string) => onlyProperty(properties, name);
  const startProperty = one('DTSTART');
  if (startProperty === undefined) throw new CodedError('FF_RECORD_DATE', 'DTSTART is missing');

  const zoneOf = zonesOf(calendar, context.timezone, warn);
  const start = parseWhen(startProperty, zoneOf);
  const endProperty = one('DTEND');
  const end = endProperty && parseWhen(endProperty, zoneOf);
  const { warning, ...span } = spanOf(start, end, one('DURATION')?.value);
  if (warning !== undefined) warn(warning);

  const { geo } = checkEvent(properties, start);
  const fields = fieldsOf(properties);
  const key = keyOf(properties, warn);
  const repeats = properties.some(({ name }) => name === 'RRULE' || name === 'RDATE');
  const { status, sequence } = fields;
  return {
    record: { at, fields: { ...fields, ...geoField(geo), ...span, uid: key, repeats } },
    key,
    sequence: typeof sequence === 'number' ? sequence : 0,
    cancelled: status === 'CANCELLED' || calendar.method === 'CANCEL',
    repeats,
  };
}

function onlyProperty(properties: readonly Property[], name: string): Property | undefined {
  const [first, second] = properties.filter((property) => property.name === name);
  if (second) throw new CodedError('FF_RECORD_MALFORMED', `${name} stands more than once`);
  return first;
}

/** The zone of a TZID, or of a floating time; what is not known is in the source's own zone, with a warning. */
function zonesOf(calendar: Calendar, timezone: string, warn: (message: string) => void): ZoneOf {
  const unknown = new Set<string>();
  return (tzid) => {
    const label = tzid ?? calendar.timezone;
    if (label === undefined || label.trim() === '') return timezone;
    const zone = resolveZone(label, calendar.timezones.get(label));
    if (zone === undefined && !unknown.has(label)) {
      warn(`time zone "${label.slice(0, 100)}" is not known; ${timezone} is used`);
      unknown.add(label);
    }
    return zone ?? timezone;
  };
}

function keyOf(properties: readonly Property[], warn: (message: string) => void): string {
  const value = (name: string) => properties.find((property) => property.name === name)?.value.trim() ?? '';
  const uid = value('UID');
  const recurrence = value('RECURRENCE-ID');
  if (uid !== '') return recurrence === '' ? uid : `${uid}/${recurrence}`;
  warn('it has no UID; a key is made of its start, title and place');
  return `no-uid-${sha256(JSON.stringify([value('DTSTART'), value('SUMMARY'), value('LOCATION'), recurrence])).slice(0, 32)}`;
}

function geoField(geo: unknown): { geo?: { latitude: number; longitude: number } } {
  if (typeof geo !== 'object' || geo === null || !('lat' in geo && 'lon' in geo)) return {};
  const [latitude, longitude] = [Number(geo.lat), Number(geo.lon)];
  return Number.isFinite(latitude) && Number.isFinite(longitude) ? { geo: { latitude, longitude } } : {};
}
