import type { Environment } from '../app/environment.ts';
import { type Ledger, openLedger } from '../ledger/ledger.ts';

/** Opens the ledger alone for an action, then closes it. */
export async function withLedger<Result>(environment: Environment, action: (ledger: Ledger) => Promise<Result>) {
  const ledger = await openLedger(environment);
  try {
    return await action(ledger);
  } finally {
    await ledger.close();
  }
}
