import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CodedError, messageOf } from '../../core/errors.ts';

const KEY_FILE = 'secret.key';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Not secret: the same FEEDFERRY_SECRET must result in the same key on every machine. */
const SALT = 'feedferry passwords at rest';

/** Encrypts passwords for the ledger (AES-256-GCM, NIST SP 800-38D). */
export type PasswordCipher = ReturnType<typeof createPasswordCipher>;

/**
 * Reads or creates the key when the first password is sealed or opened, not before.
 * @param options `secret`: FEEDFERRY_SECRET; absent: a key in the data directory, created when it is first needed
 */
export function createPasswordCipher(options: { secret?: string; dataDir: string }) {
  let known: Buffer | undefined;
  const key = () => {
    known ??= options.secret ? scryptSync(options.secret, SALT, KEY_BYTES) : ownKey(options.dataDir);
    return known;
  };
  return { seal, open };

  /**
   * Encrypts a text, with a different result each time.
   * @param owner external id of the record; the text can be decrypted for this record only
   * @throws CodedError FF_SECRET_KEY if there is no key and none can be created
   */
  function seal(text: string, owner: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key(), iv).setAAD(Buffer.from(owner));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
  }

  /**
   * @param owners the external id of the record, and those that it had before
   * @throws CodedError FF_SECRET_UNREADABLE if it was sealed with another key or for another owner, FF_SECRET_KEY
   */
  function open(sealed: string, ...owners: string[]): string {
    const secretKey = key();
    let cause: unknown;
    for (const owner of owners) {
      try {
        return openWith(secretKey, sealed, owner);
      } catch (error) {
        cause = error;
      }
    }
    const message = `The password of "${owners[0]}" was encrypted with a different key from the one of this process.`;
    throw new CodedError('FF_SECRET_UNREADABLE', message, { cause });
  }
}

function openWith(key: Buffer, sealed: string, owner: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const iv = bytes.subarray(0, IV_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(owner))
    .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}

function ownKey(dataDir: string): Buffer {
  const file = join(dataDir, KEY_FILE);
  const key = readKey(file) ?? makeKey(dataDir, file);
  if (key.length === KEY_BYTES) return key;
  const message = `${file} is not a valid key: it has ${key.length} bytes instead of ${KEY_BYTES}.`;
  throw new CodedError('FF_SECRET_KEY', message);
}

function readKey(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw keyFileError(file, error);
  }
}

/** Writes a draft and links it: another process that creates a key at the same time sees either no key or a complete one. */
function makeKey(dataDir: string, file: string): Buffer {
  const draft = `${file}.${randomBytes(4).toString('hex')}`;
  try {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(draft, randomBytes(KEY_BYTES), { mode: 0o600, flag: 'wx' });
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw keyFileError(file, error);
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(file);
}

function keyFileError(file: string, error: unknown): CodedError {
  return new CodedError('FF_SECRET_KEY', `${file} cannot be used: ${messageOf(error)}`, { cause: error });
}
