import { randomBytes } from 'node:crypto';
import type { SyncConfig } from '../../config/types.ts';
import { CodedError } from '../../core/errors.ts';
import type { DesiredRecord } from '../../core/record.ts';
import { externalIdOf, externalIdsOf } from '../items/external-id.ts';
import type { PasswordCipher } from './password-cipher.ts';

/** 24 characters of base64url: 144 bits. */
const RANDOM_BYTES = 18;

/** The encrypted password for the create of a record; null if the item gets no password. */
export function sealedPassword(
  { key, resource, password }: Pick<DesiredRecord, 'key' | 'resource' | 'password'>,
  { name, generatePassword }: SyncConfig,
  passwordCipher: PasswordCipher,
): string | null {
  const chosen = password || (generatePassword && resource === 'accounts' ? randomPassword() : undefined);
  return chosen === undefined ? null : passwordCipher.seal(chosen, externalIdOf({ sync: name, key }));
}

/**
 * Whether a record's password in the source differs from the one sealed for its create. Hashes do not include passwords, so
 * only this comparison shows that a password was changed.
 */
export function isNewPassword(
  { key, password }: Pick<DesiredRecord, 'key' | 'password'>,
  sealed: string | null,
  {
    sync,
    passwordCipher,
  }: { sync: Pick<SyncConfig, 'name' | 'renamedFrom' | 'sources'>; passwordCipher: PasswordCipher },
): boolean {
  if (!password) return false;
  try {
    const owners = externalIdsOf({ sync: sync.name, key }, sync);
    return sealed === null || passwordCipher.open(sealed, ...owners) !== password;
  } catch (error) {
    // Sealed with another key: the former password is lost.
    if (error instanceof CodedError && error.code === 'FF_SECRET_UNREADABLE') return true;
    throw error;
  }
}

/** Generates a password with upper-case and lower-case letters and digits, as sites may require. */
export function randomPassword(): string {
  for (;;) {
    const password = randomBytes(RANDOM_BYTES).toString('base64url');
    if (/[a-z]/.test(password) && /[A-Z]/.test(password) && /\d/.test(password)) return password;
  }
}
