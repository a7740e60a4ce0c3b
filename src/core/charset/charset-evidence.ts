import { isUtf8 } from 'node:buffer';
import { charactersBeyondAscii, isSurelyUtf8, tryDecode } from './repair-line.ts';

/** What the words of a text that are not ASCII say about its charset. */
export interface CharsetEvidence {
  /** Words that are not valid UTF-8. */
  bad: Uint8Array[];
  badBytes: number;
  /** Characters beyond ASCII of words that are valid UTF-8. */
  good: number;
  /** The number of these words that surely are UTF-8, and not other text by coincidence. */
  sure: number;
  /** The letters beyond ASCII of each of these words. */
  words: string[];
}

/** A word, from its first byte beyond ASCII on. White space and punctuation are no part of a character in any charset. */
const word = /[\x80-\xff][^\0-/:;<=>?]*/g;

const MOST_WORDS = 5000;

/** Collects the evidence in the beginning of a text. */
export function charsetEvidence(sample: Uint8Array, declared = 'windows-1252'): CharsetEvidence {
  const evidence: CharsetEvidence = { bad: [], badBytes: 0, good: 0, sure: 0, words: [] };
  for (const [text] of Buffer.from(sample).toString('latin1').matchAll(word)) {
    const bytes = Buffer.from(text, 'latin1');
    if (isUtf8(bytes)) {
      const decoded = bytes.toString();
      evidence.good += charactersBeyondAscii(decoded);
      if (isSurelyUtf8(bytes, declared)) evidence.sure += 1;
      const letters = decoded.match(/[^\P{L}\0-\x7f]/gu)?.join('');
      if (letters !== undefined && evidence.words.length < MOST_WORDS) evidence.words.push(letters);
    } else {
      evidence.bad.push(bytes);
      evidence.badBytes += charactersBeyondAscii(text);
    }
  }
  return evidence;
}

/** Nearly all words must be valid in a charset: a few may be damaged. */
const LEAST_SHARE = 0.9;

/** Returns true if the words that are not UTF-8 are text in a charset. */
export function fits(charset: string, { bad }: CharsetEvidence): boolean {
  return bad.filter((bytes) => tryDecode(charset, bytes) !== undefined).length >= bad.length * LEAST_SHARE;
}

/** Valid UTF-8 is a coincidence if it is rarer than this, beside text that is not UTF-8, … */
const LEAST_UTF8 = 0.05;
/** … or rarer than this if several words surely are UTF-8. */
const LEAST_SURE_UTF8 = 0.002;
const SURE_WORDS = 3;

/** So many characters of UTF-8 are no coincidence. */
const SURE = 4;

/** Returns true if the text as a whole is UTF-8, and what is not is damaged. */
export function isMostlyUtf8({ badBytes, good, sure }: CharsetEvidence): boolean {
  const least = sure >= SURE_WORDS ? LEAST_SURE_UTF8 : LEAST_UTF8;
  return (sure > 0 || good >= SURE) && good >= badBytes * least;
}

const WESTERN = 'windows-1252';
const others = [1250, 1251, 1253, 1254, 1257, 1255, 1256].map((page) => `windows-${page}`);
const eastAsian: ReadonlyArray<[script: RegExp, charset: string]> = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'shift_jis'],
  [/\p{Script=Hangul}/u, 'euc-kr'],
  [/\p{Script=Han}/u, 'gb18030'],
];

/** Text in a Western language may have foreign names, but fewer. */
const WESTERN_SHARE = 0.6;

/** Returns the charset of damaged lines in a UTF-8 text: the one that has the words of the other lines. */
export function fallbackCharset({ words }: CharsetEvidence): string {
  const asian = eastAsian.map(([script, charset]) => ({
    charset,
    count: words.filter((one) => script.test(one)).length,
  }));
  const [first] = asian.filter(({ count }) => count > 0);
  if (first !== undefined && asian.reduce((sum, { count }) => sum + count, 0) > words.length / 2) return first.charset;
  if (words.length === 0 || shareIn(WESTERN, words) >= WESTERN_SHARE) return WESTERN;
  const shares = [WESTERN, ...others].map((charset) => ({ charset, share: shareIn(charset, words) }));
  return shares.reduce((most, other) => (other.share > most.share ? other : most)).charset;
}

/** The share of words that have only letters of a charset. */
function shareIn(charset: string, words: readonly string[]): number {
  const upper = new Set(new TextDecoder(charset).decode(Uint8Array.from({ length: 128 }, (_, index) => 128 + index)));
  return (
    words.filter((letters) => [...letters].every((letter) => upper.has(letter))).length / Math.max(1, words.length)
  );
}
