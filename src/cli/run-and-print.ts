import type { RunReport } from '../core/run.ts';
import type { RunRequest } from '../sync/context/run-context.ts';
import type { CommandContext } from './command.ts';
import { exitCodeOf } from './exit.ts';
import { print, printJson } from './output/print.ts';
import { createProgressLine } from './output/progress.ts';
import { toRunResult } from './output/run-result.ts';
import { printRuns } from './output/run-tables.ts';

/** How a command prints its run; default: as `sync` does. */
interface RunPrinting {
  /** Printed if there was nothing to do. */
  nothing?: string;
  toJson?: (report: RunReport) => object;
  print?: (report: RunReport) => void;
}

/**
 * Performs a command's one run with a progress line and prints the result.
 * @returns the command's exit code
 */
export async function runAndPrint(
  { json, signal }: CommandContext,
  begin: (request: RunRequest) => Promise<RunReport | undefined>,
  { nothing = '', toJson = toRunResult, print: printReport = (report) => printRuns([report]) }: RunPrinting = {},
): Promise<number> {
  const progress = createProgressLine();
  const report = await begin({ signal, onProgress: progress.show }).finally(progress.clear);
  const runs = report ? [report] : [];
  if (json) printJson({ runs: runs.map(toJson) });
  else if (report) printReport(report);
  else print(nothing);
  return exitCodeOf(runs);
}
