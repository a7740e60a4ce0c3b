import type { Environment } from '../app/environment.ts';
import { loadUsableAppConfig } from '../app/load-config.ts';
import type { Config } from '../config/types.ts';
import { type Ledger, openLedger } from '../ledger/ledger.ts';
import { createLedgerQueries, type LedgerQueries } from '../queries/create-queries.ts';
import { warnOfBroken } from './select-sync.ts';

/** Opens the ledger alone for an action, then closes it. */
export async function withLedger<Result>(environment: Environment, action: (ledger: Ledger) => Promise<Result>) {
  const ledger = await openLedger(environment);
  try {
    return await action(ledger);
  } finally {
    await ledger.close();
  }
}

/**
 * Opens the ledger for the queries that need nothing else, then closes it. Mistakes in the files of syncs are only printed.
 * @param except syncs whose mistakes are not printed
 */
export function withQueries<Result>(
  environment: Environment,
  action: (queries: LedgerQueries, known: { config: Config; ledger: Ledger }) => Promise<Result>,
  except: readonly string[] = [],
): Promise<Result> {
  const config = loadUsableAppConfig(environment);
  warnOfBroken(config, except);
  return withLedger(environment, (ledger) =>
    action(
      createLedgerQueries(() => ({ config, ledger })),
      { config, ledger },
    ),
  );
}
