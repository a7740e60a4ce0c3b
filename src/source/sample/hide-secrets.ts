import { CodedError } from '../../core/errors.ts';
import { mapTexts } from '../../core/text/map-texts.ts';

const entities = new Map([
  ['&', 'amp'],
  ['<', 'lt'],
  ['>', 'gt'],
  ['"', 'quot'],
  ["'", 'apos'],
]);

/** Replaces secrets in all texts of a value by `***`, also in the spellings of addresses, JSON and HTML. */
export function hideSecrets<Value>(value: Value, secrets: readonly string[]): Value {
  return secretHider(secrets)(value);
}

/** Returns a function that does the same for many values: the pattern of the secrets is compiled once. */
export function secretHider(secrets: readonly string[]): <Value>(value: Value) => Value {
  if (secrets.length === 0) return (value) => value;
  // A secret may be the beginning of another one.
  const longestFirst = [...secrets].sort((one, other) => other.length - one.length);
  const pattern = new RegExp(longestFirst.map((secret) => [...secret].map(spellings).join('')).join('|'), 'giu');
  return (value) => mapTexts(value, (text) => text.replace(pattern, '***'));
}

/** Returns a pattern for the spellings of a character. */
function spellings(character: string): string {
  if (/^[a-z0-9]$/i.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  const percent = [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const entity = `&(?:#0{0,5}${code}|#x0{0,5}${code.toString(16)}|${entities.get(character) ?? '#'});`;
  const raw = `\\\\?\\u{${code.toString(16)}}`;
  // In the query of an address, a plus is a blank.
  return `(?:${raw}|${percent}|${entity}${character === '+' || character === ' ' ? '|[+ ]|%20|%2b' : ''})`;
}

/** Replaces secrets in the message and the remedy of an error. */
export function hideInError(error: unknown, secrets: readonly string[]): unknown {
  if (!(error instanceof CodedError)) return error;
  const remedy = hideSecrets(error.remedy, secrets);
  return new CodedError(error.code, hideSecrets(error.message, secrets), { remedy });
}
