import { isObject } from '../record.ts';

/** An at sign as people write it, in words or with blanks around it. */
const writtenAt = /\s?(?:[([{<]\s?at\s?[)\]}>]|[@＠﹫])\s?/giu;
/** The characters of a domain are bounded, so that no text takes long. */
const LONGEST_LABEL = 63;
/** What may be an address, with a name before its at sign. */
const word = /[^\s<>()"`,;:/]+/gu;
/** Names of attributes and fields whose values are addresses, whether or not they look like some. */
const addressName = /e-?mail|^mail(?![a-z])|mail$/i;
/** An address in the reason why it is none. */
const namedAddress = /\bemail: "((?:[^"\\]|\\.)*)/g;
/** Members with values of what the same object names. */
const VALUES = ['from', 'to', 'example', 'samples'];

/** Masks e-mail addresses in a text so that a reader who knows an address still recognises it: `a***@example.edu`. */
export function masked(text: string): string {
  if (text.search(writtenAt) < 0) return text;
  return text
    .replace(writtenAt, (at: string, offset: number) => {
      const next = text.slice(offset + at.length, offset + at.length + LONGEST_LABEL);
      return /^[\p{L}\d-]+\.\p{L}/u.test(next) ? '@' : at;
    })
    .replace(word, maskedWord);
}

function maskedWord(text: string): string {
  const at = text.search(/[@＠﹫]/u);
  const begin = text.search(/[^']/);
  if (at <= begin) return text;
  const [first = ''] = text.slice(begin);
  return `${text.slice(0, begin)}${first}***@${text.slice(at).replace(/^[@＠﹫]+/u, '')}`;
}

/** Returns whether a text has a masked address. */
export function isMasked(text: string): boolean {
  return text.includes('***@');
}

/**
 * Masks the addresses in all texts of a value. What the value itself calls an e-mail address is masked wherever the value has it, even
 * if it does not look like one.
 * @param isKept whether the member of an object is shown as it is
 */
export function maskedIn<Value>(
  value: Value,
  isKept: (name: string, sync: string | undefined) => boolean = () => false,
  about?: string,
): Value {
  const known = [...new Set(addressesIn(value, false))].sort((one, other) => other.length - one.length);
  return maskPart(value, about, false) as Value;

  function maskPart(part: unknown, sync: string | undefined, isAddress: boolean): unknown {
    if (typeof part === 'string') return isAddress ? maskedAddress(part) : maskText(part);
    if (Array.isArray(part)) return part.map((each) => maskPart(each, sync, isAddress));
    if (!isObject(part) || ArrayBuffer.isView(part)) return part;
    const own = typeof part.sync === 'string' ? part.sync : sync;
    const members = Object.entries(part).map(([name, member]) => {
      return [name, isKept(name, own) ? member : maskPart(member, own, isAddress || isAddressIn(part, name))];
    });
    return Object.fromEntries(members);
  }

  function maskText(text: string): string {
    return masked(known.reduce((shown, each) => withoutAddress(shown, each), text));
  }
}

function addressesIn(value: unknown, isAddress: boolean): string[] {
  if (typeof value === 'string') {
    if (isAddress) return value.trim() === '' ? [] : [value.trim()];
    return value.includes('email') ? [...value.matchAll(namedAddress)].flatMap(([, named]) => named || []) : [];
  }
  if (Array.isArray(value)) return value.flatMap((each) => addressesIn(each, isAddress));
  if (!isObject(value) || ArrayBuffer.isView(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => addressesIn(member, isAddress || isAddressIn(value, name)));
}

function isAddressIn(holder: Readonly<Record<string, unknown>>, member: string): boolean {
  // The key of an account, of which a mere text could tell only a part.
  if (member === 'key') return typeof holder.key === 'string' && /[@＠﹫]/u.test(holder.key);
  if (!VALUES.includes(member)) return addressName.test(member);
  const named = holder.attribute ?? holder.field ?? holder.path ?? holder.name;
  return typeof named === 'string' && addressName.test(named);
}

/** Masks a known address in a text. A short text or a mere word may mean something else there unless it is quoted. */
function withoutAddress(text: string, known: string): string {
  const isTelling = known.length > 4 && /\p{L}/u.test(known) && /\P{L}/u.test(known);
  const sign = isTelling ? '' : '"';
  return text.replaceAll(`${sign}${known}${sign}`, () => `${sign}${maskedAddress(known)}${sign}`);
}

/** Masks a text that is an address as a whole. */
function maskedAddress(text: string): string {
  const [first = ''] = text.trim();
  const [, domain = ''] = /[@＠﹫]\s?([^\s@＠﹫]+)$/u.exec(text.trim()) ?? [];
  return first && `${first}***@${domain}`;
}
