import { isObject } from '../../core/record.ts';
import type { Column } from '../columns/columns.ts';
import type { Answers } from '../proposal.ts';

/**
 * What a person has decided about a proposal. It is plain JSON, so that a page can keep it between two requests, and it does not
 * contain what was inferred, so that a proposal can be made again from another part of the feed.
 */
export interface Corrections {
  answers: Answers;
  /**
   * Line of the proposal → its value as in a sync file; null leaves the line out. For an attribute, a field or a list of fields
   * means that its rule is inferred from these. `start.format` is the format of a line, `source.items` a key of `source`.
   */
  lines: Readonly<Record<string, unknown>>;
}

export const NO_CORRECTIONS: Corrections = { answers: {}, lines: {} };

/** The attributes that together are one line of a proposal. */
const lineOfAttribute = new Map([
  ['date', 'start'],
  ['time.start', 'start'],
  ['endDate', 'end'],
  ['time.end', 'end'],
]);

/** Returns the line that shows an attribute: `time.start` is part of `start`. */
export function lineOf(attribute: string): string {
  return lineOfAttribute.get(attribute) ?? attribute;
}

/** Returns whether a map has a title, or the day on which events start. */
export function hasLine(map: Readonly<Record<string, unknown>>, line: 'title' | 'start'): boolean {
  return line in map || (line === 'start' && 'date' in map);
}

/** Keys of a sync file that are lines of their own, and the year of dates without one; other lines are attributes. */
const ownKeys = new Set(['resource', 'key', 'when', 'authority', 'recurrence', 'schedule', 'missing', 'year']);

/** Returns whether a line is an attribute, or a part of one such as `time.start`. */
export function isAttributeLine(line: string): boolean {
  return !ownKeys.has(line) && !/^(source|attachments)\./.test(line) && !line.endsWith('.format');
}

/** Returns the paths of the fields that a person has chosen for an attribute; undefined if the value is a rule or absent. */
export function chosenPaths({ lines }: Corrections, line: string): readonly string[] | undefined {
  if (!Object.hasOwn(lines, line)) return undefined;
  const value = lines[line];
  if (value === null) return [];
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((path) => typeof path === 'string') : undefined;
}

/** Returns the columns that a person has chosen for an attribute; undefined if the value is a rule or absent. */
export function chosenColumns(
  corrections: Corrections,
  line: string,
  columns: readonly Column[],
): Column[] | undefined {
  return chosenPaths(corrections, line)?.flatMap((path) => columns.find((column) => column.path === path) ?? []);
}

/** Returns the columns that a person has chosen, by attribute; several attributes are the times of an event. */
export function allChosenColumns(corrections: Corrections, columns: readonly Column[]): Map<string, Column[]> {
  const lines = Object.keys(corrections.lines).filter(isAttributeLine);
  return new Map(
    lines.flatMap((line) => {
      const fields = chosenColumns(corrections, line, columns);
      return fields ? [[line, fields] as const] : [];
    }),
  );
}

/**
 * Returns whether a person has written a line as it is in a sync file, so that nothing about it is left to ask. Fields that were
 * only chosen are read by inference, which may have a question about them.
 */
export function isWritten({ lines }: Corrections, line: string): boolean {
  if (Object.hasOwn(lines, `${line}.format`)) return true;
  if (!Object.hasOwn(lines, line)) return false;
  return !isAttributeLine(line) || lines[line] === null || isObject(lines[line]);
}

/** Returns whether a person has decided about the line of an attribute, or about the attribute itself. */
export function isDecided({ lines }: Corrections, attribute: string): boolean {
  return Object.hasOwn(lines, attribute) || Object.hasOwn(lines, lineOf(attribute));
}

/** Returns the keys of `source` that a person has set, without null ones. */
export function sourceKeysOf({ lines }: Corrections): Record<string, unknown> {
  const keys = Object.entries(lines).filter(([line, value]) => line.startsWith('source.') && value !== null);
  return Object.fromEntries(keys.map(([line, value]) => [line.slice('source.'.length), value]));
}
