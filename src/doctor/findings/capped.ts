import { aborted } from 'node:util';
import { type Check, type Finding, problemOf } from './finding.ts';

/**
 * Yields the findings of a check until its time is up. An error of the check becomes a finding, so that other checks continue.
 * @param signal ends the check without a finding
 */
export async function* capped({ name, withinMs, find }: Check, signal: AbortSignal): AsyncGenerator<Finding> {
  const timeout = AbortSignal.timeout(withinMs);
  const limit = AbortSignal.any([signal, timeout]);
  const findings = find(limit);
  const over = aborted(limit, findings).then(() => 'over' as const);
  try {
    for (;;) {
      const next = await Promise.race([findings.next(), over]);
      if (next === 'over') break;
      if (next.done) return;
      yield next.value;
    }
  } catch (error) {
    if (!limit.aborted) {
      yield problemOf(name, error);
      return;
    }
  }
  // Lets the check close its resources, without waiting for the end.
  void findings.return?.().catch(() => {});
  if (!signal.aborted) yield overdue(name, withinMs);
}

function overdue(check: string, withinMs: number): Finding {
  return {
    check,
    is: 'problem',
    message: `No result within ${withinMs / 1000} s. The rest of this check is unknown.`,
    remedy: 'Find out why it does not respond, or try again later.',
  };
}
