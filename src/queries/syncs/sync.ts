import { relative } from 'node:path';
import type { App } from '../../app/app.ts';
import type { Config, SyncConfig } from '../../config/types.ts';
import { readSource } from '../../source/read-source.ts';
import type { KnownSync } from '../answers/known-sync.ts';
import { knownSync } from '../answers/known-sync.ts';
import type { SyncDetailView } from '../views/sync.ts';
import { readConfigText } from './config-text.ts';
import { rowsOf } from './overview.ts';

/** How many of the last ones are shown. */
const DEEDS = 20;

/** Returns all that a page about a sync shows at once. */
export async function syncDetailOf(
  name: string,
  { config, ledger }: Pick<App, 'config' | 'ledger'>,
): Promise<SyncDetailView> {
  const known = knownSync(name, config);
  const [rows, file, deeds] = await Promise.all([
    rowsOf([known], config, ledger),
    configOf(known, config),
    ledger.history.deedsOf(name, DEEDS),
  ]);
  const [row] = rows as [SyncDetailView];
  const source = sourceOf(known, config);
  return { ...row, ...(file && { config: file }), ...(source !== undefined && { source }), deeds };
}

async function configOf({ name, file }: KnownSync, { dir, broken }: Config): Promise<SyncDetailView['config']> {
  const path = file ?? broken.find((sync) => sync.name === name)?.problems[0]?.file;
  const text = path === undefined ? undefined : await readConfigText(path);
  return path === undefined || text === undefined ? undefined : { file: relative(dir, path), text };
}

/** Nothing is read: the receipt of a reading that has not begun has the address. */
function sourceOf(sync: KnownSync, { target }: Config): string | undefined {
  if (sync.source === undefined) return undefined;
  return readSource(sync as SyncConfig, target, { signal: new AbortController().signal }).receipt().location;
}
