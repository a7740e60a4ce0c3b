import { expect, test } from 'vitest';
import type { RecordSearch } from '../../../src/queries/answers/paging.ts';
import type { Queries } from '../../../src/queries/create-queries.ts';
import { withSealedCursors } from '../../../src/queries/sealed-cursors.ts';

test('A cursor says nothing, and is read by all processes with the same secret', async () => {
  const asked: unknown[] = [];
  const records = async ({ after }: RecordSearch) => {
    asked.push(after);
    return { records: [], next: 'ada@example.edu' };
  };
  const queriesWith = (secret?: string) =>
    withSealedCursors({ records } as unknown as Queries, { secret, dataDir: '/nowhere' });
  const [one, other, stranger] = ['s', 's', undefined].map(queriesWith) as [Queries, Queries, Queries];
  const { next = '' } = await one.records({ limit: 1 });
  expect(Buffer.from(next, 'base64url').toString('latin1')).not.toContain('ada');
  await other.records({ limit: 1, after: next });
  expect(asked).toEqual([undefined, 'ada@example.edu']);
  for (const after of [next, 'ada@example.edu', 'x']) {
    const read = async () => stranger.records({ limit: 1, after });
    await expect(read()).rejects.toMatchObject({ code: 'FF_HTTP_REQUEST', message: expect.stringContaining(after) });
  }
});
