import { readFile } from 'node:fs/promises';
import { extname, relative } from 'node:path';
import type { App } from '../../app/app.ts';
import { shownText } from '../../app/drafts/shown-text.ts';
import type { Config, SyncConfig } from '../../config/types.ts';
import { CodedError, toCodedError } from '../../core/errors.ts';
import { toText } from '../../core/record.ts';
import { readSource } from '../../source/read-source.ts';
import { readSources } from '../../source/read-sources.ts';
import { redactionOf } from '../../sync/plan/redact.ts';
import { type ConfiguredSync, configuredSync } from '../answers/configured-sync.ts';
import type { SyncDetailView } from '../views/sync.ts';
import { rowsOf, schedulerOf } from './overview.ts';

/** Number of entries of the history that are shown. */
const DEEDS = 20;

/** Returns all data of a sync that its page shows at once. */
export async function syncDetailOf(
  name: string,
  { config, ledger }: Pick<App, 'config' | 'ledger'>,
): Promise<SyncDetailView> {
  const known = configuredSync(name, config);
  const [rows, file, deeds, scheduler] = await Promise.all([
    rowsOf([known], config, ledger),
    configOf(known, config),
    ledger.history.deeds({ sync: name }, DEEDS),
    schedulerOf(ledger),
  ]);
  const [row] = rows as [SyncDetailView];
  const source = sourceOf(known, config);
  return { ...row, config: file, source, scheduler, deeds };
}

async function configOf({ name, file }: ConfiguredSync, { dir, broken }: Config): Promise<SyncDetailView['config']> {
  const path = file ?? broken.find((sync) => sync.name === name)?.problems[0]?.file;
  const text = path === undefined ? undefined : await readConfigText(path);
  return path === undefined || text === undefined ? undefined : { file: relative(dir, path), text };
}

/** Returns the address of the feed, or of all feeds, without reading them: the receipt has the address before the reading begins. */
function sourceOf(sync: ConfiguredSync, { target }: Config): string | undefined {
  if (sync.source === undefined) return undefined;
  return readSources(sync as SyncConfig, target, { signal: new AbortController().signal }).receipt().location;
}

/**
 * Reads the text of a sync file, without the values of environment variables and without secrets in the text: credentials and
 * queries in addresses, headers, and keys that are named like secrets.
 * @returns undefined for a TypeScript file, and for a file that cannot be read
 */
export async function readConfigText(file: string): Promise<string | undefined> {
  if (!/^\.ya?ml$/.test(extname(file))) return undefined;
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : shownText(text);
}

/** Number of records that are read: later records rarely have new fields. */
const MOST_READ = 10_000;
const LONGEST_MS = 20_000;
const LONGEST_EXAMPLE = 160;

/** Fields of the feed that have values but are not used by the sync. */
export interface UnmappedView {
  fields: Array<{ field: string; example: string }>;
  /** Why the feed could not be read. */
  error?: { code: string; message: string };
}

/** Reads the feed of a sync and returns the fields that have values but are not used. */
export async function unmappedFields(sync: SyncConfig, { target }: Config, signal: AbortSignal): Promise<UnmappedView> {
  try {
    const unmapped = await readUnmapped(sync, target, AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]));
    const { fields: redact } = redactionOf(sync);
    const fields = [...unmapped].map(([field, value]) => {
      return { field, example: shorten(toText(redact({ [field]: value })[field])) };
    });
    return { fields };
  } catch (error) {
    signal.throwIfAborted();
    const { code, message } = toCodedError(error);
    return { fields: [], error: { code, message } };
  }
}

async function readUnmapped(sync: SyncConfig, target: Config['target'], signal: AbortSignal) {
  const unmapped = new Map<string, unknown>();
  for (const one of sync.sources?.map((source) => source.sync) ?? [sync]) {
    for (const [field, value] of await readUnmappedOf(one, target, signal)) unmapped.set(field, value);
  }
  return unmapped;
}

async function readUnmappedOf(sync: SyncConfig, target: Config['target'], signal: AbortSignal) {
  if (sync.source.url === '-') {
    throw new CodedError('FF_FEED_UNREADABLE', 'The sync reads standard input, which only a command has.');
  }
  const reading = readSource(sync, target, { signal, fieldsOnly: true });
  let left = MOST_READ;
  for await (const _ of reading.unmappedRecords) {
    left -= 1;
    if (left === 0) break;
  }
  return reading.unmapped;
}

function shorten(text: string): string {
  return text.length > LONGEST_EXAMPLE ? `${text.slice(0, LONGEST_EXAMPLE - 1)}…` : text;
}
