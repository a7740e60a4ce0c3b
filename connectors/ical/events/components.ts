import type { ReadContext } from '../../../src/core/connector.ts';
import { CodedError } from '../../../src/core/errors.ts';
import type { ContentLine } from '../parse/content-lines.ts';
import { type Property, parseProperty } from '../parse/property.ts';
import type { ZoneDefinition } from '../zones/vtimezone.ts';

/** A VEVENT taken out of its calendar: its own properties, without those of its alarms. */
export interface EventComponent {
  /** "VEVENT 3 (line 40)" */
  at: string;
  properties: Property[];
  calendar: Calendar;
}

/** What a VCALENDAR says about all its events. */
export interface Calendar {
  /** X-WR-TIMEZONE: the zone of floating times. */
  timezone?: string;
  method?: string;
  /** Its VTIMEZONEs by TZID. */
  timezones: Map<string, ZoneDefinition>;
}

interface Open {
  name: string;
  at: string;
  properties: Property[];
  /** The properties of components inside a VTIMEZONE. */
  parts: Property[][];
  problem?: string;
}

type Context = Pick<ReadContext, 'reject' | 'incomplete'>;

/**
 * Takes calendars apart. A block with a missing or stray END, or with a line that is no property, is rejected alone; one
 * that the feed breaks off in makes the read incomplete. Several VCALENDARs in a feed are read one after the other.
 * @throws CodedError FF_FEED_FORMAT where there is no VCALENDAR.
 */
export async function* readEvents(
  lines: AsyncIterable<ContentLine>,
  location: string,
  context: Context,
): AsyncGenerator<EventComponent> {
  const state = new CalendarState(context);
  for await (const line of lines) {
    const event = state.take(line);
    if (event) yield event;
  }
  state.finish(location);
}

class CalendarState {
  readonly #context: Context;
  #calendar: Calendar | undefined;
  #calendars = 0;
  #events = 0;
  /** The VEVENT or VTIMEZONE that is being read. */
  #open: Open | undefined;
  /** Components inside the open one, or unknown ones beside it. */
  #inner: string[] = [];

  constructor(context: Context) {
    this.#context = context;
  }

  /** @returns a VEVENT that the line completes. */
  take(line: ContentLine): EventComponent | undefined {
    const mark = /^(BEGIN|END):\s*([A-Z0-9-]+)\s*$/i.exec(line.text);
    const name = mark?.[2]?.toUpperCase() ?? '';
    if (mark?.[1]?.toUpperCase() === 'BEGIN') this.#begin(name, line);
    else if (mark) return this.#end(name, line);
    else this.#property(line);
    return undefined;
  }

  finish(location: string): void {
    if (this.#calendars === 0) {
      throw new CodedError('FF_FEED_FORMAT', `${location} is not a calendar: it has no BEGIN:VCALENDAR.`);
    }
    if (this.#open) this.#context.incomplete(`the calendar breaks off inside ${this.#open.at}`);
    else if (this.#calendar) this.#context.incomplete('the calendar breaks off: END:VCALENDAR is missing');
  }

  #begin(name: string, line: ContentLine): void {
    if (name === 'VCALENDAR' || name === 'VEVENT' || name === 'VTIMEZONE') this.#rejectUnended(`BEGIN:${name}`, line);
    if (name === 'VCALENDAR') {
      this.#calendars += 1;
      this.#calendar = { timezones: new Map() };
    } else if (name === 'VEVENT' || name === 'VTIMEZONE') {
      if (name === 'VEVENT') this.#events += 1;
      const at = name === 'VEVENT' ? `VEVENT ${this.#events} (line ${line.number})` : `VTIMEZONE (line ${line.number})`;
      this.#open = { name, at, properties: [], parts: [] };
    } else {
      this.#inner.push(name);
      this.#open?.parts.push([]);
    }
  }

  #end(name: string, line: ContentLine): EventComponent | undefined {
    if (this.#inner.at(-1) === name) {
      this.#inner.pop();
      return undefined;
    }
    const open = this.#open;
    if (open?.name === name) return this.#close(open, line);
    if (name === 'VCALENDAR') {
      this.#rejectUnended('END:VCALENDAR', line);
      this.#calendar = undefined;
    } else if (name === 'VEVENT') {
      this.#reject({ at: `line ${line.number}`, properties: [] }, 'END:VEVENT stands without its BEGIN:VEVENT');
    } else if (open) open.problem ??= `END:${name} in line ${line.number} stands without its BEGIN`;
    return undefined;
  }

  #close(open: Open, line: ContentLine): EventComponent | undefined {
    this.#open = undefined;
    const unended = this.#inner.splice(0);
    const calendar = this.#calendar;
    if (open.name === 'VTIMEZONE') {
      const id = open.properties.find((property) => property.name === 'TZID')?.value.trim();
      if (id !== undefined) calendar?.timezones.set(id, { properties: open.properties, observances: open.parts });
      return undefined;
    }
    if (unended.length > 0) open.problem ??= `END:${unended[0]} is missing before line ${line.number}`;
    if (calendar === undefined) open.problem ??= 'it stands outside of a VCALENDAR';
    if (calendar && open.problem === undefined) return { at: open.at, properties: open.properties, calendar };
    this.#reject(open, open.problem ?? 'it cannot be read');
    return undefined;
  }

  #property(line: ContentLine): void {
    const inside = this.#inner.length > 0;
    // Alarms and the like do not matter; the rules of a time zone do.
    if (inside && this.#open?.name !== 'VTIMEZONE') return;
    const property = line.tooLong ? undefined : parseProperty(line.text);
    if (this.#open) {
      const { properties, parts } = this.#open;
      if (property) (inside ? (parts.at(-1) ?? properties) : properties).push(property);
      else
        this.#open.problem ??= `line ${line.number} ${line.tooLong ? 'is too long' : `is no property: ${line.text.slice(0, 60)}`}`;
    } else if (this.#calendar && property?.name === 'X-WR-TIMEZONE') this.#calendar.timezone = property.value.trim();
    else if (this.#calendar && property?.name === 'METHOD') this.#calendar.method = property.value.trim().toUpperCase();
  }

  #rejectUnended(before: string, line: ContentLine): void {
    if (this.#open?.name === 'VEVENT')
      this.#reject(this.#open, `END:VEVENT is missing before ${before} in line ${line.number}`);
    this.#open = undefined;
    this.#inner = [];
  }

  #reject({ at, properties }: Pick<Open, 'at' | 'properties'>, reason: string): void {
    const uid = properties.find((property) => property.name === 'UID')?.value;
    this.#context.reject({
      at,
      code: 'FF_RECORD_MALFORMED',
      reason,
      ...(uid === undefined ? {} : { key: uid, fields: { uid } }),
    });
  }
}
