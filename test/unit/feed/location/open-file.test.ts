import { expect, test } from 'vitest';
import { openFile } from '../../../../src/feed/location/open-file.ts';

test('A file that is opened after an interruption is not read, and nothing escapes as an unhandled error', async () => {
  const controller = new AbortController();
  const bytes = await openFile(import.meta.filename, controller.signal);
  controller.abort();
  await expect(Array.fromAsync(bytes)).rejects.toThrow('This operation was aborted');
});
