import type { Environment } from '../../app/environment.ts';
import { inspectLedger, type LedgerState } from '../../ledger/database/inspect.ts';
import { clockFinding, type Finding, ok, problemOf } from '../findings/finding.ts';

const OLDEST_POSTGRES = 13;

/** Checks that the ledger can be opened, and reports its engine, size and clock. */
export async function* checkLedger(environment: Environment): AsyncGenerator<Finding> {
  let state: LedgerState | undefined;
  try {
    state = await inspectLedger(environment);
  } catch (error) {
    yield problemOf('ledger', error, 'Only `validate`, `test` and `preview` work without the ledger.');
    return;
  }
  if (!state) {
    yield ok('ledger', 'SQLite. The ledger does not exist yet; the first run creates it.');
    return;
  }
  yield engineOf(state);
  if (!state.endsIdle) {
    yield {
      check: 'ledger.pooler',
      is: 'warning',
      message:
        'PostgreSQL does not limit how long a transaction may be idle: a pooler such as PgBouncer ignores the limit.',
      follows: 'If a process is suspended, its rows stay locked, and the other processes wait for them.',
      remedy:
        "Run `ALTER ROLE feedferry SET idle_in_transaction_session_timeout = '30s'` for the role of DATABASE_URL.",
    };
  }
  if (state.engine === 'postgresql') {
    const follows =
      'Leases and pauses use the clock of the database, so nothing is duplicated. Schedules and days use this machine’s.';
    yield clockFinding('ledger.clock', 'the database', state.aheadMs, follows);
  }
}

function engineOf({ engine, version, isCurrent, rows, bytes, oldestRun }: LedgerState): Finding {
  const name = engine === 'postgresql' ? 'PostgreSQL' : 'SQLite';
  const size = Object.entries(rows).map(([table, count]) => `${count} ${table.replace('_', ' ')}`);
  const age = oldestRun ? [`runs since ${oldestRun.slice(0, 10)}`] : [];
  const parts = isCurrent ? [...size, `${(bytes / 1e6).toFixed(1)} MB`, ...age] : ['the next run updates its tables'];
  const message = `${name} ${version}: ${parts.join(', ')}.`;
  if (engine === 'sqlite' || Number.parseInt(version, 10) >= OLDEST_POSTGRES) return ok('ledger', message);
  return {
    check: 'ledger',
    is: 'problem',
    message,
    follows: 'feedferry is not tested with this version. Queries may fail.',
    remedy: `Move the ledger to PostgreSQL ${OLDEST_POSTGRES} or newer.`,
  };
}
