import type { ReadContext } from '../../../src/core/connector.ts';
import type { Zone } from '../../../src/core/dates/zone.ts';
import { CodedError } from '../../../src/core/errors.ts';
import type { ContentLine } from '../parse/content-lines.ts';
import { decodeValue } from '../parse/encodings.ts';
import { type Property, parseProperty, unescapeText, valuesOf } from '../parse/property.ts';
import type { ZoneDefinition } from '../zones/vtimezone.ts';

/** A VEVENT with its own properties, without the properties of its alarms. */
export interface EventComponent {
  /** "VEVENT 3 (line 40)" */
  at: string;
  properties: Property[];
  calendar: Calendar;
}

/** The properties of a VCALENDAR that apply to all its events. */
export interface Calendar {
  /** X-WR-TIMEZONE: the zone of floating times. */
  timezone?: string;
  method?: string;
  /** 1.0 for vCalendar. */
  version?: string;
  /** TZ of vCalendar 1.0: the offset of floating times in winter. */
  winterOffset?: string;
  /** VTIMEZONEs of the calendar by TZID. */
  timezones: Map<string, ZoneDefinition>;
  /** The zones of the TZIDs that were resolved; undefined if a zone is unknown. */
  zones: Map<string, Zone | undefined>;
}

interface OpenComponent {
  name: string;
  at: string;
  properties: Property[];
  /** The properties of each component inside a VTIMEZONE. */
  parts: Property[][];
  problem?: string;
}

/** Lines that are needed to know the identity, time and recurrence of an event, and whether it is for the public. */
const essential = /^(?:CLASS|STATUS|UID|RECURRENCE-ID|DTSTART|DTEND|DURATION|RRULE|EXRULE|RDATE|EXDATE)\s*(?:[:;=]|$)/i;

/**
 * Reads the events of calendars. A feed may have several VCALENDARs, one after the other. An event with a missing or stray END,
 * or with an unreadable line of its identity, time or recurrence, is rejected alone; other unreadable lines are dropped with a
 * warning. The read is incomplete if other events may be lost beside a rejected event, or if the feed is cut off inside an event.
 * @throws CodedError FF_FEED_FORMAT if there is no VCALENDAR
 */
