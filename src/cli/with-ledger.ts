import type { Environment } from '../app/environment.ts';
import { CodedError } from '../core/errors.ts';
import { type Ledger, openLedger } from '../ledger/ledger.ts';
import type { PastRun } from '../ledger/runs/run-list.ts';

/** @throws CodedError FF_RUN_UNKNOWN */
export async function findRun(id: string, ledger: Ledger): Promise<PastRun> {
  const run = await ledger.runs.find(id);
  if (!run) throw new CodedError('FF_RUN_UNKNOWN', `The ledger has no run "${id}".`);
  return run;
}

/** Opens the ledger alone for an action, then closes it. */
export async function withLedger<Result>(environment: Environment, action: (ledger: Ledger) => Promise<Result>) {
  const ledger = await openLedger(environment);
  try {
    return await action(ledger);
  } finally {
    await ledger.close();
  }
}
