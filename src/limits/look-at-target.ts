import type { TargetConfig } from '../config/types.ts';
import { sha256 } from '../core/hash.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { pauseReasons } from './circuit-breaker.ts';

/** Whether a target accepts requests, why not, and how many, as seen by all processes. */
export async function lookAtTarget(targetId: string, target: TargetConfig, { targets }: Pick<Ledger, 'targets'>) {
  const { stop, pause, pace: found } = await targets.look(targetId);
  const inFlightLimit = target.adaptsConcurrency ? Math.min(found?.limit ?? 1, target.concurrency) : target.concurrency;
  const limits = { inFlightLimit, requestsPerSecond: target.requestsPerSecond ?? found?.perSecond };
  // The target may accept other credentials.
  if (stop?.credentials === hashCredentials(target))
    return { state: 'stopped' as const, reason: stop.reason, ...limits };
  if (!pause) return { state: 'open' as const, ...limits };
  const until = new Date(Date.now() + pause.forMs).toISOString();
  return { state: 'paused' as const, until, reason: pauseReasons[pause.reason], ...limits };
}

/** Returns a name for the credentials that a target has refused. */
export function hashCredentials({ baseUrl, token }: TargetConfig): string {
  return sha256(`${baseUrl}\n${token}`).slice(0, 16);
}
