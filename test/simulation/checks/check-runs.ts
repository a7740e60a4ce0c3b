import { CodedError } from '../../../src/core/errors.ts';
import { countUndone } from '../../../src/core/run.ts';
import type { Ended } from '../crew.ts';
import type { Happening } from '../plan/happenings.ts';
import type { Settings } from '../plan/settings.ts';
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

interface EndedSite {
  database: Database;
  settings: Settings;
  changes: { onDeletedInCms: boolean };
  disasters: ReadonlySet<string>;
}

/** Whether all runs have ended, with counts that balance, and left nothing behind. */
export function checkRuns(site: EndedSite, ended: readonly Ended[], happenings: readonly Happening[]): Finding[] {
  return [...ended.flatMap((each) => checkCommand(each, happenings)), ...checkLedger(site)];
}

function checkCommand({ command, report, error }: Ended, happenings: readonly Happening[]): Finding[] {
  const broken = (what: string): Finding[] => [{ is: 'broken', what: `${command}: ${what}` }];
  if (error && !(error instanceof CodedError && EXPECTED.has(error.code))) {
    return broken(`${error instanceof Error ? error.stack : error}`);
  }
  if (!report) return [];
  const { counts, status, error: reason } = report;
  if (countUndone(counts) !== 0) return broken(`its counts do not balance: ${JSON.stringify(counts)}`);
  if (reason?.code === 'FF_BUG') return broken(reason.message);
  const isOutOfTime = happenings.some(({ what }) => what === 'stop' || what === 'clock');
  if (reason?.code === 'FF_RUN_ABANDONED' && !isOutOfTime) return broken('another process ended its run');
  const wasUndone = happenings.some(({ what }) => what === 'undo');
  if (command === 'sync' && counts.read === 0 && !wasUndone && (status === 'success' || status === 'partial')) {
    return broken(`a source without records was a ${status}`);
  }
  return [];
}

function checkLedger({ database: { db, hasUndone }, settings, changes, disasters }: EndedSite): Finding[] {
  const findings: Finding[] = [];
  const none = (is: Finding['is'], what: string, rows: string) => {
    const found = Number(db.prepare(`select count(*) as rows from ${rows}`).get()?.rows);
    if (found > 0) findings.push({ is, what: `${found} ${what}` });
  };
  none('unsettled', 'runs never ended', "runs where status = 'running'");
  // After a success, nothing may be held or failed, except what the source no longer has.
  none(
    'unsettled',
    'records are not delivered',
    "records where status in ('pending', 'held', 'failed') and goal <> 'leave' and coalesce(error, '') not like '%\"FF_RECORD_ALIKE\"%'",
  );
  none('limit', 'attempts were counted although the CMS asked for a pause', `attempts where ${isBusy}`);
  none('broken', 'contents are used by nothing', `contents where id not in (select wanted from (${pointers}))`);
  none(
    'broken',
    'contents are used, but missing',
    `(${pointers}) where wanted not in (select id from contents) and run not in (select id from runs where status in ('success', 'partial', 'failed') or held_set is null)`,
  );
  try {
    db.exec("insert into search_words (search_words, rank) values ('integrity-check', 1)");
  } catch (error) {
    findings.push({ is: 'broken', what: `the search has other words than the records: ${error}` });
  }
  none('broken', 'results of a claim were settled after those of a later one', settledTooLate);
  const isKept = settings.onDeletedInCms === 'leave' && !changes.onDeletedInCms;
  const staysDeleted = isKept && settings.missing === 'keep';
  if (staysDeleted && disasters.size === 0 && !hasUndone()) {
    none('doubled', 'records were created again that editors had deleted', createdAgain);
  }
  return findings;
}

/** The contents to which something points. */
const pointers = ['records', 'staged_changes']
  .flatMap((table) =>
    ['wanted', 'has'].map(
      (column) =>
        `select ${column} as wanted, ${table === 'records' ? "''" : 'run'} as run from ${table} where ${column} is not null`,
    ),
  )
  .join(' union all ');

const isBusy = "outcome is not null and error_code = 'FF_CMS_RATE_LIMITED'";

const settledTooLate = `attempts as earlier join attempts as later using (record)
  join runs as newer on newer.id = earlier.run join runs as older on older.id = later.run
  where earlier.seq < later.seq and older.rowid < newer.rowid`;

const createdAgain = `attempts as created join attempts as deleted using (record)
  where created.outcome = 'created' and deleted.outcome = 'deleted' and deleted.seq < created.seq`;
