import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scanQuotes } from '../../../connectors/csv/scan-quotes.ts';
import { splitFields } from '../../../connectors/csv/split-fields.ts';

test('A row with well-formed quotes is split as csv-parse splits it', () => {
  const dialects = fc.record({ delimiter: fc.constantFrom(',', ';', ', '), quote: fc.constantFrom('"', "'") });
  const parts = fc.array(fc.constantFrom('"', '""', "'", "''", ',', '; ', ', ', 'a', 'é', ' '), { maxLength: 12 });
  const rows = parts.map((texts) => texts.join(''));
  fc.assert(
    fc.property(dialects, rows, ({ delimiter, quote }, text) => {
      fc.pre(text.includes(quote) && scanQuotes(text, false, { delimiter, quote }) === 'closed');
      const [split] = splitFields([{ line: 1, text, terminated: true }], { delimiter, quote });
      expect([split?.fields]).toEqual(parse(text, { delimiter, quote, escape: quote, relax_quotes: true }));
    }),
    { numRuns: 2000 },
  );
});
