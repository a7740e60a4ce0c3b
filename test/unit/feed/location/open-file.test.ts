import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFile } from '../../../../src/feed/location/open-file.ts';
import { temporaryDir } from '../../../support/engines.ts';

test('A file that is opened after an interruption is not read, and nothing escapes as an unhandled error', async () => {
  const controller = new AbortController();
  const bytes = await openFile(import.meta.filename, controller.signal);
  controller.abort();
  await expect(Array.fromAsync(bytes)).rejects.toThrow('This operation was aborted');
});

test('A file whose first records are enough is read in small chunks, another one in large ones', async () => {
  using dir = temporaryDir();
  const path = join(dir.path, 'feed.csv');
  writeFileSync(path, 'x'.repeat(10_000));
  const lengths = async (firstOnly: boolean) =>
    (await Array.fromAsync(await openFile(path, undefined, firstOnly))).map(({ length }) => length);
  expect(await lengths(true)).toEqual([4096, 4096, 1808]);
  expect(await lengths(false)).toEqual([10_000]);
});
