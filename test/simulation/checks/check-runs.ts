import { CodedError } from '../../../src/core/errors.ts';
import { countUndone } from '../../../src/core/run.ts';
import type { Ended } from '../crew.ts';
import type { Database } from '../world/database.ts';
import type { Finding } from './finding.ts';

/** Errors that a command may end with while processes compete and the ledger is locked. */
const EXPECTED = new Set([
  'FF_RUN_BUSY',
  'FF_LEDGER_UNAVAILABLE',
  'FF_APPROVE_NOT_HELD',
  'FF_APPROVE_STALE',
  'FF_UNDO_NOTHING',
]);

/** Whether all runs have ended, with counts that balance, and left nothing behind. */
export function checkRuns({ db }: Database, ended: readonly Ended[]): Finding[] {
  const findings: Finding[] = [];
  for (const { command, report, error } of ended) {
    if (report && countUndone(report.counts) !== 0) {
      findings.push({
        is: 'broken',
        what: `the counts of ${command} do not balance: ${JSON.stringify(report.counts)}`,
      });
    }
    if (report?.error?.code === 'FF_BUG') findings.push({ is: 'broken', what: `${command}: ${report.error.message}` });
    if (error && !(error instanceof CodedError && EXPECTED.has(error.code))) {
      findings.push({ is: 'broken', what: `${command} failed: ${error instanceof Error ? error.stack : error}` });
    }
  }
  const left = (sql: string) => Number(db.prepare(sql).get()?.rows);
  const running = left("select count(*) as rows from runs where status = 'running'");
  if (running > 0) findings.push({ is: 'unsettled', what: `${running} runs never ended` });
  // After a success, nothing may be held or failed, except what the source no longer has.
  const undelivered = left(
    "select count(*) as rows from records where status in ('pending', 'held', 'failed') and not_retried = 0",
  );
  if (undelivered > 0) findings.push({ is: 'unsettled', what: `${undelivered} records are not delivered` });
  const claimed = left('select count(*) as rows from records where claim_until > ledger_now()');
  if (claimed > 0) findings.push({ is: 'unsettled', what: `${claimed} records are claimed` });
  return findings;
}
