import type { TargetState as LedgerState } from '../../ledger/target/target-state.ts';
import type { Finding } from '../findings/finding.ts';

type TargetState = Pick<LedgerState, 'epoch' | 'stop' | 'pause'>;

/** Whether feedferry sends anything to the CMS at present, by what the ledger knows. */
export function targetFinding(before: TargetState, after: TargetState): Finding {
  const check = 'cms.state';
  const was = describe(before);
  const is = describe(after);
  if (!is && !was) return { check, is: 'ok', message: 'Requests flow: the CMS is neither paused nor stopped.' };
  if (!is) {
    const message = `The CMS was ${was}. It has answered doctor, which ends that: requests flow again.`;
    return { check, is: 'ok', message };
  }
  return {
    check,
    is: after.stop ? 'problem' : 'warning',
    message: `The CMS is ${is}.`,
    follows: 'What is to be delivered waits in the ledger.',
    remedy: after.stop
      ? 'Mend what the CMS complains of. The next run, or `feedferry doctor`, ends the stop once a token is accepted.'
      : 'Wait. It ends by itself, or when `feedferry doctor` finds that the CMS answers.',
    ...(after.stop ? { code: after.stop.code } : {}),
  };
}

function describe({ stop, pause }: TargetState): string | undefined {
  if (stop) return `stopped for all processes that have the token which it refused (${stop.code} ${stop.reason})`;
  if (!pause) return undefined;
  const why = pause.reason === 'busy' ? 'it asked for that' : 'it did not answer as it should';
  return pause.forMs > 0
    ? `paused for another ${Math.ceil(pause.forMs / 1000)} s, since ${why}`
    : `paused until it is seen to answer, since ${why}`;
}
