import { inFile, type Mutant } from '../../test/mutants/mutant.ts';

/** Switches for the heuristics of the inference: what replaces the text of one turns it off. */
export const heuristics: Mutant[] = [
  ...inFile('src/inference/times/event-times.ts', [
    off(
      'midnight-ends',
      'return midnightEnds(',
      'return ((_f: unknown, _e: unknown, pair: readonly TimeRule[]) => pair)(',
    ),
    off('whole-days-in-utc', 'wholeDaysInUtc(start.dates.column, end.dates.column)', 'undefined'),
    off('exclusive-ends', 'exclusiveEnds(start.dates, end.dates)', 'undefined'),
  ]),
  ...inFile('src/inference/times/pick-times.ts', [
    off('likeliest-start', 'likeliestStart(free.filter(isAnyDate))', 'undefined'),
    off('days-of-posts', 'const written = writtenDates(columns)', 'const written = new Set<Column>()'),
    off('end-beside-start', 'beside ?? ', ''),
  ]),
  ...inFile('src/inference/times/zone-field.ts', [
    off('field-of-zones', 'candidates(columns, { names: zones, fits })[0]?.column', 'undefined'),
  ]),
  ...inFile('src/inference/propose/propose.ts', [
    off(
      'record-status',
      'statusOf(columns, resource.value, corrections.answers)',
      '{ open: [], warnings: [], when: undefined, deleted: undefined }',
    ),
  ]),
  ...inFile('src/inference/dates/read-column.ts', [
    off('ranges', 'readRanges(column, readDates)', 'undefined'),
    off('spreadsheet-days', '?? readSpreadsheet(column, texts) ', ''),
    off('seconds-since-1970', '?? readEpoch(column, texts) ', ''),
  ]),
  ...inFile('src/inference/columns/event-names.ts', [
    off('names-of-events-in-the-world', '`${sure} ${worldEventNames[field]}`', 'sure'),
  ]),
  ...inFile('src/inference/columns/account-names.ts', [
    off('names-of-accounts-in-the-world', '`${sure} ${worldAccountNames[field]}`', 'sure'),
  ]),
  ...inFile('src/inference/columns/choose.ts', [off('best-fit', 'all.toSorted((a, b) => b.score - a.score)', 'all')]),
];

function off(name: string, before: string, after: string): Omit<Mutant, 'file'> {
  return { name, rule: 'pays for its lines', before, after };
}
