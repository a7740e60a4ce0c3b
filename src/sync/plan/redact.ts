import type { SyncConfig } from '../../config/types.ts';
import type { Json, Rejection } from '../../core/record.ts';
import { looksSecret } from '../../core/text/secret-names.ts';
import type { KeptRejection } from '../../ledger/runs/rejections.ts';
import { mappedFields } from '../../mapping/field-usage.ts';
import { firstSegment } from '../../mapping/path.ts';

const REDACTED = '[redacted]';
/** Limits for the stored fields of a record, in characters: for one text, and for all fields as JSON. */
const LONGEST_TEXT = 2_000;
const LONGEST_RECORD = 16_000;
const DEEPEST = 10;
/** Replacing shorter secrets in a message would replace other words, too. */
const SHORTEST_SECRET = 4;

type KeptFields = { [name: string]: Json };

/** Removes secrets from source records, so that they can be kept and shown. */
export type Redaction = ReturnType<typeof redactionOf>;

/**
 * Returns the redaction for the records of a sync. Secrets are fields named like passwords, tokens and secrets, at any
 * depth, and the fields that the sync makes a password of. If it makes one, a malformed record is secret as a whole.
 */
export function redactionOf(sync: SyncConfig) {
  const passwordFields = fieldsOfPassword(sync);
  return { fields, rejection };

  /**
   * Returns the fields as JSON: `[redacted]` for secrets, long values truncated, and no more than 16,000 characters in all.
   * @param password made from the fields by the mapping; redacted wherever it occurs in them
   */
  function fields(source: Readonly<Record<string, unknown>>, password?: string): KeptFields {
    const secrets = password === undefined ? [] : [password];
    const kept: KeptFields = {};
    let left = LONGEST_RECORD;
    for (const [name, value] of Object.entries(source)) {
      if (value === undefined) continue;
      const shown = isSecret(name) ? REDACTED : withoutSecrets(value, secrets);
      left -= name.length + JSON.stringify(shown).length;
      if (left < 0) return { ...kept, '…': 'the record is too long to be stored completely' };
      kept[name] = shown;
    }
    return kept;
  }

  function rejection({ fields: source, reason, ...rejected }: Rejection): KeptRejection {
    if (!source) return { ...rejected, reason };
    const isRawText = rejected.code === 'FF_RECORD_MALFORMED' && passwordFields.size > 0;
    const kept = isRawText ? Object.fromEntries(Object.keys(source).map((name) => [name, REDACTED])) : fields(source);
    return { ...rejected, reason: withoutValues(reason, secretValues(source, isSecret, isRawText)), fields: kept };
  }

  function isSecret(name: string): boolean {
    return passwordFields.has(firstSegment(name)) || looksSecret(name);
  }

  /** @param secrets texts that are redacted in every field */
  function withoutSecrets(value: unknown, secrets: readonly string[], depth = 0): Json {
    const show = (text: string) => shorten(withoutValues(text, secrets));
    if (value === null || typeof value === 'boolean') return value;
    if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
    if (typeof value === 'string') return show(value);
    if (typeof value !== 'object') return show(String(value));
    if (depth >= DEEPEST) return '…';
    if (Array.isArray(value)) return value.map((item: unknown) => withoutSecrets(item, secrets, depth + 1));
    const text = asText(value);
    if (text !== undefined) return show(text);
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    const shown = members.map(([name, member]) => {
      return [name, isSecret(name) ? REDACTED : withoutSecrets(member, secrets, depth + 1)];
    });
    return Object.fromEntries(shown);
  }
}

/** The fields from which the password is made. */
function fieldsOfPassword(sync: SyncConfig): Set<string> {
  const password = sync.map?.password;
  if (!password) return new Set();
  const { when, ...rest } = sync;
  const read = mappedFields({ ...rest, attachments: {}, map: { password } });
  // The key identifies the record to users, so it is not secret.
  for (const field of sync.key.fields) read.delete(firstSegment(field));
  return read;
}

/** The text of a date or time. */
function asText(value: object): string | undefined {
  const written: unknown = 'toJSON' in value && typeof value.toJSON === 'function' ? value.toJSON() : undefined;
  return typeof written === 'string' ? written : undefined;
}

function shorten(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}

/** The texts in secret fields, at any depth. */
function secretValues(value: unknown, isSecret: (name: string) => boolean, secret = false, depth = 0): string[] {
  if (typeof value === 'string' || typeof value === 'number') return secret ? [String(value)] : [];
  if (typeof value !== 'object' || value === null || depth >= DEEPEST) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    secretValues(member, isSecret, secret || isSecret(name), depth + 1),
  );
}

function withoutValues(message: string, values: readonly string[]): string {
  return values
    .flatMap((value) => [value, value.trim()])
    .filter((value) => value.length >= SHORTEST_SECRET)
    .reduce((safe, value) => safe.replaceAll(value, REDACTED), message);
}
