import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { signatureOf } from '../../../../src/config/files/signature.ts';
import { folder } from '../setup.ts';

test('The signature differs exactly when a file was written, replaced, added or removed', async () => {
  const dir = folder({ 'feedferry.yaml': 'a', 'syncs/talks.yaml': 'b', 'syncs/tables/kinds.csv': 'c' });
  const talks = join(dir, 'syncs/talks.yaml');
  const seen = [await signatureOf([dir])];
  const expectChange = async (change: () => void) => {
    change();
    const signature = await signatureOf([dir]);
    expect(seen).not.toContain(signature);
    seen.push(signature);
  };
  expect(await signatureOf([dir])).toBe(seen[0]);
  await expectChange(() => writeFileSync(join(dir, 'syncs/tables/kinds.csv'), 'longer'));
  await expectChange(() => utimesSync(talks, new Date(), new Date(1_900_000_000_000)));
  await expectChange(() => {
    writeFileSync(`${talks}.new`, 'b');
    utimesSync(`${talks}.new`, new Date(), new Date(1_900_000_000_000));
    renameSync(`${talks}.new`, talks);
  });
  await expectChange(() => writeFileSync(join(dir, 'syncs/walks.yaml'), ''));
  await expectChange(() => rmSync(join(dir, 'syncs/tables'), { recursive: true }));
  writeFileSync(join(dir, '.notes'), '');
  mkdirSync(join(dir, 'node_modules'));
  writeFileSync(join(dir, 'node_modules/package.json'), '{}');
  expect(await signatureOf([dir])).toBe(seen.at(-1));
  await expectChange(() => rmSync(dir, { recursive: true }));
});

test('The signature follows the links of a ConfigMap, including circular ones', async () => {
  const dir = folder({ '..one/talks.yaml': 'a', '..two/talks.yaml': 'a' });
  symlinkSync('..one', join(dir, '..data'));
  symlinkSync('..data/talks.yaml', join(dir, 'talks.yaml'));
  symlinkSync('.', join(dir, 'again'));
  const before = await signatureOf([dir]);
  symlinkSync('..two', join(dir, '..data_tmp'));
  renameSync(join(dir, '..data_tmp'), join(dir, '..data'));
  expect(await signatureOf([dir])).not.toBe(before);
});
