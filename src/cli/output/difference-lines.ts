import { type Json, toText } from '../../core/record.ts';
import { changedPart } from '../../core/text/changed-part.ts';
import { isEventTime, readableText } from '../../core/text/readable-value.ts';
import type { Difference } from '../../sync/compare/differences.ts';
import { colour, plain } from './print.ts';

const LONG = 80;
/** Number of characters of a long text that are shown before and after a change. */
const AROUND = 30;
const LONGEST = 160;

/** Describes the change of an attribute in one line, or the change of a long text by the part that differs. */
export function describeDifference({ attribute, from, to }: Difference): string {
  if (from === undefined) return `${attribute}: ${colour('green', showInLine(to))}`;
  if (isLong(from) || isLong(to)) {
    const [before, after] = [toText(from), toText(to)];
    const lines = [colour('red', `- ${changedIn(before, after)}`), colour('green', `+ ${changedIn(after, before)}`)];
    return [`${attribute}:`, ...lines.map((line) => `  ${line}`)].join('\n');
  }
  const texts = [showInLine(from), showInLine(to)];
  const [before = '', after = ''] = texts[0] === texts[1] ? [from, to].map(jsonText) : texts;
  return `${attribute}: ${colour('red', before)} → ${colour('green', after)}`;
}

/** Returns the part of a text that differs from another one, with some text around it, in one line. */
export function changedIn(text: string, other: string): string {
  const [start, end] = changedPart(text, other);
  const first = Math.max(0, start - AROUND);
  const last = Math.min(text.length, Math.min(end, start + LONGEST) + AROUND);
  const part = plain(text.slice(first, last).toWellFormed()).replaceAll(/\s+/g, ' ');
  return `${first > 0 ? '…' : ''}${part}${last < text.length ? '…' : ''}`;
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
