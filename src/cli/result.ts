import type { RunReport } from '../core/run.ts';

/** A run as the command line's contract prints it, and why it failed or is held. */
export function toRunResult({ run, sync, status, counts, complete, durationMs, error }: RunReport) {
  return { run, sync, status, counts, complete, durationMs, ...(error ? { error } : {}) };
}
