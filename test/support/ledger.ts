import { afterAll, beforeAll } from 'vitest';
import { systemRuntime } from '../../src/core/runtime/runtime.ts';
import { type Ledger, openLedger } from '../../src/ledger/ledger.ts';
import { judged } from '../../src/sync/match/verdict.ts';
import { createDatabase, type ledgerEngines, temporaryDir } from './engines.ts';
import type { TestDatabase } from './postgres-database.ts';

/** Writes settlements at once, without waiting for more. Otherwise tests that settle one record at a time would be slow. */
const runtime = { ...systemRuntime, after: (_ms: number, task: () => void) => systemRuntime.after(0, task) };

/** A new ledger that is opened twice, as by two processes. */
export interface LedgerUnderTest {
  readonly ledger: Ledger;
  readonly second: Ledger;
  readonly dataDir: string;
  /** URL of the database; undefined for SQLite. */
  readonly databaseUrl: string | undefined;
}

/** That whatever a plan creates was judged. */
export const allJudged = { verdict: judged(Number.MAX_SAFE_INTEGER) };

/** The plans of these tests are not about what they create. */
function withVerdicts(ledger: Ledger): Ledger {
  const { plans } = ledger;
  const apply: typeof plans.apply = (run, sync, rules) => plans.apply(run, sync, { ...allJudged, ...rules });
  return { ...ledger, plans: { ...plans, apply } };
}

/** Opens a new ledger for all tests of a describe block. The properties can only be read in hooks and tests. */
export function withLedger(engine: (typeof ledgerEngines)[number]): LedgerUnderTest {
  let dir: ReturnType<typeof temporaryDir>;
  let database: TestDatabase | undefined;
  let ledgers: Ledger[];

  beforeAll(async () => {
    dir = temporaryDir();
    database = engine === 'postgresql' ? await createDatabase() : undefined;
    const options = { dataDir: dir.path, runtime, ...(database ? { databaseUrl: database.url } : {}) };
    // Opens both at once, because two processes may also open a new ledger at the same time.
    ledgers = (await Promise.all([openLedger(options), openLedger(options)])).map(withVerdicts);
  });

  afterAll(async () => {
    await Promise.all(ledgers.map((ledger) => ledger.close()));
    await database?.drop();
    dir[Symbol.dispose]();
  });

  const nth = (index: number): Ledger => {
    const ledger = ledgers[index];
    if (!ledger) throw new Error('the ledger is not open yet');
    return ledger;
  };
  return {
    get ledger() {
      return nth(0);
    },
    get second() {
      return nth(1);
    },
    get dataDir() {
      return dir.path;
    },
    get databaseUrl() {
      return database?.url;
    },
  };
}
