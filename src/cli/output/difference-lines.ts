import type { Json } from '../../core/record.ts';
import type { Difference } from '../../sync/compare/differences.ts';
import { colour, plain } from './print.ts';
import { type DiffLine, diffText } from './text-diff.ts';

const LONG = 80;
const COLOURS = { '-': 'red', '+': 'green', ' ': 'dim' } as const satisfies Record<DiffLine['sign'], string>;

/** Describes the change of an attribute in one line, or that of a long text by the lines that differ. */
export function describeDifference({ attribute, from, to }: Difference): string {
  if (from === undefined) return `${attribute}: ${colour('green', showInLine(to))}`;
  if (isLong(from) || isLong(to)) {
    const lines = diffText(toText(from), toText(to));
    return [`${attribute}:`, ...lines.map((line) => `  ${describeLine(line)}`)].join('\n');
  }
  return `${attribute}: ${colour('red', showInLine(from))} → ${colour('green', showInLine(to))}`;
}

/** Prints a value in one line and cuts a long one. */
export function showInLine(value: Json | undefined): string {
  if (value === undefined) return '';
  const text = plain(JSON.stringify(value));
  return text.length > 2 * LONG ? `${text.slice(0, 2 * LONG - 1)}…` : text;
}

function describeLine({ sign, text }: DiffLine): string {
  return colour(COLOURS[sign], `${sign} ${plain(text)}`);
}

function isLong(value: Json | undefined): boolean {
  return typeof value === 'string' && (value.length > LONG || value.includes('\n'));
}

function toText(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}
