import { randomBytes } from 'node:crypto';
import type { SyncConfig } from '../core/config.ts';
import type { DesiredRecord } from '../core/record.ts';
import type { Secrets } from '../ledger/secrets.ts';
import { externalIdOf } from './item.ts';

/** 24 characters of base64url: 144 bits. */
const RANDOM_BYTES = 18;

/** The password for the create of a record, encrypted; null where it gets none. */
export function sealedPassword(
  { key, resource, password }: DesiredRecord,
  { name, generatePassword }: SyncConfig,
  secrets: Secrets,
): string | null {
  const chosen = password || (generatePassword && resource === 'accounts' ? randomPassword() : undefined);
  return chosen === undefined ? null : secrets.seal(chosen, externalIdOf({ sync: name, key }));
}

/** With capitals, small letters and digits, as sites may demand. */
export function randomPassword(): string {
  for (;;) {
    const password = randomBytes(RANDOM_BYTES).toString('base64url');
    if (/[a-z]/.test(password) && /[A-Z]/.test(password) && /\d/.test(password)) return password;
  }
}
