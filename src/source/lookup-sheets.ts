import type { SyncConfig, TargetConfig } from '../config/types.ts';
import { signNames } from '../core/completeness.ts';
import { siteTime } from '../core/dates/site-time.ts';
import { CodedError, toCodedError } from '../core/errors.ts';
import { hashJson } from '../core/hash.ts';
import type { Warning } from '../core/record.ts';
import type { FeedValidators, SourceReading } from '../core/source-reading.ts';
import { connectorOf } from './connector-of.ts';

/** A lookup table as it was read last. */
export interface KeptSheet {
  table: Readonly<Record<string, string>>;
  validators: FeedValidators;
  /** In ms since 1970. */
  readAt: number;
}

/** Keeps the last good copy of each lookup table that is a sheet, by its location. */
export interface SheetStore {
  find(location: string): KeptSheet | undefined;
  keep(location: string, sheet: KeptSheet): void;
}

interface SheetOptions {
  signal: AbortSignal;
  store: SheetStore | undefined;
  /** Reads the fields of a feed. */
  read(sheet: SyncConfig, validators: FeedValidators | undefined): SourceReading;
}

/** Returns the locations of the lookup tables that are sheets, each with the first attribute that needs it. */
export function sheetsOf({ map = {} }: Pick<SyncConfig, 'map'>): Map<string, string> {
  const named = Object.entries(map).flatMap(
    ([attribute, { lookup }]): Array<[string, string]> => (typeof lookup === 'string' ? [[lookup, attribute]] : []),
  );
  return new Map(named.toReversed());
}

/**
 * Reads the lookup tables of a sync that are sheets, under the limits of its feed. If one cannot be read, its last good copy counts.
 * @returns the sync with these tables, their hash, and warnings about old copies
 * @throws CodedError if a table cannot be read, and there is no copy
 */
export async function withSheets(
  sync: SyncConfig,
  target: TargetConfig,
  { signal, store, read }: SheetOptions,
): Promise<{ sync: SyncConfig; hash?: string; warnings: Warning[] }> {
  const tables = new Map<string, KeptSheet['table']>();
  const warnings: Warning[] = [];
  for (const [location, attribute] of sheetsOf(sync)) {
    const kept = store?.find(location);
    try {
      const { table, validators } = await readSheet(read(sheetSync(location, sync), kept?.validators), kept);
      tables.set(location, table);
      store?.keep(location, { table, validators, readAt: Date.now() });
    } catch (error) {
      signal.throwIfAborted();
      const { code, message } = toCodedError(error);
      if (code === 'FF_BUG') throw error;
      const reason = `The lookup table of ${attribute} cannot be read: ${message}`;
      if (!kept) throw new CodedError(code, reason, { cause: error });
      tables.set(location, kept.table);
      const since = siteTime(kept.readAt, target.timezone);
      warnings.push({ at: 'lookup', message: `${reason} Its values of ${since} are used.` });
    }
  }
  if (tables.size === 0) return { sync, warnings };
  const rules = Object.entries(sync.map ?? {}).map(([attribute, rule]) => {
    const table = typeof rule.lookup === 'string' ? tables.get(rule.lookup) : undefined;
    return [attribute, table ? { ...rule, lookup: { ...table } } : rule];
  });
  return { sync: { ...sync, map: Object.fromEntries(rules) }, hash: hashJson(Object.fromEntries(tables)), warnings };
}

/** Returns a sync that reads a sheet as a CSV feed, under the limits of the feed. */
function sheetSync(url: string, { name, file, source }: SyncConfig): SyncConfig {
  const { allowPrivateNetwork, maxBytes } = source.feed;
  const sheet: SyncConfig = {
    ...{ name, file, resource: 'events', key: { fields: [], normalize: [] }, attachments: {} },
    ...{ missing: { policy: 'keep' }, onAttachmentError: 'publish', onDeletedInCms: 'leave' },
    source: {
      connector: 'csv',
      url,
      feed: { allowPrivateNetwork, maxBytes },
      options: {},
      ignoreSigns: [...signNames],
    },
  };
  return { ...sheet, source: { ...sheet.source, options: connectorOf(sheet).options.parse({}) } };
}

/** The first two columns are code and value. */
async function readSheet(
  reading: SourceReading,
  kept: KeptSheet | undefined,
): Promise<Pick<KeptSheet, 'table' | 'validators'>> {
  if ((await reading.open()) === 'unmodified' && kept) return kept;
  const table = new Map<string, string>();
  for await (const { at, fields } of reading.unmappedRecords) {
    const [code, value] = Object.values(fields).map((each) => String(each ?? '').trim());
    if (code === undefined || code === '') continue;
    if (value === undefined) throw unfit(`${at}: it needs two columns, code and value.`);
    if (table.has(code)) throw unfit(`${at}: the code "${code}" appears twice.`);
    table.set(code, value);
  }
  const { complete, reason, etag, lastModified, sha256 } = reading.receipt();
  if (!complete) throw unfit(`${reason ?? 'it is incomplete'}.`);
  if (table.size === 0) throw unfit('it has no rows.');
  return { table: Object.fromEntries(table), validators: { etag, lastModified, sha256 } };
}

function unfit(message: string): CodedError {
  return new CodedError('FF_RECORD_LOOKUP', message);
}
