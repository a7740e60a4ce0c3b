import { aborted } from 'node:util';
import { type Check, type Finding, problemOf } from './finding.ts';

/**
 * What a check finds, until its time is up. An error of the check is a finding, too: it stops no other.
 * @param signal ends it without a finding
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
  // So that it closes what it has opened, whenever it comes to that; nobody waits for it.
  void findings.return?.().catch(() => {});
  if (!signal.aborted) yield overdue(name, withinMs);
}

function overdue(check: string, withinMs: number): Finding {
  return {
    check,
    is: 'problem',
    message: `It did not answer within ${withinMs / 1000} s; what was not found out until then is not known.`,
    remedy: 'See what keeps it from answering, or try again later.',
  };
}
