import { usualWords } from '../../mapping/words.ts';
import { type Column, countDistinct, shareThat } from '../columns/columns.ts';
import { datesOf } from '../dates/read-column.ts';

const emailPattern = /^[^\s@<>,;]+@(?:[^\s@<>,;.]+\.)+[^\s@<>,;.]{2,}$/u;
const urlPattern = /^(https?:)?\/\/\S+$/i;
const websitePattern = /^(https?:\/\/)?([\w-]+\.)+[a-z]{2,}(\/\S*)?$/i;
const imagePattern = /\.(jpe?g|png|gif|webp|avif|tiff?|bmp)$/i;
const pathPattern = /^[\w./ %()-]+\.(jpe?g|png|gif|webp|avif)$/i;
const phonePattern = /^[+\d\s().\-/–x#,;:]+$/i;
const extension = /ext|app|dw/i;
const tagPattern = /<\/?(p|br|a|b|i|strong|em|ul|li|div|span|h[1-6])([^\w<>][^<>]*)?>/i;
const entityPattern = /&(amp|nbsp|quot|#\d+|lt|gt|[a-z]+uml);/i;
const numberPattern = /^[-+]?[\d.,\s]+$/;

export const isEmail = (text: string) => emailPattern.test(text);
export const isAddress = (text: string) => urlPattern.test(text);
export const hasHtml = (text: string) => tagPattern.test(text) || entityPattern.test(text);
const isPhone = (text: string) => /\d{2}/.test(text) && phonePattern.test(text.replace(extension, ''));

const most = 0.6;

/** How well values fit texts that people read: they are not addresses, numbers or dates. */
export function textFit(column: Column): number {
  if (shareThat(column, (text) => isAddress(text) || isEmail(text)) > 1 - most) return 0;
  if (shareThat(column, (text) => numberPattern.test(text)) > most) return 0;
  return datesOf(column) === undefined ? 1 : 0;
}

/** How well values fit titles: different texts that are not too long. */
export function titleFit(column: Column): number {
  if (column.isList || averageLength(column) > 200) return 0;
  const variety = countDistinct(column) / Math.max(1, column.texts.length);
  const isVaried = variety > 0.02 || column.texts.length < 5;
  return (
    textFit(column) *
    (isVaried ? 1 : 0.5) *
    (averageLength(column) < 3 ? 0.5 : 1) *
    (column.filled < column.values.length / 2 ? 0.8 : 1)
  );
}

export function descriptionFit(column: Column): number {
  // If all records have the same text, it is a note of the feed's owner.
  const isConstant = column.texts.length >= 5 && countDistinct(column) === 1;
  return column.isList ? 0 : textFit(column) * (isConstant ? 0.5 : 1);
}

/** How well values fit categories: few different short texts. */
export function categoryFit(column: Column): number {
  // In JSON-LD, such a field has the type of the data.
  if (column.names.at(-1)?.startsWith('@')) return 0;
  if (averageLength(column) > 80) return 0;
  const variety = countDistinct(column) / Math.max(1, column.texts.length);
  return (
    textFit(column) *
    (variety > 0.9 && column.texts.length > 20 ? 0.6 : 1) *
    (column.texts.every(isMachineWord) && countDistinct(column) === 1 ? 0.45 : 1)
  );
}

/** Whether a text names a kind of data, such as `tribe_events` or `Event`. */
function isMachineWord(text: string): boolean {
  return /^(event|tribe_events|post|node|vevent|item|[a-z]+_[a-z_]+)$/i.test(text);
}

export function placeFit(column: Column): number {
  return averageLength(column) > 250 ? 0 : textFit(column);
}

export function urlFit(column: Column): number {
  return shareThat(column, (text) => isAddress(text)) >= most ? 1 : 0;
}

export function websiteFit(column: Column): number {
  return shareThat(column, (text) => websitePattern.test(text)) >= most ? 1 : 0;
}

/** How well values fit pictures: addresses or paths, preferably with the extension of a picture. */
export function imageFit(column: Column): number {
  const pictures = shareThat(
    column,
    (text) => (isAddress(text) && imagePattern.test(text.split(/[?#]/, 1)[0] ?? '')) || pathPattern.test(text),
  );
  if (pictures >= most) return 1;
  return shareThat(column, (text) => isAddress(text) || pathPattern.test(text)) >= most ? 0.85 : 0;
}

export function emailFit(column: Column): number {
  return shareThat(column, isEmail) >= most ? 1 : 0;
}

export function phoneFit(column: Column): number {
  return shareThat(column, isPhone) >= most ? 1 : 0;
}

export function personNameFit(column: Column): number {
  return averageLength(column) > 80 || shareThat(column, hasHtml) > 0 ? 0 : textFit(column);
}

/** How well values fit names with which people log in. */
export function usernameFit(column: Column): number {
  if (shareThat(column, (text) => /^[\w.@+-]{2,64}$/.test(text)) < 0.9) return 0;
  return shareThat(column, (text) => /\p{L}/u.test(text)) >= 0.9 && countDistinct(column) === column.texts.length
    ? 1
    : 0;
}

const words = new Map<string, boolean>([
  ...'ja j ein oui o vrai si sì sí s verdadero vero sim wahr tak ano ja. evet kyllä da igen áno да так ναι نعم כן はい 예 是'
    .split(' ')
    .map((word): [string, boolean] => [word, true]),
  ...'nein aus non faux falso falsch não nao nie ne nej nei nee ei hayır nu nem nie нет ні όχι لا לא いいえ 아니오 否'
    .split(' ')
    .map((word): [string, boolean] => [word, false]),
  ...usualWords,
]);

/** Returns the meaning of yes/no values; undefined for other values. `true`, `false`: the words that a rule must name. */
export function yesNoOf(column: Column): { isYes(text: string): boolean; true: string[]; false: string[] } | undefined {
  const found = [...new Set(column.texts.map((text) => text.toLowerCase()))];
  if (found.length === 0 || found.length > 4 || !found.every((word) => words.has(word))) return undefined;
  const unusual = (meaning: boolean) => found.filter((word) => words.get(word) === meaning && !usualWords.has(word));
  return { isYes: (text) => words.get(text.toLowerCase()) ?? false, true: unusual(true), false: unusual(false) };
}

export function yesNoFit(column: Column): number {
  return yesNoOf(column) === undefined ? 0 : 1;
}

function averageLength({ texts }: Column): number {
  return texts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length);
}
