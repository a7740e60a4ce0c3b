import { readFile } from 'node:fs/promises';
import { extname, relative } from 'node:path';
import type { App } from '../../app/app.ts';
import { shownText } from '../../app/drafts/shown-text.ts';
import type { Config, SyncConfig } from '../../config/types.ts';
import { UNLISTED } from '../../core/record.ts';
import { readSources } from '../../source/read-sources.ts';
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
  const unlisted = row.lastRun ? await unlistedIn(row.lastRun.run, ledger) : [];
  return { ...row, config: file, source, scheduler, deeds, ...(unlisted.length > 0 && { unlisted }) };
}

/** Returns what a run has reported of codes that lookup tables lack. */
async function unlistedIn(run: string, { runs }: App['ledger']): Promise<string[]> {
  const { warnings } = await runs.report(run);
  return warnings.flatMap(({ message }) => (message.includes(UNLISTED) ? message : []));
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
