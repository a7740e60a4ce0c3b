import type { DayRange } from '../../core/dates/iso-date.ts';
import { CodedError, toCodedError } from '../../core/errors.ts';
import type { RunReport } from '../../core/run.ts';
import { withRest } from '../../core/run.ts';
import type { OpenBackfill } from '../../ledger/backfills/backfills.ts';
import type { RunContext } from '../context/run-context.ts';
import { readWork } from './read-work.ts';
import { workOff } from './run-slices.ts';

const HEARTBEAT_MS = 8_000;

/** Which days to carry over, and whether what is not finished is given up for it. */
export interface BackfillOptions extends DayRange {
  restart?: boolean;
}

/**
 * Carries what the feed has of some days over: reads it once into a list of work in the ledger, and works that off in slices,
 * each a small run of its own, so that other runs of the sync get their turns. Ended at any moment, it goes on where it stood
 * when it is called again. It proves nothing missing. What goes wrong is in the report, not thrown.
 * @throws CodedError FF_BACKFILL_OPEN where one of other days is not finished, FF_RUN_BUSY while another process is at it
 */
export async function backfillSync(options: BackfillOptions, context: RunContext): Promise<RunReport> {
  const backfill = await openBackfill(options, context);
  context.onBegin?.(backfill.run);
  const clock = keepTime(backfill, context);
  let stop: unknown;
  try {
    await carryOut(backfill, context);
  } catch (error) {
    stop = error;
  }
  await clock.end();
  if (stop !== undefined) return tellStop(backfill, stop, context);
  if (backfill.total !== undefined) await context.ledger.backfills.finish(backfill);
  return { ...(await context.ledger.runs.report(backfill.run)), durationMs: backfill.workedMs };
}

async function carryOut(backfill: OpenBackfill, context: RunContext): Promise<void> {
  if (backfill.total === undefined) await readWork(backfill, context);
  if (backfill.total !== undefined) await workOff(backfill, context);
}

/** The one that is not finished, where it is the one that is wanted; else a new one. */
async function openBackfill({ restart = false, ...days }: BackfillOptions, context: RunContext): Promise<OpenBackfill> {
  const { backfills } = context.ledger;
  const name = context.sync.name;
  const open = await backfills.find(name);
  if (!open) return backfills.begin(name, days);
  const isWanted = days.from === undefined && days.to === undefined ? true : isSame(days, open);
  if (!restart && !isWanted) throw await otherDays(open, context);
  await backfills.takeOver(open);
  if (!restart && open.total !== undefined) return open;
  const message = restart
    ? 'The backfill was discarded for another one.'
    : 'The backfill was interrupted while it read the feed.';
  await backfills.finish(open, { status: 'failed', code: 'FF_RUN_INTERRUPTED', message });
  return backfills.begin(name, restart ? days : open);
}

function isSame(one: DayRange, other: DayRange): boolean {
  return one.from === other.from && one.to === other.to;
}

async function otherDays(open: OpenBackfill, { ledger }: RunContext): Promise<CodedError> {
  const { sync, from = 'the beginning', to = 'the end', total = 0 } = open;
  const left = await ledger.backfills.countLeft(open);
  const message = `A backfill of "${sync}" from ${from} to ${to} is unfinished: ${total - left} of ${total} records are done.`;
  return new CodedError('FF_BACKFILL_OPEN', message);
}

/** Says again and again that this process is at it, and for how long. */
function keepTime(backfill: OpenBackfill, { ledger, log }: RunContext): { end(): Promise<void> } {
  let since = performance.now();
  const timer = setInterval(() => {
    note().catch((error: unknown) => log.warn({ run: backfill.run, err: error }, 'A heartbeat could not be written.'));
  }, HEARTBEAT_MS);
  return {
    async end() {
      clearInterval(timer);
      await note();
    },
  };

  function note(): Promise<void> {
    const workedMs = performance.now() - since;
    since += workedMs;
    backfill.workedMs += Math.round(workedMs);
    return ledger.backfills.renew(backfill, workedMs);
  }
}

/** It went no further, and stays unfinished. */
async function tellStop(backfill: OpenBackfill, stop: unknown, context: RunContext): Promise<RunReport> {
  const { ledger, signal, stopWork } = context;
  if (signal.aborted) await stopWork();
  const { code, message, remedy } = await reasonOf(stop, backfill, context);
  await ledger.backfills.putDown(backfill);
  const report = await ledger.runs.report(backfill.run);
  const counts = withRest(report.counts, 'failed');
  return { ...report, status: 'failed', counts, durationMs: backfill.workedMs, error: { code, message, remedy } };
}

async function reasonOf(stop: unknown, backfill: OpenBackfill, context: RunContext): Promise<CodedError> {
  const { signal, log, ledger } = context;
  const coded = toCodedError(stop);
  if (coded.code === 'FF_BUG' && !signal.aborted)
    log.error({ err: stop }, 'A backfill stopped with an unexpected error.');
  const left = await ledger.backfills.countLeft(backfill);
  const { sync, total = 0 } = backfill;
  const goOn = `${total - left} of ${total} records are done. To continue: \`feedferry backfill ${sync}\`.`;
  return signal.aborted
    ? new CodedError('FF_RUN_INTERRUPTED', `The backfill was interrupted by a signal. ${goOn}`)
    : new CodedError(coded.code, `${coded.message} ${goOn}`, { cause: stop });
}
