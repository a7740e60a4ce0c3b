import { aborted } from 'node:util';
import { type Check, type Finding, problemOf } from './finding.ts';

/**
 * Yields the findings of a check until its time is up. An error of the check becomes a finding, so that other checks continue.
 * @param signal ends the check without a finding
 */
export async function* capped({ name, asks, withinMs, find }: Check, signal: AbortSignal): AsyncGenerator<Finding> {
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
  if (!signal.aborted) yield overdue({ name, asks, withinMs });
}

function overdue({ name: check, asks, withinMs }: Omit<Check, 'find'>): Finding {
  return {
    check,
    is: 'problem',
    message: `No result from ${asks} within ${withinMs / 1000} s. The rest of this check is unknown.`,
    remedy: `Find out why ${asks} does not respond, or try again later.`,
  };
}
