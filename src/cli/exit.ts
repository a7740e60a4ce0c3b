import type { RunResult } from '../core/run.ts';

/** Exit codes of the command line; 130 and 143 are those of SIGINT and SIGTERM. */
export const EXIT = { success: 0, failed: 1, usage: 2, partial: 3, SIGINT: 130, SIGTERM: 143 } as const;

/** Returns the exit code of a command that ran syncs: the worst run decides. */
export function exitCodeOf(runs: readonly Pick<RunResult, 'status'>[]): number {
  if (runs.some((run) => run.status === 'failed')) return EXIT.failed;
  if (runs.some((run) => run.status === 'partial' || run.status === 'held')) return EXIT.partial;
  return EXIT.success;
}
