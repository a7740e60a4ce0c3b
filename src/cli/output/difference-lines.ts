import { type Json, toText } from '../../core/record.ts';
import { isEventTime, readableText } from '../../core/text/readable-value.ts';
import type { Difference } from '../../sync/compare/differences.ts';
import { colour, plain } from './print.ts';

const LONG = 80;
const SHOWN_LINES = 6;
const AROUND = 30;
const LONGEST = 160;
const COLOURS = { '-': 'red', '+': 'green' } as const;

/** Describes the change of an attribute in one line, or the change of a long text by the lines that differ. */
export function describeDifference({ attribute, from, to }: Difference): string {
  if (from === undefined) return `${attribute}: ${colour('green', showInLine(to))}`;
  if (isLong(from) || isLong(to)) {
    const lines = diffText(toText(from), toText(to)).map(({ sign, text }) =>
      colour(COLOURS[sign], `${sign} ${plain(text)}`),
    );
    return [`${attribute}:`, ...lines.map((line) => `  ${line}`)].join('\n');
  }
  const texts = [showInLine(from), showInLine(to)];
  const [before = '', after = ''] = texts[0] === texts[1] ? [from, to].map(jsonText) : texts;
  return `${attribute}: ${colour('red', before)} → ${colour('green', after)}`;
}

/** Shows a value in one line: a time as people read it, others as JSON, shortened if it is long. */
export function showInLine(value: Json | undefined): string {
  return isEventTime(value) ? plain(readableText(value)) : jsonText(value);
}

function jsonText(value: Json | undefined): string {
  if (value === undefined) return '';
  const text = plain(JSON.stringify(value));
  return text.length > 2 * LONG ? `${text.slice(0, 2 * LONG - 1)}…` : text;
}

function isLong(value: Json | undefined): boolean {
  return typeof value === 'string' && (value.length > LONG || value.includes('\n'));
}

/** A removed or added line. A shortened end is marked with …. */
type DiffLine = { sign: '-' | '+'; text: string };

/** Returns the lines in which two texts differ; for a single changed line, only the changed part and some text around it. */
export function diffText(from: string, to: string): DiffLine[] {
  const { removed, added } = changedPart(from.split(/\r?\n/), to.split(/\r?\n/));
  if (removed.length === 1 && added.length === 1) return diffLine(removed[0] ?? '', added[0] ?? '');
  return [...side('-', removed), ...side('+', added)];
}

function diffLine(from: string, to: string): DiffLine[] {
  const before = [...from];
  const after = [...to];
  const { start, removed, added } = changedPart(before, after);
  return [
    { sign: '-', text: excerpt(before, start, removed.length) },
    { sign: '+', text: excerpt(after, start, added.length) },
  ];
}

/** Returns the parts of two lists between their common beginning and their common end. */
function changedPart(from: readonly string[], to: readonly string[]) {
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && from[start] === to[start]) start += 1;
  let end = 0;
  while (end < shorter - start && from.at(-1 - end) === to.at(-1 - end)) end += 1;
  return { start, removed: from.slice(start, from.length - end), added: to.slice(start, to.length - end) };
}

function excerpt(characters: readonly string[], start: number, length: number): string {
  const first = Math.max(0, start - AROUND);
  const last = Math.min(characters.length, start + Math.min(length, LONGEST) + AROUND);
  const text = characters.slice(first, last).join('');
  return `${first > 0 ? '…' : ''}${text}${last < characters.length ? '…' : ''}`;
}

function side(sign: '-' | '+', lines: readonly string[]): DiffLine[] {
  const shown = lines.slice(0, SHOWN_LINES).map((text) => ({ sign, text: excerpt([...text], 0, LONGEST) }));
  const more = lines.length - shown.length;
  return more > 0 ? [...shown, { sign, text: `… and ${more} more lines` }] : shown;
}
