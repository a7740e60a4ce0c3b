import { type ErrorCode, errorTable } from '../../core/errors.ts';
import type { ProblemView } from '../views/shared.ts';

/** Adds the remedy to an error. */
export function toProblem({
  code,
  ...error
}: { code: string } & ({ message: string } | { reason: string })): ProblemView {
  const message = 'message' in error ? error.message : error.reason;
  return { code, message, remedy: errorTable[code as ErrorCode].remedy };
}
