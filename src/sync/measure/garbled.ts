import { TextDecoder } from 'node:util';
import { mojibakeIn } from '../../core/text/mojibake.ts';

const misreadings = ['windows-1252', 'macintosh'].map((charset) => new TextDecoder(charset));

/** Whether a text has letters outside ASCII, which a reading in a wrong charset would change. */
export function hasForeignLetters(text: string): boolean {
  return /\P{ASCII}/u.test(text);
}

/** Whether a new text is the old one with wrong letters, or has wrong letters that the old one did not have. */
export function isGarbled(before: string, after: string): boolean {
  if (before === after) return false;
  if (mojibakeIn(after) !== undefined && mojibakeIn(before) === undefined) return true;
  return hasForeignLetters(before) && (isMisread(before, after) || isAsciiOf(before, after));
}

/** Whether the old text, as UTF-8, was read in another charset. The opposite is a repair. */
function isMisread(before: string, after: string): boolean {
  const bytes = Buffer.from(before, 'utf8');
  const readings = [bytes.toString('latin1'), ...misreadings.map((charset) => charset.decode(bytes))];
  return readings.some((text) => plain(text) === plain(after));
}

/** Whether a charset without these letters has replaced each by question marks. */
function isAsciiOf(before: string, after: string): boolean {
  const asked = (text: string) => text.replace(/(?:\P{ASCII}|\?)+/gu, '?');
  return !hasForeignLetters(after) && after.includes('?') && asked(before) === asked(after);
}

/** Without the control characters and blanks that cleaning removes from texts. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\s]/gu, '');
}
