import type { Warning } from '../core/record.ts';
import { LOST_LETTERS } from '../core/text/mojibake.ts';

/** So many records whose text has wrong letters are reported one by one: usually all records of a feed have them, or none. */
const REPORTED = 10;

/**
 * Creates a filter of warnings. It adds one warning for each kind to the list, which counts the others; also for records with wrong
 * letters, after the first ones.
 */
export function createWarningFilter(warnings: Warning[], location: () => string) {
  const kinds = new Map<string, { first: Warning; summary: Warning; count: number }>();
  let records = 0;
  let summary: Warning | undefined;
  return { count, ofRecord };

  /** Counts a warning that has a kind. @returns false for others */
  function count(warning: Warning): boolean {
    if (warning.kind === undefined) return false;
    const { at, message, kind } = warning;
    const known = kinds.get(kind) ?? { first: warning, summary: { at, message }, count: 0 };
    if (known.count === 0) warnings.push(known.summary);
    kinds.set(kind, known);
    known.count += 1;
    if (known.count > 1) known.summary.message = `${known.first.message} (${known.count} such; this is the first)`;
    return true;
  }

  function ofRecord(all: Warning[]): Warning[] {
    const listed = all.filter((warning) => !count(warning));
    const others = listed.filter(({ message }) => !message.includes(LOST_LETTERS));
    if (others.length === listed.length) return listed;
    records += 1;
    if (records <= REPORTED) return listed;
    if (summary === undefined) {
      summary = { at: location(), message: '' };
      warnings.push(summary);
    }
    summary.message = `${records} records have text with wrong letters; the first ${REPORTED} are listed`;
    return others;
  }
}
