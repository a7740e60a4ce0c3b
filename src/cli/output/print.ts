import { once } from 'node:events';
import { stripVTControlCharacters, styleText } from 'node:util';
import widthOf from 'fast-string-truncated-width';
import type { RunReport } from '../../core/run.ts';

const SHOWN = 20;
const NARROWEST = 40;

type Colour = 'red' | 'green' | 'yellow' | 'cyan' | 'dim' | 'bold';

/** Prints text for people, wrapped at words to the width of the output. */
export function print(text: string, stream: NodeJS.WriteStream = process.stdout): void {
  stream.write(`${wrap(text, outputWidth(stream))}\n`);
}

/** Prints one JSON value on one line of standard output. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** Writes a piece of a long output, and waits until the stream has room for the next piece. */
export async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

export function printError({ code, message, remedy }: NonNullable<RunReport['error']>): void {
  print(`${colour('red', code, process.stderr)} ${plain(message)}\n  → ${remedy}`, process.stderr);
}

/** Prints the first items of a list, and the number of the other items. */
export function printList<T>(title: string, total: number, items: readonly T[], line: (item: T) => string): void {
  if (items.length === 0) return;
  const shown = items.slice(0, SHOWN).map((item) => `  ${plain(line(item))}`);
  const more = total > SHOWN ? [`  … and ${total - SHOWN} more`] : [];
  print(['', `${title} (${total})`, ...shown, ...more].join('\n'));
}

/** Width of a terminal. Without a terminal: COLUMNS, or no limit, so that other programs get unbroken lines. */
export function outputWidth({ columns }: NodeJS.WriteStream = process.stdout): number {
  const width = columns ?? Number(process.env.COLUMNS);
  return width > 0 ? Math.max(width, NARROWEST) : Number.POSITIVE_INFINITY;
}

/** Matches words; short code between backticks counts as one word. */
const WORDS = /[^\s`]*`[^`]{1,60}`\S*|\S+/g;
/** Matches the parts between which a line may break; a no-break space belongs to its part. */
const PARTS = /[^ ]+/g;

/**
 * Breaks lines between words and indents the text after a break. A word longer than the line stays whole, so that people can copy
 * it, unless its script has no spaces.
 * @param options.breaksWords breaks words longer than the line, too, and does not indent
 */
export function wrap(text: string, width: number, { breaksWords = false } = {}): string {
  if (width === Number.POSITIVE_INFINITY) return text;
  return text.replace(/^.+$/gm, (line) => wrapLine(line, width, breaksWords));
}

function wrapLine(line: string, width: number, breaksWords: boolean): string {
  if (columnsOf(line) <= width) return line;
  const [indentation = ''] = /^ */.exec(line) ?? [];
  const margin = breaksWords ? '' : `${indentation}  `;
  const words = line.match(breaksWords ? PARTS : WORDS) ?? [];
  const [first, ...rest] = words.flatMap((word) => piecesOf(word, width - margin.length, breaksWords));
  let wrapped = `${indentation}${first?.text ?? ''}`;
  let column = columnsOf(wrapped);
  for (const { text, space } of rest) {
    const fits = column + space.length + columnsOf(text) <= width;
    wrapped += fits ? `${space}${text}` : `\n${margin}${text}`;
    column = (fits ? column + space.length : margin.length) + columnsOf(text);
  }
  return wrapped;
}

/** Splits a word into its characters if it is longer than a line and may be broken anywhere. */
function piecesOf(word: string, width: number, breaksWords: boolean): Array<{ text: string; space: string }> {
  const columns = columnsOf(word);
  const isWide = columns > stripVTControlCharacters(word).length;
  if (columns <= width || !(breaksWords || isWide)) return [{ text: word, space: ' ' }];
  // Few words need one, and the first takes milliseconds.
  const characters = new Intl.Segmenter();
  const parts = word.split(/(\p{Cc}\[[\d;]*m)/u).flatMap((part) => {
    return columnsOf(part) === 0 ? [part] : Array.from(characters.segment(part), ({ segment }) => segment);
  });
  return parts.map((text, index) => ({ text, space: index === 0 ? ' ' : '' }));
}

/** Counts the columns that a text takes in a terminal: 0 for a colour, 2 for a wide character. */
export function columnsOf(text: string): number {
  return widthOf(text).width;
}

/** Shortens a text to a number of columns. */
export function truncate(text: string, columns: number): string {
  const { index, ellipsed } = widthOf(text, { limit: columns, ellipsis: '…' });
  return ellipsed ? `${text.slice(0, index)}…` : text;
}

/** Colours a text if the stream is a terminal that allows it (NO_COLOR, FORCE_COLOR). */
export function colour(name: Colour, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return styleText(name, text, { stream });
}

/** Replaces control characters, which could move the cursor of a terminal, or worse. */
export function plain(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, '\uFFFD');
}

/** Indents all lines of a text. */
export function indent(text: string): string {
  return text.replace(/^/gm, '    ');
}
