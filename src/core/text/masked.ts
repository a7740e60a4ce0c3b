import { isObject } from '../record.ts';

/** An at sign as people write it, with blanks around it or in words, before a domain. */
const writtenAt = /\s?(?:[([{<]\s?at\s?[)\]}>]|(?<![@＠﹫])[@＠﹫]{1,3})\s?(?=[\p{L}\d-]{1,63}\.\p{L})/giu;
/** An address, also one without a domain. */
const address =
  /(?<![^\s@＠﹫<>()"`,;:/])('{0,3}[^\s@＠﹫<>()"'`,;:/])[^\s@＠﹫<>()"`,;:/]*[@＠﹫]([^\s@＠﹫<>()"'`,;:/]*)/gu;
/** Names of attributes and fields whose values are addresses, whether or not they look like some. */
const addressName = /e-?mail|^mail(?![a-z])|mail$/i;
/** An address in the reason why it is none. */
const namedAddress = /\bemail: "((?:[^"\\]|\\.)*)/g;
/** Members with values of what the same object names. */
const VALUES = ['from', 'to', 'example', 'samples'];

/** Masks e-mail addresses in a text so that a reader who knows an address still recognises it: `a***@example.edu`. */
export function masked(text: string): string {
  return text.replace(writtenAt, '@').replace(address, '$1***@$2');
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
