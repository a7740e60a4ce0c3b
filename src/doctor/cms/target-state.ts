import type { TargetState as LedgerState } from '../../ledger/target/target-state.ts';
import { type Finding, ok } from '../findings/finding.ts';

type TargetState = Pick<LedgerState, 'epoch' | 'stop' | 'pause' | 'pace'>;

/**
 * Reports whether feedferry sends requests to the CMS at present, according to the ledger.
 * @param after the state after the check; its `pace` is reported, if there is one
 */
export function targetFinding(before: TargetState, after: TargetState): Finding {
  const check = 'cms.state';
  const was = describe(before);
  const is = describe(after);
  if (!is && !was) return ok(check, `Requests are sent: the CMS is neither paused nor stopped.${paceOf(after)}`);
  if (!is) return ok(check, `The CMS was ${was}. It has responded to doctor, so requests are sent again.`);
  return {
    check,
    is: after.stop ? 'problem' : 'warning',
    message: `The CMS is ${is}.`,
    follows: 'Records to be delivered wait in the ledger.',
    remedy: after.stop
      ? 'Fix what the CMS complains about. The next run or `feedferry doctor` ends the stop when a token is accepted.'
      : 'Wait. The pause ends by itself, or when the CMS responds to `feedferry doctor`.',
    code: after.stop?.code,
  };
}

function paceOf({ pace }: TargetState): string {
  if (!pace) return '';
  const rate = pace.perSecond === undefined ? '' : ` and ${Number(pace.perSecond.toPrecision(2))} a second`;
  return ` \`concurrency: auto\` found that it takes requests at this pace: ${pace.limit} in flight${rate}.`;
}

function describe({ stop, pause }: TargetState): string | undefined {
  if (stop) return `stopped for all processes with the rejected token (${stop.code} ${stop.reason})`;
  if (!pause) return undefined;
  const why = pause.reason === 'busy' ? 'it asked for a pause' : 'it did not respond properly';
  return pause.forMs > 0
    ? `paused for another ${Math.ceil(pause.forMs / 1000)} s, because ${why}`
    : `paused until it responds, because ${why}`;
}
