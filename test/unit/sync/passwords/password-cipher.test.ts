import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPasswordCipher } from '../../../../src/sync/passwords/password-cipher.ts';
import { temporaryDir } from '../../../support/engines.ts';

const password = 'correct horse, Bätterie 🐎';

test('Encrypted text can be decrypted by every process with the same secret, and differs each time', () => {
  using dir = temporaryDir();
  const [here, there] = [dir.path, '/nowhere'].map((dataDir) => createPasswordCipher({ secret: 'words', dataDir }));
  const sealed = here!.seal(password, 'people:ada');
  expect(sealed).not.toContain('horse');
  expect(here!.seal(password, 'people:ada')).not.toBe(sealed);
  expect(there!.open(sealed, 'people:ada')).toBe(password);
  expect(readdirSync(dir.path)).toEqual([]);
});

test('A password can be decrypted for a record under an earlier external id', () => {
  const cipher = createPasswordCipher({ secret: 'words', dataDir: '/nowhere' });
  expect(cipher.open(cipher.seal(password, 'staff:ada'), 'people:ada', 'staff:ada')).toBe(password);
});

test('A key is created once without a secret, readable by this user only', () => {
  using dir = temporaryDir();
  const dataDir = join(dir.path, 'new/data');
  const [one, other] = [createPasswordCipher({ dataDir }), createPasswordCipher({ dataDir })];
  const sealed = [one!.seal(password, 'a'), other!.seal(password, 'a')];
  expect(sealed.map((each) => createPasswordCipher({ dataDir }).open(each, 'a'))).toEqual([password, password]);
  expect(readdirSync(dataDir)).toEqual(['secret.key']);
  expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(dataDir, 'secret.key'))).toHaveLength(32);
});

test.each([
  [
    'another key',
    (sealed: string) => createPasswordCipher({ secret: 'other words', dataDir: '/nowhere' }).open(sealed, 'a'),
  ],
  [
    'another owner',
    (sealed: string) => createPasswordCipher({ secret: 'words', dataDir: '/nowhere' }).open(sealed, 'b'),
  ],
  [
    'a changed byte',
    (sealed: string) => createPasswordCipher({ secret: 'words', dataDir: '/' }).open(`A${sealed}`, 'a'),
  ],
  ['nothing', () => createPasswordCipher({ secret: 'words', dataDir: '/nowhere' }).open('', 'a')],
])('Decryption fails with %s, and the error shows no secret', (_, open) => {
  const sealed = createPasswordCipher({ secret: 'words', dataDir: '/nowhere' }).seal(password, 'a');
  expect(() => open(sealed)).toThrow(
    expect.objectContaining({ code: 'FF_SECRET_UNREADABLE', message: expect.not.stringContaining('horse') }),
  );
});

test('An invalid key file or unusable folder is refused', () => {
  using dir = temporaryDir();
  writeFileSync(join(dir.path, 'secret.key'), 'short');
  expect(() => createPasswordCipher({ dataDir: dir.path }).seal('x', 'a')).toThrow(
    expect.objectContaining({ code: 'FF_SECRET_KEY', message: expect.stringContaining('5 bytes') }),
  );
  const file = join(dir.path, 'file');
  writeFileSync(file, '');
  expect(() => createPasswordCipher({ dataDir: file }).seal('x', 'a')).toThrow(
    expect.objectContaining({ code: 'FF_SECRET_KEY' }),
  );
});
