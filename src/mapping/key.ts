import type { KeyRule, SyncConfig } from '../config/types.ts';
import { clean } from '../core/clean.ts';
import { CodedError } from '../core/errors.ts';
import { sha256 } from '../core/hash.ts';
import type { SourceRecord } from '../core/record.ts';
import { hasNoValue } from './coerce.ts';
import { compilePath, type Fields } from './path.ts';
import { showValue } from './text.ts';

const longest = 500;

const separator = ' | ';

/**
 * Compiles the rule for the key of a record. Several fields are joined; some of them may be empty, but not all. A key longer
 * than 500 characters is truncated and ends in the SHA-256 of the whole key. The compiled rule throws CodedError FF_RECORD_KEY
 * for a record without a key.
 */
export function compileKey({ fields: names, normalize, prefix = '' }: KeyRule): (fields: Fields) => string {
  const readers = names.map((name) => ({ name, read: compilePath(name) }));
  const partOf = (value: unknown, name: string) => {
    const text = readers.length > 1 && hasNoValue(value) ? '' : toText(value, name);
    return normalize.reduce((part, step) => normalizations[step](part), text);
  };
  return (fields) => {
    const parts = readers.map(({ name, read }) => partOf(read(fields), name));
    const key = `${prefix}${parts.join(separator)}`;
    if (parts.every((part) => part.trim() === '')) {
      throw new CodedError('FF_RECORD_KEY', `the key field ${names.map((name) => `"${name}"`).join(' + ')} is empty`);
    }
    return key.length <= longest ? key : `${clean(key.slice(0, longest - 65))}~${sha256(key)}`;
  };
}

const normalizations: Record<KeyRule['normalize'][number], (text: string) => string> = {
  trim: (text) => text.trim(),
  lower: (text) => text.toLowerCase(),
  nfc: (text) => text.normalize('NFC'),
};

/** Compiles a reader of the keys of records; undefined: the mapping rejects the record. */
export function compileKeyReader({ key }: Pick<SyncConfig, 'key'>): (source: SourceRecord) => string | undefined {
  const readKey = compileKey(key);
  return ({ fields }) => {
    try {
      return readKey(fields);
    } catch (error) {
      if (error instanceof CodedError) return undefined;
      throw error;
    }
  };
}

function toText(value: unknown, field: string): string {
  if (typeof value === 'string') return clean(value);
  if (typeof value === 'bigint') return String(value);
  // Beyond 2^53, different numbers of the source have become the same number here.
  if (typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER) {
    return String(value);
  }
  if (value === undefined || value === null) {
    throw new CodedError('FF_RECORD_KEY', `the record has no key: the field "${field}" is missing`);
  }
  const reason = typeof value === 'number' ? 'is too large a number to be a key' : 'cannot be a key';
  throw new CodedError('FF_RECORD_KEY', `${showValue(value)} ${reason} (field "${field}")`);
}
