import { z } from 'zod';
import { isIsoDate } from '../core/dates/iso-date.ts';
import type { Json, Payload } from '../core/record.ts';
import { eventTime } from './event-time.ts';
import { ApiError } from './http/errors.ts';
import type { SandboxSwitches } from './options.ts';
import { asObject, asText, checkAgainst, cleared, type ResourceKind, withValues } from './resource.ts';
import type { ItemTable } from './store/store.ts';
import type { FileLookup } from './store/upload-store.ts';

const text = z.string().nullish();
/** An empty text clears, as null does. */
const day = z
  .string()
  .refine((value) => value === '' || isIsoDate(value), 'must be a date YYYY-MM-DD')
  .nullish();
const timeOfDay = z
  .string()
  .regex(/^(([01]\d|2[0-3]):[0-5]\d:[0-5]\d)?$/, 'must be a time HH:MM:SS')
  .nullish();

const texts = ['title', 'description', 'date', 'endDate'] as const;
const flags = ['isFeatured', 'isMultiDay', 'spansMultipleDays', 'showOnAllDates', 'repeats'] as const;

/** API: "Event". Attributes not named here are custom ones and may hold any JSON. */
const eventSchema = z.looseObject({
  title: text,
  description: text,
  date: day,
  endDate: day,
  ...Object.fromEntries(flags.map((key) => [key, z.boolean().nullish()])),
  time: z.looseObject({ start: timeOfDay, end: timeOfDay, type: text }).nullish(),
});

const noFlags: Payload = Object.fromEntries(flags.map((key) => [key, false]));
/** Shown, but not stored. */
const derived = ['isPastEvent', 'isToday', 'url', 'icalUrl', 'editUrl'];
const timeParts = ['start', 'end', 'type'] as const;
/** All attributes of an event, except custom ones. */
export const eventKeys: ReadonlySet<string> = new Set([...texts, ...flags, 'time', 'id', ...derived]);
/** Ignored: clients send these back when they PUT an item that they have read. */
const readOnly = new Set(['id', ...derived]);

/** Calendar events (API: "Events"). `clock` gives the site's wall time. */
export function eventKind(
  table: ItemTable,
  uploads: FileLookup,
  switches: SandboxSwitches,
  clock: () => string,
): ResourceKind {
  const blank = { ...cleared(texts, switches.cleared), ...noFlags };
  const blankTime = cleared(timeParts, switches.cleared);

  return {
    path: '/calendar/events',
    table,
    ofEvents: true,
    standard: eventKeys,
    editable: ['title', 'date', 'endDate', 'time.start', 'time.end', 'description', 'location', 'category', 'price'],
    required: ['title', 'date', 'endDate', 'time'],
    unique: [],
    check(body) {
      checkAgainst(eventSchema, body);
      checkUploads(body, uploads);
      const writable = Object.entries(body).filter(([key]) => !readOnly.has(key));
      const data: Payload = Object.fromEntries(writable.map(([key, value]) => [key, withAlt(key, value, switches)]));
      for (const key of ['date', 'endDate']) if (data[key] === '') data[key] = null;
      // A flag always has a value, so that filters and sorting see what responses show.
      for (const key of flags) if (data[key] === null) data[key] = false;
      const time = asObject(data.time);
      if (time) data.time = onlyTimeParts(time);
      return data;
    },
    merge(current, changes) {
      const merged: Payload = { ...noFlags, ...current, ...changes };
      const [before, sent] = [asObject(current.time), asObject(changes.time)];
      if (sent) merged.time = withValues(switches.patchTime === 'merge' ? { ...before, ...sent } : sent);
      return merged;
    },
    checkWhole(data) {
      const [date, endDate] = [asText(data.date), asText(data.endDate)];
      if (date && endDate && endDate < date) throw new ApiError(422, `endDate: ${endDate} is before date ${date}`);
    },
    index: (data) => ({
      firstDay: asText(data.date) ?? null,
      lastDay: asText(data.endDate) ?? asText(data.date) ?? null,
      searchText: `${asText(data.title) ?? ''}\n${asText(data.description) ?? ''}`.toLowerCase(),
    }),
    present({ id, data }) {
      const { isKind, when } = eventTime(data, clock());
      return {
        id,
        ...blank,
        ...data,
        time: { ...blankTime, ...asObject(data.time), ...isKind },
        ...when,
        url: `/events/${id}`,
        icalUrl: `/events/${id}.ics`,
        editUrl: `/admin/events/${id}`,
      };
    },
  };
}

/** start, end and type, if they have a value. The time.is* flags are derived, so sent ones are ignored. */
function onlyTimeParts(time: Payload): Payload {
  const parts: Payload = {};
  for (const key of timeParts) if (time[key] !== undefined) parts[key] = time[key] === '' ? null : time[key];
  return parts;
}

/** A file with the alternative text that the site keeps. @throws ApiError 422 */
function withAlt(key: string, value: Json, { altText }: SandboxSwitches): Json {
  const file = asObject(value);
  if (file?.src === undefined || file.alt === undefined || altText === 'taken') return value;
  if (altText === 'refused') throw new ApiError(422, `${key}: has an unknown key alt`);
  const { alt, ...rest } = file;
  return rest;
}

/** Checks a src that looks like an upload's. This catches clients that set the attribute before they upload the file. */
function checkUploads(body: Payload, uploads: FileLookup): void {
  for (const [key, value] of Object.entries(body)) {
    const src = asText(asObject(value)?.src);
    if (src?.startsWith('/uploads/') && !uploads.has(src)) {
      throw new ApiError(422, `${key}: no file was uploaded as ${src}`);
    }
  }
}
