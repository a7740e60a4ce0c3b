import type { Environment } from '../app/environment.ts';
import { loadUsableAppConfig } from '../app/load-config.ts';
import { describeProblem } from '../config/files/problems.ts';
import { syncNamed } from '../config/select.ts';
import type { Config, SyncConfig } from '../config/types.ts';
import { print } from './output/print.ts';

/**
 * Selects a sync. Mistakes in the files of other syncs are only printed.
 * @throws ConfigError if feedferry.yaml or the file of this sync has mistakes; CodedError FF_SYNC_UNKNOWN
 */
export function selectSync(name: string, environment: Environment): { config: Config; sync: SyncConfig } {
  const config = loadUsableAppConfig(environment);
  const sync = syncNamed(name, config);
  warnOfBroken(config);
  return { config, sync };
}

/** Prints the mistakes of the sync files that a command does not need, except those of the named syncs. */
export function warnOfBroken({ broken }: Config, except: readonly string[] = []): void {
  for (const { name, problems } of broken) {
    if (except.includes(name)) continue;
    print(`Warning: the file of the sync "${name}" has mistakes, so it cannot run:`, process.stderr);
    for (const problem of problems) print(`  ${describeProblem(problem)}`, process.stderr);
  }
}
