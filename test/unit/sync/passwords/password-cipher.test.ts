import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPasswordCipher } from '../../../../src/sync/passwords/password-cipher.ts';
import { temporaryDir } from '../../../support/engines.ts';

const password = 'correct horse, Bätterie 🐎';

test('what is sealed can be opened by every process that has the same words, and looks different each time', () => {
  using dir = temporaryDir();
  const [here, there] = [dir.path, '/nowhere'].map((dataDir) => createPasswordCipher({ secret: 'words', dataDir }));
  const sealed = here!.seal(password, 'people:ada');
  expect(sealed).not.toContain('horse');
  expect(here!.seal(password, 'people:ada')).not.toBe(sealed);
  expect(there!.open(sealed, 'people:ada')).toBe(password);
  expect(readdirSync(dir.path)).toEqual([]);
});

test('without words a key is made once, for this user alone', () => {
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
])('with %s nothing is opened, and the error tells no secret', (_, open) => {
  const sealed = createPasswordCipher({ secret: 'words', dataDir: '/nowhere' }).seal(password, 'a');
  expect(() => open(sealed)).toThrow(
    expect.objectContaining({ code: 'FF_SECRET_UNREADABLE', message: expect.not.stringContaining('horse') }),
  );
});

test('a key file that is none, or a folder that cannot be used, is refused', () => {
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
