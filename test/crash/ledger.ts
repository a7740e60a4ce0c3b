import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createPostgresDatabase, onDatabase } from '../support/postgres-database.ts';
import type { PrivatePostgres } from '../support/private-postgres.ts';
import { postgresClock, sqliteClock } from './ledger-clock.ts';
import { cutPower } from './power-cut.ts';

/** A ledger that can be lost and restored. No process may use it meanwhile. */
export interface CrashingLedger {
  /** Environment variables of a process that uses it. */
  variables: Record<string, string>;
  /** Undoes what a power failure may undo; returns how many commits. PostgreSQL undoes them itself when it is killed. */
  cutPower(): number;
  lose(): Promise<void>;
  backUp(): Promise<void>;
  /** Replaces it with the backup. */
  restore(): Promise<void>;
  /** Turns its clock forward, or back; its processes may use it meanwhile. */
  turnClock(byMs: number): Promise<void>;
  drop(): Promise<void>;
}

/** A SQLite ledger, as a folder in `dir`. */
export function createSqliteLedger(dir: string): CrashingLedger {
  const [data, backup] = [join(dir, 'data'), join(dir, 'data-backup')];
  const clock = sqliteClock(dir);
  return {
    variables: { FEEDFERRY_DATA: data, ...clock.variables },
    cutPower: () => cutPower(join(data, 'ledger.sqlite')),
    lose: async () => rmSync(data, { recursive: true, force: true }),
    backUp: async () => cpSync(data, backup, { recursive: true }),
    async restore() {
      if (!existsSync(backup)) throw new Error('There is no backup of the ledger.');
      rmSync(data, { recursive: true, force: true });
      cpSync(backup, data, { recursive: true });
    },
    turnClock: clock.turn,
    drop: async () => undefined,
  };
}

/** A ledger in a database of its own. Its processes keep other data in `dir`. */
export async function createPostgresLedger({ url: admin }: PrivatePostgres, dir: string): Promise<CrashingLedger> {
  const { url, drop } = await createPostgresDatabase(admin);
  const name = new URL(url).pathname.slice(1);
  const backup = `${name}_backup`;
  const clock = postgresClock(url);
  await clock.install();
  const replace = async (by: string) => {
    await drop();
    await onDatabase(admin, `create database ${name} template ${by}`);
    await clock.install();
  };
  return {
    variables: { ...clock.variables, FEEDFERRY_DATA: join(dir, 'data') },
    cutPower: () => 0,
    lose: () => replace('template0'),
    backUp: () => onDatabase(admin, `create database ${backup} template ${name}`),
    restore: () => replace(backup),
    turnClock: clock.turn,
    async drop() {
      await drop();
      await onDatabase(admin, `drop database if exists ${backup}`);
    },
  };
}
