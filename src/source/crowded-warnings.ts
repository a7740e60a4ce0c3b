import type { Warning } from '../core/record.ts';
import { LOST_LETTERS } from '../core/text/mojibake.ts';

/** So many records whose text has wrong letters are reported one by one: usually all records of a feed have them, or none. */
const REPORTED = 10;

/**
 * Creates a filter of the warnings of records. After the first records with wrong letters, it adds one warning to the list that
 * counts the others.
 */
export function createWarningFilter(warnings: Warning[], location: () => string) {
  let records = 0;
  let summary: Warning | undefined;
  return (ofRecord: Warning[]): Warning[] => {
    const others = ofRecord.filter(({ message }) => !message.includes(LOST_LETTERS));
    if (others.length === ofRecord.length) return ofRecord;
    records += 1;
    if (records <= REPORTED) return ofRecord;
    if (summary === undefined) {
      summary = { at: location(), message: '' };
      warnings.push(summary);
    }
    summary.message = `${records} records have text with wrong letters; the first ${REPORTED} are listed`;
    return others;
  };
}
