import type { SyncConfig, TargetConfig } from '../../../src/config/types.ts';
import { CodedError } from '../../../src/core/errors.ts';
import type { FeedReceipt } from '../../../src/core/feed.ts';
import { hashJson } from '../../../src/core/hash.ts';
import type { Json, Mapped, SourceRecord } from '../../../src/core/record.ts';
import type { Runtime } from '../../../src/core/runtime/runtime.ts';
import { mapAll, type ReadRecord, type SourceReading } from '../../../src/core/source-reading.ts';
import { compileKeyReader } from '../../../src/mapping/key.ts';
import { outside, windowDays } from '../../../src/mapping/window.ts';
import { compileSyncMapping } from '../../../src/source/compile-sync-mapping.ts';

/** A record of the source: its fields, as text. */
export type Row = Record<string, string>;

/** How the source answers. `silentCut` and `empty` look whole. */
export type SourceState = 'whole' | 'cut' | 'silentCut' | 'empty' | 'down';

/** Reads the rows that a source has at a moment, as a run reads a feed: with the real mapping, without bytes. */
export function readRows(
  rows: readonly Row[],
  state: SourceState,
  { sync, target, runtime }: { sync: SyncConfig; target: TargetConfig; runtime: Runtime },
): SourceReading {
  const shown = shownRows(rows, state);
  const map = compileSyncMapping(sync, target, runtime.now);
  const keyOf = compileKeyReader(sync);
  const window = windowDays(sync.window, target.timezone, runtime.now());
  const scope = JSON.stringify([sync.resource, sync.map, sync.window]);
  // The same fields under another config are to be mapped again.
  const hashOf = (fields: SourceRecord['fields']) => hashJson([fields as Json, scope]);
  const unmappedRecords = readAll();
  let isRead = false;
  return {
    async open() {
      if (state === 'down') throw new CodedError('FF_FEED_STATUS', 'The source responded with status 503.');
      return 'modified';
    },
    unmappedRecords,
    records: mapAll(unmappedRecords),
    receipt,
    warnings: [],
    fields: new Set(Object.keys(rows[0] ?? {})),
    unmapped: new Map(),
    describeHtml: () => [],
    describeMissing: () => [],
  };

  async function* readAll(): AsyncGenerator<ReadRecord> {
    if (state === 'down') throw new CodedError('FF_FEED_STATUS', 'The source responded with status 503.');
    for (const [index, fields] of shown.entries()) {
      const source = { at: `line ${index + 2}`, fields };
      yield {
        ...source,
        key: keyOf(source),
        sourceHash: hashOf(fields),
        isInWindow: (days) => sync.resource !== 'events' || outside(window, days) === undefined,
        map: () => mapRecord(source),
      };
    }
    isRead = true;
  }

  async function mapRecord(source: SourceRecord): Promise<Mapped> {
    const mapped = await map(source);
    const isHashed = mapped.is === 'desired' && mapped.record.attachments.length === 0;
    return isHashed ? { ...mapped, sourceHash: hashOf(source.fields) } : mapped;
  }

  function receipt(): FeedReceipt {
    const isWhole = isRead && state !== 'cut';
    return {
      location: './feed.csv',
      bytes: shown.length * 100,
      sha256: hashJson(shown as Json),
      durationMs: 1,
      complete: isWhole,
      ...(isWhole ? {} : { reason: 'the transfer broke off' }),
    };
  }
}

/** What the source shows in a state. */
export function shownRows(rows: readonly Row[], state: SourceState): readonly Row[] {
  if (state === 'empty' || state === 'down') return [];
  const half = Math.floor(rows.length / 2);
  // New records are last: without the first ones, too much is missing of what the CMS has, and nothing but that shows it.
  if (state === 'silentCut') return rows.slice(half);
  return state === 'whole' ? rows : rows.slice(0, half);
}
