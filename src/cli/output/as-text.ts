import { shortSiteTime, siteTime } from '../../core/dates/site-time.ts';
import { nameWithKey } from '../../core/text/record-title.ts';
import { type Subject, terminalText } from '../../core/text/text-parts.ts';
import type { Block, Change, Document, DocumentColumn, Inline, Tone } from '../../documents/document.ts';
import { describeDifference, showInLine } from './difference-lines.ts';
import { colour, indent, plain } from './print.ts';
import { textTable, unbroken } from './tables.ts';

const COLOURS = {
  good: 'green',
  info: 'cyan',
  warning: 'yellow',
  bad: 'red',
  plain: 'dim',
} as const satisfies Record<Tone, string>;

/** A document as a command prints it. */
export function documentText({ title, blocks }: Pick<Document, 'title' | 'blocks'>, timezone: string): string {
  return [colour('bold', plain(title)), ...linesOf(blocks, timezone)].join('\n');
}

/** Lines of a document: each may still be wrapped. */
export function linesOf(blocks: readonly Block[], timezone: string): string[] {
  return blocks.flatMap((block) => (block ? blockLines(block, timezone) : []));
}

function blockLines(block: Exclude<Block, false | undefined>, timezone: string): string[] {
  const show = (cell: Inline) => cellText(cell, timezone).trim();
  const inside = () => ('blocks' in block ? linesOf(block.blocks ?? [], timezone) : []);
  switch (block.is) {
    case 'text':
      return [show(block.content)].filter(Boolean);
    case 'notice':
      return block.paragraphs.map(show).filter(Boolean);
    case 'problem': {
      const { code, message, remedy } = block.problem;
      const text = [code && colour(COLOURS[block.tone], code), terminalText(plain(message), block.about)];
      return [text.filter(Boolean).join(' '), ...(remedy === '' ? [] : remedyLines(remedy, block.about))];
    }
    case 'remedy':
      return remedyLines(block.text, block.about);
    case 'facts':
      return block.facts.flatMap(([name, cell]) => (show(cell) === '' ? [] : [`${name}: ${show(cell)}`]));
    case 'section':
      return headed([block.code, block.title, block.count && `(${block.count})`].filter(Boolean).join(' '), inside());
    case 'fold':
      return headed(show(block.summary), inside());
    case 'list':
      return block.items.map((item) => `  ${show(item)}`);
    case 'table':
      return [tableText(block, timezone)];
    case 'changes':
      return block.rows.map((row) => `  ${changeText(row, timezone)}`);
    case 'differences':
      return block.differences.map((each) => indent(describeDifference(each)));
    case 'copy':
      return [plain(block.text)];
    case 'form':
      return block.folded ? [] : [...inside(), ...commandLine(block), ...commandLine(block.also)];
    case 'allowed':
    case 'live':
    case 'actions':
    case 'box':
      return inside();
    case 'next':
      return [`  … ${block.more}`];
    case 'only':
      return block.medium === 'terminal' ? inside() : [];
    case 'field':
    case 'heading':
    case 'markup':
      return [];
  }
}

function remedyLines(remedy: string, about: Subject): string[] {
  return [`  → ${terminalText(plain(remedy), about)}`];
}

function commandLine(form: { label: string; command?: string | undefined } | undefined): string[] {
  return form?.command === undefined ? [] : [`  → ${form.label}: ${form.command}`];
}

function headed(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', colour('bold', heading), ...lines];
}

function tableText({ columns, rows }: Extract<Block, { is: 'table' }>, timezone: string): string {
  const shown = columns.filter(
    (column): column is DocumentColumn<never> => column !== false && column.medium !== 'page' && !column.isExtra,
  );
  return textTable(
    shown.map(({ head, kind, cell }) => ({
      heading: head,
      ...(kind === 'number' && { align: 'right' as const }),
      cells: rows.map((row) => {
        const text = cellText(cell(row), timezone).replaceAll(/\s+/g, ' ').trim();
        return kind === 'time' ? unbroken(text) : text;
      }),
    })),
  );
}

/** A change in one line, then the attributes that differ. The key is in front, so that the line is easy to find. */
export function changeText({ effect, key, title = '', ...change }: Change, timezone = 'UTC'): string {
  const { cmsId, place, note, differences } = change;
  const [tone, , sign] = effect;
  const where = [cmsId !== undefined && `item ${cmsId}`, place && plain(place)].filter(Boolean).join(', ');
  const says = cellText(note, timezone);
  const parts = [
    colour(COLOURS[tone], sign),
    colour('bold', plain(key)),
    plain(title),
    where && colour('dim', `(${where})`),
  ];
  const line = `${parts.filter(Boolean).join(' ')}${says && `: ${says}`}`;
  return [line, ...differences.map((each) => indent(describeDifference(each)))].join('\n');
}

export function cellText(cell: Inline, timezone: string): string {
  if (cell === undefined || cell === null || typeof cell === 'boolean') return '';
  if (typeof cell !== 'object') return plain(String(cell));
  if (isList(cell)) return cell.map((each) => cellText(each, timezone)).join('');
  switch (cell.is) {
    case 'time':
      return (cell.isShort ? shortSiteTime : siteTime)(cell.at, timezone);
    case 'record':
      return plain(nameWithKey({ key: cell.key, title: cell.title ?? '' }));
    case 'run':
      return `${cellText(cell.text, timezone)} (${cell.run})`;
    case 'link':
      return [cellText(cell.text, timezone), cell.command && `\`${cell.command}\``].filter(Boolean).join(': ');
    case 'item':
      return cell.cmsId === undefined ? '' : `item ${cell.cmsId}`;
    case 'web':
      return plain(cell.address ?? '');
    case 'badge':
      return colour(COLOURS[cell.tone], cell.word);
    case 'prose':
    case 'advice':
      return terminalText(plain(cell.text), cell.about);
    case 'value':
      return showInLine(cell.value);
    case 'markup':
    case 'button':
    case 'differences':
      return '';
    case 'picture':
      return plain(cell.address);
    case 'lines':
      return cell.lines.map((line) => cellText(line, timezone)).join('; ');
    case 'only':
      return cell.medium === 'terminal' ? cellText(cell.content, timezone) : '';
    case 'quote':
      return `“${cellText(cell.content, timezone)}”`;
    case 'setting':
    case 'why':
    case 'count':
      return ` (${cellText(cell.content, timezone)})`;
    default:
      return cellText(cell.content, timezone);
  }
}

function isList(cell: object): cell is readonly Inline[] {
  return Array.isArray(cell);
}
