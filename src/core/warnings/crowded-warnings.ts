import type { Warning } from '../record.ts';
import { LOST_LETTERS } from '../text/mojibake.ts';

/** So many records whose text has wrong letters are reported one by one: usually all records of a feed have them, or none. */
const REPORTED = 10;

/**
 * Creates a filter of warnings. It adds one warning for each kind to the list, which counts the others; also for records with wrong
 * letters, after the first ones.
 */
export function createWarningFilter(warnings: Warning[], location: () => string) {
  const kinds = new Map<string, { first: Warning; summary: Warning; count: number; values: Map<string, number> }>();
  let records = 0;
  let summary: Warning | undefined;
  return { count, ofRecord };

  /** Counts a warning that has a kind. @returns false for others */
  function count(warning: Warning): boolean {
    if (warning.kind === undefined) return false;
    const { at, message, kind, value } = warning;
    const known = kinds.get(kind) ?? { first: warning, summary: { at, message }, count: 0, values: new Map() };
    if (known.count === 0) warnings.push(known.summary);
    kinds.set(kind, known);
    known.count += 1;
    if (value !== undefined) known.values.set(value, (known.values.get(value) ?? 0) + 1);
    if (value !== undefined) known.summary.message = `${known.first.message}: ${describeValues(known.values)}`;
    else if (known.count > 1) known.summary.message = `${known.first.message} (${known.count} such; this is the first)`;
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

/** So many values are named. */
const NAMED = 8;

/** Says how many records have each value: `12 records say "Jazz", 1 record "Film"`. */
function describeValues(values: ReadonlyMap<string, number>): string {
  const counted = [...values].toSorted(([, one], [, other]) => other - one);
  const named = counted.slice(0, NAMED).map(([value, count], nth) => {
    return `${count} ${count === 1 ? 'record' : 'records'}${nth > 0 ? '' : count === 1 ? ' says' : ' say'} ${value}`;
  });
  const left = counted.length - named.length;
  return `${named.join(', ')}${left > 0 ? `, and ${left} more values` : ''}`;
}
