import type { Json } from '../../core/record.ts';
import { toText } from '../../core/record.ts';
import { adviceLines, fileAdvice, placeInWords } from './compose.ts';
import { BYTE_ORDER_MARK, csvLine } from './csv-line.ts';
import type { DigestFacts } from './facts.ts';
import { digestTexts } from './texts/languages.ts';

/** The entries with mistakes as a table for a spreadsheet: where they are, what is wrong, and what they have. */
export function entryTable(facts: DigestFacts, language: string): { filename: string; content: string } {
  const texts = digestTexts(language);
  const { name, place, entry, mistake, fix } = texts.table;
  const entries = [
    ...facts.rejected.map((each) => ({ ...each, said: adviceLines(each, facts, texts) })),
    ...facts.files.map((each) => ({ ...each, said: [fileAdvice(each, facts, texts), ''] })),
  ];
  const columns = [...new Set(entries.flatMap(({ fields = {} }) => Object.keys(fields)))];
  const rows = entries.map((each) => [
    placeInWords(each.at, texts),
    each.title ?? '',
    ...each.said,
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
