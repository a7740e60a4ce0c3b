import type { Logger } from 'pino';
import type { CodedError } from '../core/errors.ts';
import type { Clock } from '../core/runtime/clock.ts';
import type { TargetState } from '../ledger/target/target-state.ts';

/** A target that asks for a short pause now and then works properly. */
const BUSY_PAUSES = 3;
const LONG_PAUSE_MS = 60_000;

type Trouble = Pick<TargetState, 'pause' | 'stop'>;

/** Creates a log of a target's troubles: one line when a trouble begins and one when it ends, whatever happens between. */
export function createTroubleLog(log: Logger, { monotonic }: Pick<Clock, 'monotonic'>) {
  let logged: { is: 'paused' | 'stopped'; since: number } | undefined;
  return { begin, end };

  /** @param error of the request that caused the pause, if this process sent it */
  function begin({ pause, stop }: Trouble, error?: CodedError): void {
    const is = stop ? 'stopped' : 'paused';
    if (logged?.is === is || !isSerious({ pause, stop })) return;
    logged = { is, since: logged?.since ?? monotonic() };
    if (stop) {
      log.error({ code: stop.code }, `${stop.reason} No more requests are sent to the CMS until this is fixed.`);
    } else if (pause?.reason === 'busy') {
      log.warn('The CMS keeps asking for pauses. Requests wait until they are over.');
    } else {
      const cause = error ? `: ${error.message.replace(/\.$/, '')}` : '';
      log.warn({ code: error?.code }, `The CMS is in trouble${cause}. Requests are paused until it recovers.`);
    }
  }

  /** @param before the trouble that has ended, if another process may have logged it */
  function end(before: Trouble = {}): void {
    if (!logged && !isSerious(before)) return;
    const after = logged ? ` after ${Math.round((monotonic() - logged.since) / 1000)} s` : '';
    log.info(`The CMS has recovered${after}. Requests are sent again.`);
    logged = undefined;
  }
}

function isSerious({ pause, stop }: Trouble): boolean {
  if (stop || pause?.reason === 'unwell') return true;
  return pause !== undefined && (pause.count >= BUSY_PAUSES || pause.forMs >= LONG_PAUSE_MS);
}
