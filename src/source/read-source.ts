import { basename } from 'node:path';
import type { SyncConfig, TargetConfig } from '../config/types.ts';
import { incompleteReason } from '../core/completeness.ts';
import type { ReadContext } from '../core/connector.ts';
import { dateAt } from '../core/dates/iso-date.ts';
import type { Feed, FeedReceipt } from '../core/feed.ts';
import { factsOfHeaders } from '../core/paging/header-facts.ts';
import type { Mapped, RecordProblem, Rejection, SourceRecord, Warning } from '../core/record.ts';
import { sourceHash } from '../core/source-hash.ts';
import {
  type DocumentFacts,
  type FeedValidators,
  mapAll,
  type ReadRecord,
  type SourceReading,
} from '../core/source-reading.ts';
import { createWarningFilter } from '../core/warnings/crowded-warnings.ts';
import { readFeeds } from '../feed/open.ts';
import type { Mapping } from '../mapping/compile.ts';
import { collectFields, mappedFields } from '../mapping/field-usage.ts';
import type { HtmlCounts } from '../mapping/html/count-html.ts';
import { compileKeyReader } from '../mapping/key.ts';
import { firstSegment } from '../mapping/path.ts';
import { outside, windowDays } from '../mapping/window.ts';
import { connectorOf } from './connector-of.ts';
import { describeEndedYears } from './ended-years.ts';
import { type SheetStore, sheetsOf, withSheets } from './lookup-sheets.ts';
import { markedRejection, shownRejection, withShownNames } from './marked-records.ts';
import { describeMissingFields } from './missing-fields.ts';
import { withRenamedLines } from './renamed-fields.ts';
import { secretHider } from './sample/hide-secrets.ts';

const KEPT_WARNINGS = 1000;

/** How the feed of a sync is read. */
export interface ReadOptions {
  signal: AbortSignal;
  validators?: FeedValidators;
  localOnly?: boolean;
  fieldsOnly?: boolean;
  mappedBy?: string;
  countsHtml?: boolean;
  includesWithdrawn?: boolean;
  secrets?: readonly string[];
  sheets?: SheetStore | undefined;
}

const mapNothing: Mapping = ({ at }) => ({ is: 'skipped', at, key: '', reason: '' });

/**
 * Reads and maps the feed of a sync, or each file of a pattern. Needs neither ledger nor CMS.
 * @param localOnly refuses addresses, also those of further pages
 * @param fieldsOnly maps nothing: all records are skipped
 * @param mappedBy hash of everything that decides the mapping of a record besides the record itself; absent: no hashes for
 * records
 * @param countsHtml counts texts with HTML for `describeHtml`
 * @param includesWithdrawn yields records that the source has cancelled or made private, too
 * @param sheets keeps copies of lookup tables
 * @param secrets are replaced in the records before they are mapped
 */
