import type { SyncConfig, TargetConfig } from '../core/config.ts';
import type { AnyConnector } from '../core/connector.ts';
import type { FeedReceipt } from '../core/feed.ts';
import type { Mapped, Rejection, SourceRecord, Warning } from '../core/record.ts';
import { openFeed } from '../feed/open.ts';
import { compileMapping, mappedFields } from '../mapping/compile.ts';
import type { SourceReading } from '../sync/source.ts';

const KEPT_WARNINGS = 1000;

/**
 * Opens the feed of a sync and maps what its connector reads, record by record.
 * @throws CodedError FF_FEED_… where the feed cannot be opened; reading throws where it is not what it should be
 */
export async function readSource(
  sync: SyncConfig,
  target: TargetConfig,
  connector: AnyConnector,
  signal: AbortSignal,
): Promise<SourceReading> {
  const { url, feed: feedOptions, options, timezone = target.timezone } = sync.source;
  const feed = await openFeed(url, { ...feedOptions, signal });
  const map = compileMapping(sync, {
    siteTimezone: target.timezone,
    sourceTimezone: timezone,
    ...(connector.defaultMap ? { defaultMap: connector.defaultMap } : {}),
    now: Date.now,
  });
  const warnings: Warning[] = [];
  const setAside: Rejection[] = [];
  let lost: string | undefined;

  const fields = connector.read(feed, options, {
    timezone,
    mappedFields: mappedFields(sync, connector.defaultMap),
    reject: (rejection) => setAside.push(rejection),
    warn: (warning) => {
      if (warnings.length < KEPT_WARNINGS) warnings.push(warning);
    },
    incomplete: (reason) => {
      lost ??= reason;
    },
    signal,
  });
  return { records: mapAll(fields, map, setAside), receipt, warnings };

  function receipt(): FeedReceipt {
    const read = feed.receipt();
    return read.complete && lost ? { ...read, complete: false, reason: lost } : read;
  }
}

/** Rejections of the connector come out where they arose, between the records. */
async function* mapAll(
  records: AsyncIterable<SourceRecord>,
  map: (record: SourceRecord) => Mapped,
  setAside: Rejection[],
): AsyncGenerator<Mapped> {
  for await (const record of records) {
    yield* drain(setAside);
    yield map(record);
  }
  yield* drain(setAside);
}

function* drain(setAside: Rejection[]): Generator<Mapped> {
  for (const rejection of setAside.splice(0)) yield { is: 'rejected', rejection };
}
