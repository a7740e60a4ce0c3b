import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onDatabase } from '../support/postgres-database.ts';

const PRELOADED = import.meta.resolve('./turned-sqlite.ts');

/** The clock of a ledger, which can be set while processes use it. */
export interface LedgerClock {
  /** Environment variables of a process that uses the ledger. */
  variables: Record<string, string>;
  /** Sets it forward, or back. */
  turn(byMs: number): Promise<void>;
}

/** The clock of SQLite is that of each process: a preloaded module adds what a file in `dir` says. */
export function sqliteClock(dir: string): LedgerClock {
  const file = join(dir, 'ledger-clock');
  writeFileSync(file, '0');
  return {
    variables: { LEDGER_CLOCK: file, NODE_OPTIONS: `--import=${PRELOADED}` },
    turn: async (byMs) => writeFileSync(file, String(Number(readFileSync(file, 'utf8')) + byMs)),
  };
}

/** In a PostgreSQL database, a function of another schema comes before its own clock. */
export function postgresClock(databaseUrl: string): LedgerClock & { install(): Promise<void> } {
  let aheadMs = 0;
  const install = () =>
    onDatabase(
      databaseUrl,
      `drop schema if exists clock cascade;
      create schema clock;
      create table clock.ahead as select ${aheadMs}::bigint as ms;
      create function clock.clock_timestamp() returns timestamptz language sql volatile as
        'select pg_catalog.clock_timestamp() + (select ms from clock.ahead) * interval ''1 ms'''`,
    );
  const url = new URL(databaseUrl);
  url.searchParams.set('options', '-c search_path=public,clock,pg_catalog');
  return {
    variables: { DATABASE_URL: url.href },
    /** To be called once the database exists, and again whenever it has been replaced. */
    install,
    async turn(byMs) {
      aheadMs += byMs;
      await onDatabase(databaseUrl, `update clock.ahead set ms = ${aheadMs}`);
    },
  };
}
