import { TextDecoder } from 'node:util';

/** Begins each warning about such text, so that many of them can be counted in one. */
export const LOST_LETTERS = 'has wrong letters';

/** Longest part of a text that is shown, in characters. */
const SHOWN = 40;

/** Text is garbled several times at most. */
const MOST_ROUNDS = 3;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The characters of the bytes from 0x80 on in windows-1252. */
const western = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 128 }, (_, index) => 128 + index));
const from = (first: number, last: number) => western.slice(first - 0x80, last - 0x80 + 1);

/** What the second byte of a character looks like. The first 32 may also be the control characters of Latin-1. */
const next = `[\\u0080-\\u009f${from(0x80, 0xbf)}]`;
const two = `[${from(0xc2, 0xdf)}]${next}`;
const three = `[${from(0xe0, 0xef)}]${next}${next}`;
const four = `[${from(0xf0, 0xf4)}]${next}${next}${next}`;

/** Follow a word that ends in a capital: IRMÃ», CAFÄ… */
const punctuation = '\\u00a0»«”“’‘…–—›‹';
const signs = '°ºª·´¹²³®©™†•¼½¾§';
/** Do not follow a capital in any language. */
const strange = `(?![${punctuation}${signs}])${next}`;
const latin = '[ÃÂÄÅ]';

/**
 * UTF-8 that was read as windows-1252 or Latin-1, in places where no language has these characters. Portuguese has
 * São, IRMÃ and NÃO, French has À CÔTÉ, "à «" and "é »".
 */
const garbled = new RegExp(
  [
    // Quotes and dashes: â€™; signs: â‚¬, â„¢; a byte order mark; emoji.
    `â€${next}?|â[‚„]${next}|ï»¿|ï¿½|ðŸ${next}${next}`,
    `${latin}${strange}`,
    `(?<!\\p{Lu})${latin}[${signs}]|${latin}[${signs}](?=\\p{Ll})`,
    `(?<=\\p{Ll})${latin}[${punctuation}]|(?<!\\p{L})${latin}[${punctuation}](?=\\p{Ll})|(?<!\\p{L})Â\\u00a0|Â(?=&nbsp;)`,
    // Words in other scripts.
    `(?:${two}){3,}|(?:${three}){2,}`,
  ].join('|'),
  'u',
);

/** Any garbled text has one of these characters, or one of these pairs: to look for them takes less time than the whole pattern. */
const suspicious = new RegExp(`[${from(0xc2, 0xf4)}](?:[\\u0080-\\u00bf${from(0x80, 0xbf)}]|&nbsp;)|\uFFFD`);

const misread = new RegExp(`${four}|${three}|${two}`, 'gu');

/** Returns a warning about text whose letters were read in a wrong charset before it came into the feed; undefined: there is none. */
export function mojibakeIn(text: string): string | undefined {
  return suspicious.test(text) ? (garbledIn(text) ?? lostIn(text)) : undefined;
}

function garbledIn(text: string): string | undefined {
  const found = garbled.exec(text);
  if (found === null) return undefined;
  const shown = around(text, found.index);
  const meant = repaired(shown);
  const guess = meant === shown ? '' : `, probably for ${JSON.stringify(meant)}`;
  return `${LOST_LETTERS}: ${JSON.stringify(shown)}${guess}. The source has read UTF-8 in another charset; correct it there`;
}

function lostIn(text: string): string | undefined {
  const lost = text.indexOf('\uFFFD');
  if (lost === -1) return undefined;
  return `${LOST_LETTERS}: ${JSON.stringify(around(text, lost))} has U+FFFD instead of a letter. Correct it in the source`;
}

function around(text: string, at: number): string {
  const start = Math.max(0, at - SHOWN / 2);
  return text.slice(start, start + SHOWN).toWellFormed();
}

function repaired(text: string): string {
  let result = text;
  for (let round = 0; round < MOST_ROUNDS && (round === 0 || garbled.test(result)); round += 1) {
    result = result.replace(misread, (part) => decoded(part) ?? part);
  }
  return result;
}

function decoded(part: string): string | undefined {
  const bytes = Array.from(part, (character) => {
    const index = western.indexOf(character);
    return index === -1 ? character.charCodeAt(0) : 0x80 + index;
  });
  try {
    return utf8.decode(Uint8Array.from(bytes));
  } catch {
    return undefined;
  }
}
