import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { feedSigns, incompleteReason, recordSigns, unprovenReason } from '../../../src/core/completeness.ts';
import type { FeedReceipt } from '../../../src/core/feed.ts';
import type { FeedFacts, RecordFacts } from '../../../src/core/source-reading.ts';

const receipt: FeedReceipt = { location: 'f', bytes: 1, sha256: '', durationMs: 1, complete: true };
const part = { location: 'f', ended: true };
const older = { age: 60, lastModified: 'Mon, 01 Mar 2027 10:00:00 GMT' };
const newer = { lastModified: 'Mon, 01 Mar 2027 11:00:00 GMT' };

describe('A feed', () => {
  const whole: FeedFacts = {
    parts: [{ ...part, status: 200, isFramed: true }],
    gaps: [],
    documents: [{ endsItself: true, items: 3, totals: [3, 3], pages: { read: 2, declared: 2 } }],
    receipt: { ...receipt, ...newer, age: 60, files: 2, lastLineEnded: true },
    earlier: { ...receipt, ...older, files: 2, lastLineEnded: true },
    hasLastChanged: true,
    deliveredBefore: 0,
  };

  test('is whole without any sign', () => {
    expect(incompleteReason(whole)).toBeUndefined();
    expect(incompleteReason({ ...whole, documents: [{ lastLineEnded: true }] })).toBeUndefined();
  });

  const facts: Record<keyof typeof feedSigns, FeedFacts[]> = {
    opening: [{ failure: 'no page 2' }, { parts: [] }],
    transfer: [{ parts: [{ ...part, ended: false }] }, { parts: [{ ...part, brokeOff: 'reset' }] }],
    part: [{ parts: [{ ...part, status: 206 }] }, { parts: [{ ...part, contentRange: 'bytes 0-9/99' }] }],
    unframed: [{ parts: [{ ...part, isFramed: false }], documents: [{ lastLineEnded: true }] }],
    gap: [{ gaps: ['a series could not be expanded'] }],
    error: [{ documents: [{ error: 'errors.0.message: Timeout' }] }],
    total: [
      { documents: [{ items: 80, totals: [100] }] },
      { documents: [{ items: 100, totals: [100, 99] }] },
      { documents: [{ pages: { read: 2, declared: 3 } }] },
    ],
    more: [{ documents: [{ more: 'truncated: true' }] }],
    fullPage: [
      { documents: [{ items: 100, fullPage: true }] },
      { lost: 2, receipt: { ...receipt, rows: [7, 100] }, earlier: { ...receipt, rows: [7, 102] } },
    ],
    lineEnd: [
      {
        hasLastChanged: true,
        receipt: { ...receipt, lastLineEnded: false },
        earlier: { ...receipt, lastLineEnded: true },
      },
    ],
    files: [{ receipt, earlier: { ...receipt, files: 2 } }],
    stale: [{ receipt: { ...receipt, ...older }, earlier: { ...receipt, ...newer } }],
    empty: [{ deliveredBefore: 5 }],
  };

  test.each(Object.entries(facts))('is incomplete with the sign %s', (sign, some) => {
    for (const one of some) {
      const seen = { ...whole, ...one };
      expect(incompleteReason(seen)).toBeTruthy();
      expect(incompleteReason(seen, [sign as keyof typeof feedSigns])).toBeUndefined();
    }
  });

  test.each([
    ...[[10], [20], [25], [50], [100], [150], [200], [250], [500], [1000], [2500], [5000], [10_000]],
    ...[[256], [1024], [2048], [65_536], [1_048_576]],
    // With a header.
    ...[[255], [999], [4999], [65_535], [1_048_575]],
  ])('may be cut after %i rows', (rows) => {
    const cut = { lost: 2, receipt: { ...receipt, rows: [rows] }, earlier: { ...receipt, rows: [rows + 2] } };
    expect(incompleteReason(cut)).toBe(
      `it has exactly ${rows} rows instead of ${rows + 2}, as if a limit had cut it there (if it is complete: ignoreSigns: [fullPage])`,
    );
  });

  test.each<[string, Partial<FeedFacts>]>([
    ['another number of rows', { receipt: { ...receipt, rows: [101] } }],
    ['as many rows as before', { earlier: { ...receipt, rows: [100] } }],
    ['no earlier reading', { earlier: undefined }],
    ['only one record less', { lost: 1 }],
    ['no rows', { receipt: { ...receipt, rows: [0] } }],
    ['an unknown number of rows', { receipt: { ...receipt, rows: [null] } }],
  ])('is not cut with %s', (_, fact) => {
    const cut = { lost: 2, receipt: { ...receipt, rows: [100] }, earlier: { ...receipt, rows: [120] } };
    expect(incompleteReason(cut)).toBeTruthy();
    expect(incompleteReason({ ...cut, ...fact })).toBeUndefined();
  });

  test('may end with its connection, if its format shows its own end', () => {
    const parts = [{ ...part, isFramed: false }];
    expect(incompleteReason({ parts, documents: [{ endsItself: true }] })).toBeUndefined();
  });

  test('may be older than the last one, if no cache sent it', () => {
    const { lastModified } = older;
    expect(
      incompleteReason({ receipt: { ...receipt, lastModified }, earlier: { ...receipt, ...newer } }),
    ).toBeUndefined();
  });
});

describe('The records of a feed', () => {
  const sound: RecordFacts = { read: 100, rejected: 2, unnamed: 0, duplicates: 2, receipt };

  test('prove what is missing without any sign', () => {
    expect(unprovenReason(sound)).toBeUndefined();
  });

  const facts: Record<keyof typeof recordSigns, Partial<RecordFacts>> = {
    unnamed: { unnamed: 1 },
    lastRejected: { receipt: { ...receipt, lastRejected: 'line 81' } },
    allRejected: { rejected: 100 },
    moved: { receipt: { ...receipt, isPaged: true } },
  };

  test.each(Object.entries(facts))('prove nothing with the sign %s', (sign, some) => {
    expect(unprovenReason({ ...sound, ...some })).toBeTruthy();
    expect(unprovenReason({ ...sound, ...some }, [sign as keyof typeof recordSigns])).toBeUndefined();
  });
});

test('docs/missing.md lists every sign with what it proves', () => {
  const docs = readFileSync(join(import.meta.dirname, '../../../docs/missing.md'), 'utf8');
  for (const [name, { proves }] of Object.entries({ ...feedSigns, ...recordSigns })) {
    expect(docs).toContain(`| \`${name}\` | ${proves} |`);
  }
});
