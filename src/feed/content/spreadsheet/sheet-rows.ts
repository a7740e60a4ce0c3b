import { GENERAL, numberText } from './cell-text.ts';
import { columnIndex, createFiller, readEnd } from './sheet-end.ts';
import { type OpenPart, readRelations, textReader, unescaped, type Workbook } from './workbook.ts';
import { parseXml } from './xml.ts';

/** A row with its number in the sheet. */
export interface SheetRow {
  number: number;
  cells: readonly string[];
}

const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 16_384;
const letters = /^[A-Z]+/;
/** A link, whose address is in its formula only. */
const link = /^\s*HYPERLINK\(\s*"(?:[^"]|"")*"\s*(?:,\s*"(?:[^"]|"")*"\s*)?\)\s*$/i;

/** Streams the rows of a sheet that have cells, in their order. Formulas have their stored values. */
export async function* readRows(open: OpenPart, path: string, workbook: Workbook): AsyncGenerator<SheetRow[]> {
  const { areas, links } = await readEnd(open(path));
  const fill = createFiller(areas);
  const targets = links.size > 0 ? await readRelations(open, path) : undefined;
  let rows: SheetRow[] = [];
  let number = 0;
  let cells: string[] = [];
  let cell = { name: '', column: 0, type: 'n', style: 0, value: '', formula: '', inline: '' };
  let inside: 'value' | 'formula' | undefined;
  const inline = textReader((text) => {
    cell.inline += text;
  });
  const parsing = parseXml(open(path), {
    open(name, { r, t, s }) {
      inline.open(name);
      if (name === 'row') {
        const given = Number(r ?? number + 1);
        number = given > number && given <= MAX_ROWS ? given : number + 1;
        cells = [];
      } else if (name === 'c') {
        const column = columnIndex(letters.exec(r ?? '')?.[0] ?? '');
        const isKnown = column >= 0 && column < MAX_COLUMNS;
        cell = {
          name: r ?? '',
          column: isKnown ? column : cells.length,
          type: t ?? 'n',
          style: Number(s ?? 0),
          value: '',
          formula: '',
          inline: '',
        };
      } else inside = name === 'v' ? 'value' : name === 'f' ? 'formula' : undefined;
    },
    text(text) {
      if (inside) cell[inside] += text;
      else inline.text(text);
    },
    close(name) {
      inline.close(name);
      inside = undefined;
      if (name === 'c') {
        while (cells.length < cell.column) cells.push('');
        const target = targets?.get(links.get(cell.name) ?? '')?.path;
        cells[cell.column] = withLink(textOf(cell, workbook), target);
      } else if (name === 'row') {
        fill(number, cells);
        rows.push({ number, cells });
      }
    },
  });
  for await (const _ of parsing) {
    yield rows;
    rows = [];
  }
}

/** Writes a text with a link as the formula that CSV has for it. Most links of spreadsheets are those of addresses that were typed. */
function withLink(text: string, target = ''): string {
  if (!/^https?:/i.test(target) || text === '' || /:\/\/|^www\.|^=/i.test(text)) return text;
  const [address, shown] = [target, text].map((part) => part.replaceAll('"', '""'));
  return `=HYPERLINK("${address}","${shown}")`;
}

interface Cell {
  type: string;
  style: number;
  value: string;
  formula: string;
  inline: string;
}

/** Returns what a person sees in a cell (ISO/IEC 29500-1, 18.18.11). */
function textOf({ type, style, value, formula, inline }: Cell, { texts, formats, is1904 }: Workbook): string {
  if (link.test(formula)) return `=${formula.trim()}`;
  if (type === 's') return texts[Number(value)] ?? '';
  if (type === 'inlineStr') return unescaped(inline);
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  if (type === 'd') return value.replace(/T00:00(:00(\.0+)?)?Z?$/, '').replace('T', ' ');
  if (type !== 'n') return unescaped(value);
  return numberText(value, formats[style] ?? GENERAL, is1904);
}
