import type { Environment } from '../../app/environment.ts';
import { inspectLedger, type LedgerState } from '../../ledger/database/inspect.ts';
import { clockFinding } from '../findings/clock.ts';
import { type Finding, problemOf } from '../findings/finding.ts';

const OLDEST_POSTGRES = 13;

/** Whether the ledger can be opened, what it runs on, how large it is, and whether its clock is ours. */
export async function* checkLedger(environment: Environment): AsyncGenerator<Finding> {
  const { databaseUrl, dataDir } = environment;
  let state: LedgerState | undefined;
  try {
    state = await inspectLedger({ dataDir, ...(databaseUrl ? { databaseUrl } : {}) });
  } catch (error) {
    yield problemOf('ledger', error, 'No command but `validate`, `test` and `preview` works.');
    return;
  }
  if (!state) {
    yield { check: 'ledger', is: 'ok', message: 'SQLite; there is no ledger yet, the first run makes it.' };
    return;
  }
  yield engineOf(state);
  if (state.engine === 'postgresql') {
    const follows =
      'Leases and pauses go by the database, so nothing is doubled; schedules and days go by this machine.';
    yield clockFinding('ledger.clock', 'the database', state.aheadMs, follows);
  }
}

function engineOf({ engine, version, isCurrent, rows, bytes, oldestRun }: LedgerState): Finding {
  const name = engine === 'postgresql' ? 'PostgreSQL' : 'SQLite';
  const size = Object.entries(rows).map(([table, count]) => `${count} ${table}`);
  const age = oldestRun ? [`runs since ${oldestRun.slice(0, 10)}`] : [];
  const parts = isCurrent
    ? [...size, `${(bytes / 1e6).toFixed(1)} MB`, ...age]
    : ['its tables are made by the next run'];
  const message = `${name} ${version}: ${parts.join(', ')}.`;
  if (engine === 'sqlite' || Number.parseInt(version, 10) >= OLDEST_POSTGRES)
    return { check: 'ledger', is: 'ok', message };
  return {
    check: 'ledger',
    is: 'problem',
    message,
    follows: 'feedferry is not tested on it; queries may fail.',
    remedy: `Move the ledger to PostgreSQL ${OLDEST_POSTGRES} or newer.`,
  };
}
