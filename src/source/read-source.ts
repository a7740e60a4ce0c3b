import { basename } from 'node:path';
import type { SyncConfig, TargetConfig } from '../config/types.ts';
import { incompleteReason } from '../core/completeness.ts';
import type { ReadContext } from '../core/connector.ts';
import type { Feed, FeedReceipt } from '../core/feed.ts';
import type { Mapped, Warning } from '../core/record.ts';
import type { DocumentFacts, FeedValidators, SourceReading } from '../core/source-reading.ts';
import { readFeeds } from '../feed/open.ts';
import { type Mapping, mappedFields } from '../mapping/compile.ts';
import { collectFields } from '../mapping/field-usage.ts';
import { windowDays } from '../mapping/window.ts';
import { compileSyncMapping, connectorOf } from './compile-sync-mapping.ts';

const KEPT_WARNINGS = 1000;

interface ReadOptions {
  signal: AbortSignal;
  validators?: FeedValidators;
  localOnly?: boolean;
  fieldsOnly?: boolean;
}

const mapNothing: Mapping = ({ at }) => ({ is: 'skipped', at, key: '', reason: '' });

/**
 * Reads and maps the feed of a sync, or each file of a pattern. Needs neither ledger nor CMS.
 * @param localOnly refuses addresses, also those of further pages
 * @param fieldsOnly maps nothing: all records are skipped
 */
export function readSource(
  sync: SyncConfig,
  target: TargetConfig,
  { signal, validators, localOnly, fieldsOnly = false }: ReadOptions,
): SourceReading {
  const { url, feed: feedOptions, options, ignoreSigns, timezone = target.timezone } = sync.source;
  const connector = connectorOf(sync);
  const { acceptsHtml } = connector;
  const reading = readFeeds(url, { ...feedOptions, acceptsHtml, signal, localOnly, firstOnly: fieldsOnly }, validators);
  const warnings: Warning[] = [];
  const fields = collectFields(sync, connector);
  const gaps: string[] = [];
  const documents: DocumentFacts[] = [];
  return { open: reading.open, records: readAll(), receipt, warnings, fields: fields.names, unmapped: fields.unmapped };

  async function* readAll(): AsyncGenerator<Mapped> {
    for await (const feed of reading.feeds()) yield* readFeed(feed);
    const { location, charset, charsetConfidence } = reading.receipt();
    if (charsetConfidence === undefined) return;
    const message = `Detected charset: ${charset} (${charsetConfidence} % confidence). If that is wrong, set source.encoding.`;
    warnings.push({ at: location, message });
  }

  /** Yields rejections of the connector where they arise, between the records. */
  async function* readFeed(feed: Feed): AsyncGenerator<Mapped> {
    const isOneOfMany = feed.location !== reading.receipt().location;
    const place = <Placed extends { at: string }>(placed: Placed) =>
      isOneOfMany ? { ...placed, at: `${basename(feed.location)}, ${placed.at}` } : placed;
    // Relative attachments start at the file.
    const source = isOneOfMany ? { ...sync.source, url: feed.location } : sync.source;
    const map = fieldsOnly ? mapNothing : compileSyncMapping({ ...sync, source }, target, Date.now);
    const rejected: Mapped[] = [];
    let last: Mapped | undefined;
    const document: DocumentFacts = {};
    documents.push(document);
    const context: ReadContext = {
      timezone,
      siteTimezone: target.timezone,
      window: windowDays(sync.window, target.timezone, Date.now()),
      mappedFields: mappedFields(sync, connector.defaultMap),
      reject: (rejection) => rejected.push({ is: 'rejected', rejection: place(rejection) }),
      warn: (warning) => {
        if (warnings.length < KEPT_WARNINGS) warnings.push(place(warning));
      },
      incomplete: (reason) => gaps.push(reason),
      report: (facts) => Object.assign(document, facts),
    };
    for await (const record of connector.read(feed, options, context)) {
      if (rejected.length > 0) yield* rejected.splice(0);
      fields.add(record.fields);
      const placed = place(record);
      const mapped = await map(placed);
      last = mapped;
      yield mapped.is === 'rejected' ? mapped : { ...mapped, fields: placed.fields };
    }
    last = rejected.at(-1) ?? last;
    if (last?.is === 'rejected' && !document.endsItself) document.lastRejected = last.rejection.at;
    yield* rejected;
  }

  function receipt(): FeedReceipt {
    const transfer = reading.facts();
    const reason = incompleteReason({ ...transfer, gaps, documents }, ignoreSigns);
    const { lastLineEnded, lastRejected } = documents.at(-1) ?? {};
    return {
      ...reading.receipt(),
      complete: reason === undefined,
      reason,
      files: documents.length > 1 ? documents.length : undefined,
      isPaged: transfer.parts.length > documents.length || undefined,
      lastLineEnded,
      lastRejected,
    };
  }
}
