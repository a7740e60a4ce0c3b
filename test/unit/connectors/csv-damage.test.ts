import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csv } from '../../../connectors/csv/csv.ts';
import { rounds } from '../../support/long.ts';
import { readFeed } from './read-feed.ts';

const COLUMNS = ['id', 'title', 'place', 'note'];

const oneLine = fc.constantFrom('', 'a', 'Jazz, live', 'say "hi"', "O'Neil", '1,5', '9"', ' x');
const anyText = fc.oneof(oneLine, fc.constant('two\nlines'));

/**
 * The rows, without their ids, and how they are written. First and last values have no line break: the rest of such a value,
 * if it has lost a quote, is a row of its own.
 */
const tables = fc.array(fc.record({ fields: fc.tuple(anyText, anyText, oneLine), isQuoted: fc.boolean() }), {
  minLength: 1,
  maxLength: 12,
});

/** One delimiter or quote too many or too few, or a blank before a field. */
const damages = fc.record({ kind: fc.constantFrom('add ,', 'add "', 'add blank', 'drop ,', 'drop "'), at: fc.nat() });

test('A row that is damaged in one place is read as it was, or rejected', async () => {
  await fc.assert(
    fc.asyncProperty(tables, fc.nat(), damages, async (rows, damagedRow, damage) => {
      const written = rows.map(({ fields, isQuoted }, index) =>
        [`k${index}`, ...fields].map((v) => write(v, isQuoted)),
      );
      const target = damagedRow % rows.length;
      const lines = written.map((fields, index) => (index === target ? damaged(fields, damage) : fields.join(',')));
      const { records } = await readFeed(csv, `${[COLUMNS.join(','), ...lines].join('\n')}\n`, {
        mappedFields: COLUMNS,
      });
      const wanted = rows.map(({ fields }, index) => keyOf([`k${index}`, ...fields]));
      const got = records.map(({ fields }) => keyOf(COLUMNS.map((name) => String(fields[name]))));
      expect(wanted).toEqual(expect.arrayContaining(got));
    }),
    { numRuns: rounds(200, 20_000) },
  );
});

function write(value: string, isQuoted: boolean): string {
  return isQuoted || /[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

function damaged(fields: readonly string[], { kind, at }: { kind: string; at: number }): string {
  const text = fields.join(',');
  const left = fields.slice(0, 1 + (at % (fields.length - 1))).join(',');
  const right = text.slice(left.length + 1);
  if (kind === 'add ,') return `${left},,${right}`;
  if (kind === 'add blank') return `${left}, ${right}`;
  if (kind === 'drop ,') return left + right;
  if (kind === 'add "') {
    const place = at % (text.length + 1);
    return `${text.slice(0, place)}"${text.slice(place)}`;
  }
  const places = [...text.matchAll(/"/g)].map(({ index }) => index);
  const place = places[at % places.length] ?? text.length;
  return text.slice(0, place) + text.slice(place + 1);
}

/** Blanks around a value do not matter. */
function keyOf(fields: readonly string[]): string {
  return fields.map((field) => field.trim()).join('|');
}
