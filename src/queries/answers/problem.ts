import type { App } from '../../app/app.ts';
import { CodedError, type ErrorCode, errorTable } from '../../core/errors.ts';
import type { PastRun } from '../../ledger/runs/run-list.ts';
import type { ProblemView } from '../views/shared.ts';

/** @throws CodedError FF_RUN_UNKNOWN */
export async function findPastRun({ ledger }: Pick<App, 'ledger'>, id: string): Promise<PastRun> {
  const run = await ledger.runs.find(id);
  if (!run) throw new CodedError('FF_RUN_UNKNOWN', `The ledger has no run "${id}".`);
  return run;
}

/** Adds to an error what to do about it. */
export function toProblem({
  code,
  ...error
}: { code: string } & ({ message: string } | { reason: string })): ProblemView {
  const message = 'message' in error ? error.message : error.reason;
  return { code, message, remedy: errorTable[code as ErrorCode].remedy };
}