export function readSource(
  sync: SyncConfig,
  target: TargetConfig,
  {
    signal,
    validators,
    localOnly,
    fieldsOnly = false,
    mappedBy,
    countsHtml = false,
    includesWithdrawn,
    secrets = [],
    sheets,
  }: ReadOptions,
): SourceReading {
  const { url, feed: feedOptions, options, ignoreSigns, timezone = target.timezone } = sync.source;
  const connector = connectorOf(sync);
  const { acceptsHtml } = connector;
  const reading = readFeeds(
    url,
    { ...feedOptions, acceptsHtml, signal, localOnly, firstOnly: fieldsOnly },
    sheetsOf(sync).size > 0 ? undefined : validators,
  );
  const warnings: Warning[] = [];
  const filter = createWarningFilter(warnings, () => reading.receipt().location);
  const fields = collectFields(sync, connector);
  const gaps: string[] = [];
  const documents: Array<{ facts: DocumentFacts; last?: { rejectedAt?: string } }> = [];
  const keyOf = compileKeyReader(sync);
  const hide = secretHider(secrets);
  let html: HtmlCounts | undefined;
  let mapped: ReturnType<typeof withSheets> | undefined;
  const unmappedRecords = readAll();
  const { open } = reading;
  return {
    open,
    unmappedRecords,
    records: mapAll(unmappedRecords),
    receipt,
    withdraws: connector.withdraws === true,
    warnings,
    fields: fields.names,
    unmapped: fields.unmapped,
    describeHtml: () => html?.describe(sync) ?? [],
    describeMissing: () => describeMissingFields(sync, fields.names, 'the feed'),
  };

  async function* readAll(): AsyncGenerator<ReadRecord> {
    try {
      for await (const feed of reading.feeds()) yield* readFeed(feed);
    } catch (error) {
      throw withRenamedLines(error, sync);
    } finally {
      const placed = reading.damage.warnings.map((warning) => ({ at: placeOf(warning), message: warning.message }));
      warnings.push(...placed.slice(0, KEPT_WARNINGS));
    }
    const { location, charset, charsetConfidence } = reading.receipt();
    const today = dateAt(Date.now(), target.timezone);
    for (const message of describeEndedYears(sync, today)) warnings.push({ at: basename(sync.file), message });
    if (charsetConfidence === undefined) return;
    const message = `Detected charset: ${charset} (${charsetConfidence} % confidence). If that is wrong, set source.encoding.`;
    warnings.push({ at: location, message });
  }

  /** Names the file or page if the feed has several. */
  function placeOf({ location, at }: { location: string; at: string }): string {
    const isFirst = location === reading.receipt().location || location === at;
    return isFirst ? at : `${basename(location)}, ${at}`;
  }

  /** Yields each rejection of the connector at its place between the records. */
  async function* readFeed(feed: Feed): AsyncGenerator<ReadRecord> {
    const isOneOfMany = feed.location !== reading.receipt().location;
    const place = <Placed extends { at: string }>(placed: Placed) =>
      isOneOfMany ? { ...placed, at: `${basename(feed.location)}, ${placed.at}` } : placed;
    // Relative paths of attachments start at the file.
    const source = isOneOfMany ? { ...sync.source, url: feed.location } : sync.source;
    const clock = watchClock();
    if (!fieldsOnly) mapped ??= readSheets();
    const { sync: tabled = sync, hash: tables } = (await mapped) ?? {};
    const map = fieldsOnly ? mapNothing : await compiled({ ...tabled, source }, clock.now);
    clock.forget();
    const hashedBy = sync.mapFunction || mappedBy === undefined ? undefined : mappedBy + (tables ?? '');
    const window = windowDays(sync.window, target.timezone, Date.now());
    const isInWindow: ReadRecord['isInWindow'] = (days) =>
      sync.resource !== 'events' || outside(window, days) === undefined;
    const rejected: Rejection[] = [];
    const answer = factsOfHeaders(feed);
    const document: (typeof documents)[number] = { facts: { more: answer.more } };
    let count = 0;
    documents.push(document);
    const context: ReadContext = {
      timezone,
      siteTimezone: target.timezone,
      window,
      mappedFields: mappedFields(sync, connector.defaultMap),
      includesWithdrawn,
      reject: (rejection) => {
        count += 1;
        const named = withPrefix(rejection, sync.key.prefix);
        rejected.push(place(reading.damage.hasMarks ? shownRejection(named) : named));
      },
      warn: (warning) => {
        const placed = place(warning);
        if (!filter.count(placed) && warnings.length < KEPT_WARNINGS) warnings.push(placed);
      },
      incomplete: (reason) => gaps.push(reason),
      report: (facts) => Object.assign(document.facts, facts),
    };
    for await (const record of connector.read(feed, options, context)) {
      if (rejected.length > 0) yield* rejected.splice(0).map(toRead);
      count += 1;
      const { hasMarks } = reading.damage;
      const readRecord = hide(hasMarks ? withShownNames(record) : record);
      fields.add(readRecord.fields);
      const rejection = hasMarks ? markedRejection(readRecord, keyOf) : undefined;
      if (rejection) {
        document.last = { rejectedAt: place(rejection).at };
        yield toRead(place(rejection));
        continue;
      }
      yield toReadRecord(place(readRecord));
    }
    // Only lines are records one by one.
    const total = answer.total ?? answer.count;
    if (document.facts.endsItself !== true) {
      const declared = total !== undefined && { totals: [total], totalAt: answer.totalAt };
      document.facts = { items: count, ...document.facts, ...declared };
    }
    const rejectedAt = rejected.at(-1)?.at;
    if (rejectedAt !== undefined) document.last = { rejectedAt };
    yield* rejected.map(toRead);

    function toReadRecord(source: SourceRecord): ReadRecord {
      const last: { rejectedAt?: string } = {};
      document.last = last;
      const problems = source.problems?.filter(({ field }) => field === undefined || fields.isUsed(field)) ?? [];
      const hash = hashedBy === undefined || problems.length > 0 ? undefined : sourceHash(source.fields, hashedBy);
      return { ...source, key: keyOf(source), sourceHash: hash, isInWindow, map: mapRecord };

      async function mapRecord(): Promise<Mapped> {
        const mapped = rejectDoubtful(map(source), { source, problems, keyFields: sync.key.fields, keyOf });
        if (mapped.is === 'rejected') {
          last.rejectedAt = mapped.rejection.at;
          return mapped;
        }
        if (mapped.is === 'skipped') return { ...mapped, fields: source.fields };
        const isHashed = dependsOnSource(mapped) && !clock.wasRead();
        const kept = filter.ofRecord(mapped.warnings.map(place));
        return { ...mapped, warnings: kept, fields: source.fields, ...(isHashed ? { sourceHash: hash } : {}) };
      }
    }

    function toRead(rejection: Rejection): ReadRecord {
      const { at, key, fields = {} } = rejection;
      return { at, key, fields, isInWindow, map: () => ({ is: 'rejected', rejection }) };
    }
  }

  async function readSheets(): ReturnType<typeof withSheets> {
    const read = (sheet: SyncConfig, known: FeedValidators | undefined) =>
      readSource(sheet, target, { signal, localOnly, fieldsOnly: true, validators: known });
    const found = await withSheets(sync, target, { signal, store: sheets, read });
    warnings.push(...found.warnings);
    return found;
  }

  /** Loads the mapping only if records are mapped: its libraries take longer to load than most configs. */
  async function compiled(ofFeed: SyncConfig, now: () => number): Promise<Mapping> {
    const { compileSyncMapping } = await import('./compile-sync-mapping.ts');
    if (countsHtml) html ??= (await import('../mapping/html/count-html.ts')).countHtml();
    return compileSyncMapping(ofFeed, target, now, html?.add);
  }

  function receipt(): FeedReceipt {
    const transfer = reading.facts();
    const facts = documents.map(({ facts, last }) => ({
      ...facts,
      lastRejected: facts.endsItself ? undefined : last?.rejectedAt,
    }));
    const reason = incompleteReason({ ...transfer, gaps, documents: facts }, ignoreSigns);
    const { lastLineEnded, lastRejected } = facts.at(-1) ?? {};
    return {
      ...reading.receipt(),
      complete: reason === undefined,
      reason,
      files: documents.length > 1 ? documents.length : undefined,
      // What declares its total says itself whether it is whole.
      rows: facts.map(({ items = null, totals }) => (totals ? null : items)),
      isPaged: transfer.parts.length > documents.length || undefined,
      lastLineEnded,
      lastRejected,
    };
  }
}

