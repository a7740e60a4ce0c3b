import type { Logger } from 'pino';
import type { SyncConfig } from '../../config/types.ts';
import { siteTime } from '../../core/dates/site-time.ts';
import { CodedError, type ErrorCode } from '../../core/errors.ts';
import { describeCounts, type RunReport, type UndeliveredFileReport, zeroCounts } from '../../core/run.ts';

/**
 * Returns a run as the `--json` output shows it, with the reason if the run failed or is held, its warnings, and the files that are
 * undelivered.
 */
export function toRunResult(report: RunReport) {
  const { run, sync, status, counts, complete, durationMs, withoutFiles, undeliveredFiles, error, warnings } = report;
  const warned = warnings.length > 0 ? { warnings } : {};
  return { run, sync, status, counts, complete, durationMs, withoutFiles, undeliveredFiles, error, ...warned };
}

/** Logs the end of a run in one line. Used for runs that no command waits for. */
export function logRun(report: RunReport, log: Logger): void {
  log[report.status === 'success' ? 'info' : 'warn'](toRunResult(report), describeRun(report));
}

/** Describes a run: "talks: partial: 5 read, 3 created, 2 failed in 1.2 s; T1: FF_CMS_UNPROCESSABLE title: is too long". */
function describeRun({
  sync,
  status,
  counts,
  withoutFiles = 0,
  durationMs,
  error,
  problems: [problem],
}: RunReport): string {
  const done = `${describeCounts({ ...counts, withoutFiles }) || '0 records'} in ${(durationMs / 1000).toFixed(1)} s`;
  const reason = error ? `${error.code} ${error.message}` : problem && problemLine(problem);
  return [`${sync}: ${status}: ${done}`, reason]
    .filter(Boolean)
    .join('; ')
    .replaceAll(/\s*\n\s*/g, ' ');
}

/** Describes a record that failed or is held, with the reason. */
export function problemLine({ key, code, reason }: RunReport['problems'][number]): string {
  return `${key}: ${code} ${reason}`;
}

/** Describes a file that was not delivered, with the reason, and when it is tried again. */
export function fileLine(
  { attribute, code, reason, tries, retryAt, keepsEarlier }: Omit<UndeliveredFileReport, 'key'>,
  timezone?: string,
): string {
  const kept = keepsEarlier ? ' The CMS keeps the earlier file.' : '';
  const next = retryAt && timezone ? ` Next try: ${siteTime(retryAt, timezone)}.` : ' The next run tries again.';
  return `${attribute}: ${code} ${reason}${kept}${timezone ? `${next}${tries > 1 ? ` Tries: ${tries}.` : ''}` : ''}`;
}

const REFUSALS: ErrorCode[] = ['FF_RUN_BUSY', 'FF_RUN_INTERRUPTED', 'FF_SYNC_PAUSED'];

/** Returns a failed run, instead of throwing, if the run could not begin, for example because another one is in progress. */
export async function unlessRefused<Report extends RunReport | undefined>(
  { name }: SyncConfig,
  run: Promise<Report>,
): Promise<Report | RunReport> {
  try {
    return await run;
  } catch (error) {
    if (!(error instanceof CodedError && REFUSALS.includes(error.code))) throw error;
    return toRefused(name, error);
  }
}

/** Returns the report of a failed run for a run that could not begin. */
export function toRefused(sync: string, { code, message, remedy }: CodedError): RunReport {
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
