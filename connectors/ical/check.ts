import ical, { type VEvent } from 'node-ical';
import { CodedError } from '../../src/core/errors.ts';
import type { Property } from './property.ts';
import type { When } from './times.ts';

/** What node-ical reads well. Texts, dates, zones and identity are read here instead: it is lossy in those. */
const checked = new Set(['RRULE', 'EXRULE', 'GEO', 'CLASS', 'TRANSP', 'PRIORITY', 'SEQUENCE', 'STATUS']);

/**
 * Has node-ical read one event by itself, so that an event that it cannot read costs no other.
 * @throws CodedError FF_RECORD_MALFORMED, for a malformed RRULE above all.
 */
export function checkEvent(properties: readonly Property[], start: When): VEvent {
  const lines = properties.filter(({ name }) => checked.has(name)).map(({ name, value }) => `${name}:${value}`);
  const text = [
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    'UID:event',
    startLine(start),
    ...lines,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  let event: unknown;
  try {
    event = ical.sync.parseICS(text.join('\r\n')).event;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CodedError('FF_RECORD_MALFORMED', `the event cannot be read: ${reason.slice(0, 200)}`, { cause });
  }
  if (!isEvent(event)) throw new CodedError('FF_RECORD_MALFORMED', 'the event cannot be read');
  return event;
}

function startLine(start: When): string {
  if (start.is === 'date') return `DTSTART;VALUE=DATE:${`${start.date}`.replaceAll('-', '')}`;
  const utc = start.time.toInstant().toString({ smallestUnit: 'second' });
  return `DTSTART:${utc.replace(/[-:]/g, '')}`;
}

function isEvent(component: unknown): component is VEvent {
  return typeof component === 'object' && component !== null && 'type' in component && component.type === 'VEVENT';
}
