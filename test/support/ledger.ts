import { afterAll, beforeAll } from 'vitest';
import { systemRuntime } from '../../src/core/runtime/runtime.ts';
import { type Ledger, openLedger } from '../../src/ledger/ledger.ts';
import { createDatabase, type ledgerEngines, temporaryDir } from './engines.ts';
import type { TestDatabase } from './postgres-database.ts';

/** Does not wait for more settlements before it writes those that there are: tests that settle one record after another would. */
const runtime = { ...systemRuntime, after: (_ms: number, task: () => void) => systemRuntime.after(0, task) };

/** A new ledger, opened twice, as two processes would. */
export interface LedgerUnderTest {
  readonly ledger: Ledger;
  readonly second: Ledger;
  readonly dataDir: string;
  /** Of PostgreSQL. */
  readonly databaseUrl: string | undefined;
}

/** Opens a new ledger for all tests of a describe block. To be read in hooks and tests, not before. */
export function withLedger(engine: (typeof ledgerEngines)[number]): LedgerUnderTest {
  let dir: ReturnType<typeof temporaryDir>;
  let database: TestDatabase | undefined;
  let ledgers: Ledger[];

  beforeAll(async () => {
    dir = temporaryDir();
    database = engine === 'postgresql' ? await createDatabase() : undefined;
    const options = { dataDir: dir.path, runtime, ...(database ? { databaseUrl: database.url } : {}) };
    // Two processes may open a new ledger at once.
    ledgers = await Promise.all([openLedger(options), openLedger(options)]);
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
