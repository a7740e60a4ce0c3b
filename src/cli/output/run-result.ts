import type { Logger } from 'pino';
import type { SyncConfig } from '../../config/types.ts';
import { CodedError, type ErrorCode } from '../../core/errors.ts';
import { type RunReport, zeroCounts } from '../../core/run.ts';

/** A run as the command line's contract prints it, and why it failed or is held. */
export function toRunResult({ run, sync, status, counts, complete, durationMs, error }: RunReport) {
  return { run, sync, status, counts, complete, durationMs, ...(error ? { error } : {}) };
}

/** Tells the end of a run that nobody waits for. */
export function logRun(report: RunReport, log: Logger): void {
  log[report.status === 'success' ? 'info' : 'warn'](toRunResult(report), `${report.sync}: ${report.status}`);
}

const REFUSALS: ErrorCode[] = ['FF_RUN_BUSY', 'FF_RUN_INTERRUPTED'];

/** A run that could not begin since something else is under way is told as a failed one, not thrown. */
export async function unlessRefused<Report extends RunReport | undefined>(
  { name }: SyncConfig,
  begin: () => Promise<Report>,
): Promise<Report | RunReport> {
  try {
    return await begin();
  } catch (error) {
    if (error instanceof CodedError && REFUSALS.includes(error.code)) return refusedRun(name, error);
    throw error;
  }
}

/** Tells like a run that there was none. */
function refusedRun(sync: string, { code, message, remedy }: CodedError): RunReport {
  return {
    run: '',
    sync,
    status: 'failed',
    counts: zeroCounts(),
    complete: false,
    durationMs: 0,
    rejections: [],
    problems: [],
    warnings: [],
    error: { code, message, remedy },
  };
}
