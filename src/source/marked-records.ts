import { markedIn, showMarks } from '../core/charset/undecodable.ts';
import type { Rejection, SourceRecord } from '../core/record.ts';

const SHOWN = 60;

/** Returns a record whose names of fields show the bytes that cannot be decoded. The names are those of a table, not its own. */
export function withShownNames(record: SourceRecord): SourceRecord {
  if (Object.keys(record.fields).every((name) => markedIn(name) === undefined)) return record;
  const named = Object.entries(record.fields).map(([name, value]) => [showMarks(name), value]);
  return { ...record, fields: Object.fromEntries(named) };
}

/**
 * Rejects a record that has bytes which cannot be decoded: its item stays as it is until the source is corrected.
 * @returns undefined for other records
 */
export function markedRejection(
  record: SourceRecord,
  keyOf: (record: SourceRecord) => string | undefined,
): Rejection | undefined {
  for (const [name, value] of Object.entries(record.fields)) {
    const text = markedIn(value);
    if (text === undefined) continue;
    const shown = showMarks(text);
    const start = Math.max(0, shown.indexOf('\\x') - SHOWN);
    const key = keyOf(record);
    return shownRejection({
      at: record.at,
      code: 'FF_RECORD_MALFORMED',
      reason: `${name}: "${shown.slice(start, start + 2 * SHOWN)}" has bytes that cannot be decoded: a character was cut off, or its charset is uncertain`,
      key: key === undefined || markedIn(key) === undefined ? key : undefined,
      fields: record.fields,
    });
  }
  return undefined;
}

/** Returns a rejection that shows the bytes which cannot be decoded. */
export function shownRejection(rejection: Rejection): Rejection {
  if (markedIn([rejection.reason, rejection.fields]) === undefined) return rejection;
  const { reason, fields } = rejection;
  return { ...rejection, reason: showMarks(reason), ...(fields && { fields: shown(fields) as typeof fields }) };
}

function shown(value: unknown): unknown {
  if (typeof value === 'string') return showMarks(value);
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [showMarks(name), shown(member)]));
}
