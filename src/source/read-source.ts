import { basename } from 'node:path';
import type { SyncConfig, TargetConfig } from '../config/types.ts';
import type { AnyConnector, ReadContext } from '../core/connector.ts';
import type { Feed, FeedReceipt } from '../core/feed.ts';
import type { Mapped, Rejection, SourceRecord, Warning } from '../core/record.ts';
import type { FeedValidators, SourceReading } from '../core/source-reading.ts';
import { readFeeds } from '../feed/open.ts';
import { compileMapping, type Mapping, mappedFields } from '../mapping/compile.ts';
import { windowDays } from '../mapping/window.ts';

const KEPT_WARNINGS = 1000;

/** Reads the feed of a sync, one for each file where it is a pattern, and maps what its connector makes of it. */
export function readSource(
  sync: SyncConfig,
  target: TargetConfig,
  connector: AnyConnector,
  { signal, validators }: { signal: AbortSignal; validators?: FeedValidators },
): SourceReading {
  const { url, feed: feedOptions, options, timezone = target.timezone } = sync.source;
  const reading = readFeeds(url, { ...feedOptions, acceptsHtml: connector.acceptsHtml, signal }, validators);
  const warnings: Warning[] = [];
  let lost: string | undefined;
  return { open: reading.open, records: readAll(), receipt, warnings };

  async function* readAll(): AsyncGenerator<Mapped> {
    for await (const feed of reading.feeds()) yield* readOne(feed);
    const { location, charset, charsetConfidence } = reading.receipt();
    if (charsetConfidence === undefined) return;
    const message = `The charset was guessed to be ${charset} (${charsetConfidence} % sure); source.encoding can name it.`;
    warnings.push({ at: location, message });
  }

  /** Rejections of the connector come out where they arose, between the records. */
  async function* readOne(feed: Feed): AsyncGenerator<Mapped> {
    const setAside: Rejection[] = [];
    const isOneOfMany = feed.location !== reading.receipt().location;
    const map = mapFor(isOneOfMany ? feed.location : url);
    const place = isOneOfMany ? placeIn(feed) : <Placed>(placed: Placed) => placed;
    const rejections = () => setAside.splice(0).map((rejection): Mapped => ({ is: 'rejected', rejection }));
    const context: ReadContext = {
      timezone,
      siteTimezone: target.timezone,
      window: windowDays(sync.window, target.timezone, Date.now()),
      mappedFields: mappedFields(sync, connector.defaultMap),
      reject: (rejection) => setAside.push(place(rejection)),
      warn: (warning) => {
        if (warnings.length < KEPT_WARNINGS) warnings.push(place(warning));
      },
      incomplete: (reason) => {
        lost ??= reason;
      },
      signal,
    };
    const records: AsyncIterable<SourceRecord> = connector.read(feed, options, context);
    for await (const record of records) {
      if (setAside.length > 0) yield* rejections();
      const placed = place(record);
      const mapped = await map(placed);
      yield mapped.is === 'rejected' ? mapped : { ...mapped, fields: placed.fields };
    }
    yield* rejections();
  }

  /** @param location of the feed: relative attachments start there */
  function mapFor(location: string): Mapping {
    return compileMappingOf({ ...sync, source: { ...sync.source, url: location } }, target, connector, Date.now);
  }

  /** Of several files, the place of a record names its own. */
  function placeIn(feed: Feed): <Placed extends { at: string }>(placed: Placed) => Placed {
    return (placed) => ({ ...placed, at: `${basename(feed.location)}, ${placed.at}` });
  }

  function receipt(): FeedReceipt {
    const read = reading.receipt();
    return read.complete && lost ? { ...read, complete: false, reason: lost } : read;
  }
}

/**
 * Compiles the mapping of a sync with what its connector and the site bring to it.
 * @param now ms since 1970
 */
export function compileMappingOf(
  sync: SyncConfig,
  target: TargetConfig,
  { defaultMap }: AnyConnector,
  now: () => number,
): Mapping {
  const { timezone: sourceTimezone = target.timezone } = sync.source;
  const zones = { siteTimezone: target.timezone, sourceTimezone };
  return compileMapping(sync, { ...zones, ...(defaultMap ? { defaultMap } : {}), now });
}
