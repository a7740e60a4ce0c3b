import { repeatAfterPauses, retryDelay } from '../core/retry.ts';
import type { Clock } from '../core/runtime/clock.ts';
import { CmsError } from './errors.ts';

/** Pauses of a call itself. Longer ones are left to the caller, which can do other work meanwhile. */
const PAUSES = { backoffMs: 200, maxBackoffMs: 2_000 };

/**
 * Repeats an attempt to send a request if that is safe and may help. Throws the last error. If an earlier attempt may have been
 * applied, the error says so: a repeat that is refused, or does not leave the gate, does not take back what that attempt has done.
 */
export async function retryCall<Result>(
  attempt: () => Promise<Result>,
  rules: { method: string; retries: number; clock: Clock; signal?: AbortSignal },
): Promise<Result> {
  let doubtful: CmsError | undefined;
  const noted = () =>
    attempt().catch((error: unknown) => {
      if (error instanceof CmsError && error.mayBeApplied) doubtful = error;
      throw error;
    });
  try {
    return await repeatAfterPauses(noted, (error, attempts) => pauseBefore(error, attempts, rules), rules);
  } catch (error) {
    if (!doubtful) throw error;
    if (!(error instanceof CmsError)) throw doubtful;
    error.mayBeApplied = true;
    throw error;
  }
}

/**
 * Returns how long to wait before a request is repeated, in ms; undefined if it must not be repeated. GET, PUT, PATCH and
 * DELETE have the same effect once or twice (RFC 9110, 9.2.2; a PATCH here sets values). A POST is repeated only if it never
 * left this machine.
 */
export function pauseBefore(
  error: Error,
  attempts: number,
  { method, clock }: { method: string; clock: Pick<Clock, 'random'> },
): number | undefined {
  if (!(error instanceof CmsError) || error.kind !== 'retryable' || error.code === 'FF_CMS_ABORTED') return undefined;
  if (method === 'POST' && error.code !== 'FF_CMS_UNREACHABLE') return undefined;
  if ((error.retryAfterMs ?? 0) > PAUSES.maxBackoffMs) return undefined;
  return retryDelay(attempts, PAUSES, clock, error.retryAfterMs);
}