export async function* readEvents(
  lines: AsyncIterable<ContentLine>,
  location: string,
  context: Pick<ReadContext, 'reject' | 'warn' | 'incomplete'>,
): AsyncGenerator<EventComponent> {
  let calendar: Calendar | undefined;
  let hasCalendar = false;
  let events = 0;
  /** The current VEVENT or VTIMEZONE. */
  let open: OpenComponent | undefined;
  /** Names of the open components inside `open`, or of unknown components outside of it. */
  let inner: string[] = [];

  for await (const line of lines) {
    const [, keyword, component] = /^\s*(BEGIN|END):\s*([A-Z0-9-]+)\s*$/i.exec(line.text) ?? [];
    const name = component?.toUpperCase() ?? '';
    if (keyword === undefined) addProperty(line);
    else if (keyword.toUpperCase() === 'BEGIN') begin(name, line.number);
    else {
      const event = end(name, line.number);
      if (event) yield event;
    }
  }
  if (!hasCalendar) {
    throw new CodedError('FF_FEED_FORMAT', `${location} is not a calendar: it has no BEGIN:VCALENDAR.`);
  }
  if (open) context.incomplete(`the calendar is cut off inside ${open.at}`);
  else if (calendar) context.incomplete('the calendar is cut off: END:VCALENDAR is missing');

  function begin(name: string, line: number): void {
    if (name === 'VCALENDAR') {
      rejectUnended(`BEGIN:${name}`, line);
      hasCalendar = true;
      calendar = { timezones: new Map(), zones: new Map() };
    } else if (name === 'VEVENT' || name === 'VTIMEZONE') {
      rejectUnended(`BEGIN:${name}`, line);
      if (name === 'VEVENT') events += 1;
      const at = name === 'VEVENT' ? `VEVENT ${events} (line ${line})` : `VTIMEZONE (line ${line})`;
      open = { name, at, properties: [], parts: [] };
    } else {
      inner.push(name);
      open?.parts.push([]);
    }
  }

  /** Ends a component. Returns it if it is a well-formed VEVENT. */
  function end(name: string, line: number): EventComponent | undefined {
    if (inner.at(-1) === name) inner.pop();
    else if (open?.name === name) return close(open, line);
    else if (name === 'VCALENDAR') {
      rejectUnended('END:VCALENDAR', line);
      calendar = undefined;
    } else if (name === 'VEVENT') {
      reject({ at: `line ${line}`, properties: [] }, 'END:VEVENT without BEGIN:VEVENT');
      context.incomplete(`the beginning of the event that ends in line ${line} is missing`);
    } else if (open) open.problem ??= `END:${name} in line ${line} has no BEGIN:${name}`;
    return undefined;
  }

  function close({ name, at, properties, parts, problem }: OpenComponent, line: number): EventComponent | undefined {
    const [unended] = inner;
    open = undefined;
    inner = [];
    if (name === 'VTIMEZONE') {
      const [id] = valuesOf(properties, 'TZID');
      if (id !== undefined) calendar?.timezones.set(unescapeText(id), { properties, observances: parts });
      return undefined;
    }
    const uids = new Set(valuesOf(properties, 'UID'));
    const isMixed = uids.size > 1;
    if (isMixed) context.incomplete(`${at} has the lines of ${uids.size} events`);
    const mixture = isMixed ? `UID appears with ${uids.size} values` : undefined;
    const reason = problem ?? mixture ?? (unended && `END:${unended} is missing before line ${line}`);
    if (reason === undefined && calendar) return { at, properties, calendar };
    reject({ at, properties }, reason ?? 'the event is outside of a VCALENDAR');
    return undefined;
  }

  function addProperty({ number, text, tooLong }: ContentLine): void {
    const isInside = inner.length > 0;
    // Alarms and the like are ignored, but the parts of a time zone are needed.
    if (isInside && open?.name !== 'VTIMEZONE') return;
    const written = tooLong ? undefined : parseProperty(text);
    const property = written && open ? decode(written, open) : written;
    // Some programs fill up a file after its end. NULs were removed; the other sign is the end of a file of DOS.
    if (!calendar && hasCalendar && text.replaceAll('\u001A', '').trim() === '') return;
    // A web page or an error message of the server in the middle of a calendar may be in place of events.
    if (!property && (!open || /^\s*<[a-z!/]/i.test(text))) {
      context.incomplete(`line ${number} is not a line of a calendar: ${text.slice(0, 60)}`);
    }
    if (open) {
      const { properties, parts } = open;
      if (property) (isInside ? (parts.at(-1) ?? properties) : properties).push(property);
      else {
        const problem = `line ${number} is ${tooLong ? 'too long' : `not a property: ${text.slice(0, 60)}`}`;
        if (essential.test(text)) open.problem ??= problem;
        else {
          const [name = 'other'] = /^[\w-]+(?=[;:])/.exec(text) ?? [];
          const remedy =
            name === 'other'
              ? '. The source must write a line break in a text as \\n, or begin the line with a blank'
              : '';
          context.warn({ at: open.at, message: `${problem}; it is ignored${remedy}`, kind: `no property: ${name}` });
        }
      }
    } else if (property?.name === 'X-WR-TIMEZONE' && calendar) calendar.timezone = property.value.trim();
    else if (property?.name === 'METHOD' && calendar) calendar.method = property.value.trim().toUpperCase();
    else if (property?.name === 'VERSION' && calendar) calendar.version = property.value.trim();
    else if (property?.name === 'TZ' && calendar) calendar.winterOffset = property.value.trim();
  }

  function decode(property: Property, { at }: OpenComponent): Property {
    return decodeValue(property, calendar?.version, (message) => context.warn({ at, message }));
  }

  function rejectUnended(before: string, line: number): void {
    if (open?.name === 'VEVENT') {
      reject(open, `END:VEVENT is missing before ${before} in line ${line}`);
      // The lines of other events may be missing, too.
      context.incomplete(`the end of ${open.at} is missing`);
    }
    open = undefined;
    inner = [];
  }

  function reject({ at, properties }: Pick<OpenComponent, 'at' | 'properties'>, reason: string): void {
    const [uid] = valuesOf(properties, 'UID');
    const identity = uid === undefined ? {} : { key: uid, fields: { uid } };
    context.reject({ at, code: 'FF_RECORD_MALFORMED', reason, ...identity });
  }
}
