import type { CodedError } from '../core/errors.ts';
import { type RunReport, zeroCounts } from '../core/run.ts';

/** A run as the command line's contract prints it, and why it failed or is held. */
export function toRunResult({ run, sync, status, counts, complete, durationMs, error }: RunReport) {
  return { run, sync, status, counts, complete, durationMs, ...(error ? { error } : {}) };
}

/** Tells like a run that there was none. */
export function refusedRun(sync: string, { code, message, remedy }: CodedError): RunReport {
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