interface DoubtfulRecord {
  source: SourceRecord;
  /** Those that concern the sync. */
  problems: readonly RecordProblem[];
  /** Paths of the fields that are the key. */
  keyFields: readonly string[];
  keyOf: (record: SourceRecord) => string | undefined;
}

/** Rejects a record that its connector doubts. A record that is skipped anyway stays skipped. */
function rejectDoubtful(mapped: Mapped, { source, problems, keyFields, keyOf }: DoubtfulRecord): Mapped {
  if (problems.length === 0 || mapped.is === 'skipped') return mapped;
  const { at, fields } = source;
  const reason = problems.map((problem) => problem.reason).join('; ');
  const named = problems.flatMap(({ field }) => field ?? []);
  const code = named.length > 0 ? 'FF_RECORD_VALUE' : 'FF_RECORD_MALFORMED';
  // A key with an error in it is that of no record.
  const hasKey = !keyFields.some((name) => named.includes(firstSegment(name)));
  return { is: 'rejected', rejection: { at, code, reason, key: hasKey ? keyOf(source) : undefined, fields } };
}

/** Gives the key of a rejection the prefix that the keys of records have. Connectors do not know it. */
function withPrefix(rejection: Rejection, prefix: string | undefined): Rejection {
  const { key } = rejection;
  return prefix === undefined || key === undefined ? rejection : { ...rejection, key: `${prefix}${key}` };
}

/** Whether the result of a mapping depends only on the source record, and has no warnings, which every run has to report. */
function dependsOnSource({ record, warnings, hold }: Extract<Mapped, { is: 'desired' }>): boolean {
  return record.attachments.length === 0 && record.password === undefined && warnings.length === 0 && !hold;
}

/** A clock that remembers whether it was read: a result that depends on the time may differ later. */
function watchClock() {
  let isRead = false;
  const now = () => {
    isRead = true;
    return Date.now();
  };
  const forget = () => {
    isRead = false;
  };
  return { now, wasRead: () => isRead, forget };
}
