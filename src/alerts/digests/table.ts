import type { Json } from '../../core/record.ts';
import { toText } from '../../core/record.ts';
import { adviceLines, placeInWords } from './compose.ts';
import { BYTE_ORDER_MARK, csvLine } from './csv-line.ts';
import type { DigestFacts } from './facts.ts';
import { digestTexts } from './texts/languages.ts';

/** The rejected entries as a table for a spreadsheet: where they are, what is wrong, and what they have. */
export function entryTable(facts: DigestFacts, language: string): { filename: string; content: string } {
  const texts = digestTexts(language);
  const { name, place, entry, mistake, fix } = texts.table;
  const columns = [...new Set(facts.rejected.flatMap(({ fields = {} }) => Object.keys(fields)))];
  const rows = facts.rejected.map((each) => [
    placeInWords(each.at, texts),
    each.title ?? '',
    ...adviceLines(each, facts, texts),
    ...columns.map((column) => (Object.hasOwn(each.fields ?? {}, column) ? toText(each.fields?.[column] as Json) : '')),
  ]);
  const separator = separatorIn(language);
  const lines = [[place, entry, mistake, fix, ...columns], ...rows].map((cells) => csvLine(cells, separator));
  return { filename: `${facts.feed}-${name}.csv`, content: `${BYTE_ORDER_MARK}${lines.join('')}` };
}

/** Spreadsheets expect a semicolon where a comma is part of numbers, and in Switzerland. */
function separatorIn(language: string): string {
  const [, base = 'en', region] = /^([a-z]+)(?:[-_]([a-z]{2}))?\b/i.exec(language) ?? [];
  const locale = region === undefined ? base : `${base}-${region}`;
  const hasComma = new Intl.NumberFormat(locale).format(1.5).includes(',');
  return hasComma || region?.toUpperCase() === 'CH' ? ';' : ',';
}
