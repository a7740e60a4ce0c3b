import { type ErrorCode, errorTable } from '../../core/errors.ts';
import type { Acknowledged } from '../../ledger/acknowledgements/acknowledgements.ts';
import type { AcknowledgedView, ProblemView } from '../views/shared.ts';

/** Adds the remedy to an error. */
export function toProblem({
  code,
  ...error
}: { code: string } & ({ message: string } | { reason: string })): ProblemView {
  const message = 'message' in error ? error.message : error.reason;
  return { code, message, remedy: errorTable[code as ErrorCode].remedy };
}

/** Returns what pages and JSON show of an acknowledgement. */
export function toAcknowledged({ kind, by, at, note }: Acknowledged): AcknowledgedView {
  return { kind, by, at, note };
}
