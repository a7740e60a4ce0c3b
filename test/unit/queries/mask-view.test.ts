import { describe, expect, test } from 'vitest';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { PastRun } from '../../../src/ledger/runs/run-list.ts';
import type { Queries } from '../../../src/queries/create-queries.ts';
import { maskedQueries } from '../../../src/queries/mask-view.ts';
import { rejectionLines } from '../../../src/queries/syncs/rejects.ts';

const overview = {
  syncs: [
    { sync: 'staff', resource: 'accounts', why: 'ada@example.edu was refused' },
    { sync: 'talks', resource: 'events', why: '' },
  ],
};

const rows = [
  { sync: 'staff', key: 'ada@example.edu', title: 'Ada <ada@example.edu>', cmsId: 7 },
  { sync: 'talks', key: 'uid-1@google.com', publishedAs: 'a/uid-2@google.com', title: 'Write to bob@example.edu' },
  { sync: 'gone', key: 'eve@example.edu', title: 'Eve' },
];

function fakeQueries(answers: object): Queries {
  return { overview: async () => overview, ...answers } as unknown as Queries;
}

describe('Masked queries', () => {
  test('mask addresses in all texts, and the keys of accounts and of unknown syncs, not those of events', async () => {
    const { records } = maskedQueries(fakeQueries({ records: async () => ({ records: rows }) }));
    expect(await records({ limit: 5 })).toEqual({
      records: [
        { sync: 'staff', key: 'a***@example.edu', title: 'Ada <a***@example.edu>', cmsId: 7 },
        {
          sync: 'talks',
          key: 'uid-1@google.com',
          publishedAs: 'a/uid-2@google.com',
          title: 'Write to b***@example.edu',
        },
        { sync: 'gone', key: 'e***@example.edu', title: 'Eve' },
      ],
    });
  });

  test('mask payloads, differences and errors at any depth', async () => {
    const record = {
      ...{
        sync: 'staff',
        key: 'ada',
        desired: { email: 'ada@example.edu', links: [{ url: 'mailto:ada@example.edu' }] },
      },
      history: [{ differences: [{ attribute: 'email', from: 'a@example.edu', to: 'ada@example.edu' }] }],
      error: { message: '"ada@example.edu" is taken' },
    };
    const { record: ask } = maskedQueries(fakeQueries({ record: async () => record }));
    expect(JSON.stringify(await ask('staff', 'ada'))).not.toMatch(/ada@|"a@/);
  });

  test('do not say whether there is a record whose key they mask', async () => {
    const record = async (sync: string, key: string) => ({ sync, key });
    const queries = maskedQueries(
      fakeQueries({ record, recordRejection: record, recordSource: record, recordLive: record }),
    );
    const { signal } = new AbortController();
    const hidden = expect.objectContaining({ code: 'FF_HTTP_NOT_FOUND' });
    for (const sync of ['staff', 'gone']) {
      await expect(queries.record(sync, 'ada@example.edu')).rejects.toEqual(hidden);
      await expect(queries.record(sync, 'a***@example.edu')).rejects.toEqual(hidden);
      await expect(queries.recordRejection(sync, 'ada@example.edu')).rejects.toEqual(hidden);
      await expect(queries.recordSource(sync, 'ada@example.edu', signal)).rejects.toEqual(hidden);
      await expect(queries.recordLive(sync, 'ada@example.edu', signal)).rejects.toEqual(hidden);
    }
    expect(await queries.record('staff', 'ada')).toMatchObject({ key: 'ada' });
    expect(await queries.record('talks', 'uid-1@google.com')).toMatchObject({ key: 'uid-1@google.com' });
  });

  test('mask a query that nothing is known of', async () => {
    const shown = maskedQueries(
      fakeQueries({ letters: async () => ({ key: 'ada@example.edu', to: 'eve@example.edu' }) }),
    );
    const { letters } = shown as unknown as { letters(): Promise<object> };
    expect(await letters()).toEqual({ key: 'a***@example.edu', to: 'e***@example.edu' });
  });

  test('know the sync of the pages of a run', async () => {
    const changes = async () => ({ changes: [{ key: 'ada@example.edu', title: 'Ada' }] });
    const of = (sync: string) => maskedQueries(fakeQueries({ changes, run: async () => ({ sync }) }));
    expect((await of('staff').changes('r', { limit: 1 })).changes[0]?.key).toBe('a***@example.edu');
    expect((await of('talks').changes('r', { limit: 1 })).changes[0]?.key).toBe('ada@example.edu');
  });

  test('mask each line of a CSV, and in it what is no address', async () => {
    const run = { run: 'r' } as PastRun;
    const fields = { Name: 'Ada', Mail: 'ada lovelace@example.edu' };
    const rejection = {
      at: 'line 2',
      key: 'ada@example.edu',
      code: 'FF_RECORD_VALUE',
      reason: `email: "${fields.Mail}" is not`,
      fields,
    };
    async function* rejections() {
      yield rejection;
    }
    const rejectsCsv: Queries['rejectsCsv'] = (_sync, _run, shown) => {
      return rejectionLines(run, { runs: { rejections } } as unknown as Ledger, shown);
    };
    const [, line] = await Array.fromAsync(maskedQueries(fakeQueries({ rejectsCsv })).rejectsCsv('staff'));
    expect(line).toContain('line 2,a***@example.edu,FF_RECORD_VALUE,"email: ""a***@example.edu"" is not"');
    expect(line).not.toContain('lovelace');
    // As on the page, the key of an event is no address.
    const [, ofEvent] = await Array.fromAsync(maskedQueries(fakeQueries({ rejectsCsv })).rejectsCsv('talks'));
    expect(ofEvent).toContain('line 2,ada@example.edu,FF_RECORD_VALUE,"email: ""a***@example.edu"" is not"');
  });

  test('ask for the syncs again if they could not be read', async () => {
    const answers = [Promise.reject(new Error('away')), Promise.resolve(overview)];
    const queries = maskedQueries(fakeQueries({ heldPlans: async () => [], overview: () => answers.shift() }));
    await expect(queries.heldPlans()).rejects.toThrow('away');
    await expect(queries.heldPlans()).resolves.toEqual([]);
  });
});
