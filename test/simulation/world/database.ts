import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { type Driver, type QueryResult, SqliteAdapter, SqliteIntrospector, sql } from 'kysely';
import { CodedError } from '../../../src/core/errors.ts';
import type { Engine } from '../../../src/ledger/database/engine.ts';
import { forRowsInSqlite, type RepeatedQuery } from '../../../src/ledger/database/for-rows.ts';
import { SqliteListCompiler } from '../../../src/ledger/database/value-lists.ts';
import { findEntriesInSqlite } from '../../../src/ledger/database/word-search.ts';
import { watchRecords } from '../checks/watch-records.ts';
import type { Machine } from './machine.ts';
import type { World } from './world.ts';

const BUSY_FOR_MS = 30_000;
const LONGEST_STATEMENT_MS = 2;

type Prepared = ReturnType<typeof prepare>;

/** One database for all runs of this process; each begins with empty tables. */
const db = new DatabaseSync(':memory:');
const statements = new Map<string, Prepared>();
let ledgerClock = () => 0;
db.function('ledger_now', () => Math.floor(ledgerClock()));
const records = watchRecords(db);

/** Of claims and records: the claim has not ended for the record. */
const isOpen = "(holds like '% ' || records.id || ' %' and token is not records.ended_claim)";

/** All that a run removes, and what others have removed since the last approval. */
const REMOVAL = `
  with wanted as (select * from records where cms_id = ? and goal = 'delete'),
    approved as (select coalesce(max(started_at), 0) as at from runs where kind = 'approve'),
    removed as (
      select 1 from records join wanted on true join runs on runs.id = records.run, approved
      where (records.run = wanted.run and records.goal = 'delete')
        or (records.status = 'removed' and runs.kind in ('run', 'retry') and runs.started_at > approved.at)
    )
  select runs.kind, (select count(*) from removed) as removed,
    (select count(*) from records where cms_id is not null or status = 'removed' or run = wanted.run) as records
  from wanted join runs on runs.id = wanted.run
`;

/** The database of the ledger, which all processes share. One transaction at a time may write; it dies with its process. */
export type Database = ReturnType<typeof createDatabase>;

/** What the ledger has at a moment. */
export type LedgerCopy = ReturnType<Database['copy']>;

/** @param clock of the ledger, in ms since 1970 */
export function createDatabase(world: World, clock: () => number) {
  clear();
  ledgerClock = clock;
  records.begin();
  let waiting: Array<() => void> = [];
  let owner: object | undefined;
  return {
    db,
    records,
    engineOf,
    isInTransaction: () => owner !== undefined,
    copy,
    empty,
    restore,
    hasUndone,
    hasCreatedAgain,
    keysToCreate,
    pauseOf,
    removalOf,
    liveClaims,
    isAnyLeft,
    isClaimed,
    isKnown,
    mayHaveItems,
    ownersOf,
  };

  /** Copies all tables. */
  function copy(): Array<{ table: string; rows: SQLInputValue[][] }> {
    return tables().map((table) => {
      const rows = prepared(`select * from "${table}"`).statement.all() as Array<Record<string, SQLInputValue>>;
      return { table, rows: rows.map(Object.values) };
    });
  }

  /** Whether a person wanted back what was before a run. */
  function hasUndone(): boolean {
    return prepared("select 1 from runs where kind = 'undo'").statement.get() !== undefined;
  }

  /** Whether an item that editors or a run had deleted may have been created again. */
  function hasCreatedAgain(): boolean {
    return prepared("select 1 from attempts where outcome in ('deleted', 'removed')").statement.get() !== undefined;
  }

  /** The records that the CMS does not have, as far as the ledger knows, and that are about to be created. */
  function keysToCreate(): string[] {
    const planned = "select key from staged_changes where op = 'create'";
    const due = "select key from records where cms_id is null and status in ('pending', 'failed', 'held')";
    return prepared(`${planned} union ${due}`)
      .statement.all()
      .map(({ key }) => String(key));
  }

  /** The pause that the CMS has asked for. */
  function pauseOf() {
    const row = prepared(
      "select epoch, paused_until <= ledger_now() as isOver from targets where paused_until is not null and pause_reason = 'busy'",
    ).statement.get();
    return row && { epoch: Number(row.epoch), isOver: row.isOver === 1 };
  }

  /** The claims of records that are being delivered. */
  function liveClaims(): string[] {
    const rows = prepared('select token as claim from claims where until > ledger_now()').statement.all();
    return rows.map(({ claim }) => String(claim));
  }

  /** Whether some of the claims were neither settled nor released. */
  function isAnyLeft(claims: readonly string[]): boolean {
    const isLeft = `exists (select 1 from records where ${isOpen}) and token in (select value from json_each(?))`;
    return prepared(`select 1 from claims where ${isLeft}`).statement.get(JSON.stringify(claims)) !== undefined;
  }

  /** Whether a process has claimed the record with this key or item. An item of no record is one that came too late. */
  function isClaimed(column: 'key' | 'cms_id', value: string | number, holder: string): boolean {
    const records = `
      select coalesce(holder, '') as holder, until >= ledger_now() as holds
      from records left join claims on ${isOpen} where ${column} = ?
    `;
    const found = prepared(records).statement.all(value);
    const isOurs = found.some((record) => record.holder === holder && record.holds === 1);
    return isOurs || (column === 'cms_id' && found.length === 0);
  }

  /** Whether a record has this item for sure. */
  function isKnown(cmsId: number): boolean {
    return prepared("select 1 from records where cms_id = ? and knows = 'known'").statement.get(cmsId) !== undefined;
  }

  /** Whether the CMS has or may have an item of a sync. */
  function mayHaveItems(sync: string): boolean {
    const text = "select 1 from records where sync = ? and knows not in ('none', 'refused')";
    return prepared(text).statement.get(sync) !== undefined;
  }

  /** The external ids of the records that have this item. */
  function ownersOf(cmsId: number): string[] {
    const rows = prepared('select sync, key from records where cms_id = ?').statement.all(cmsId);
    return rows.map(({ sync, key }) => `${sync}:${key}`);
  }

  /** The delete of an item that the ledger wants: by which kind of run, and how many it has removed with those of other runs. */
  function removalOf(cmsId: number) {
    const { kind, removed, records } = prepared(REMOVAL).statement.get(cmsId) ?? {};
    return { kind, removed: Number(removed), of: Number(records) };
  }

  /** A ledger without rows. */
  function empty(): ReturnType<typeof copy> {
    return tables().map((table) => ({ table, rows: [] }));
  }

  /** Replaces the rows of all tables. No process may be in a transaction. */
  function restore(copied: ReturnType<typeof copy>): void {
    // Tables that name others may come before them.
    db.exec('pragma foreign_keys = off');
    clear();
    for (const { table, rows } of copied) {
      for (const row of rows) {
        prepared(`insert into "${table}" values (${row.map(() => '?').join()})`).statement.run(...row);
      }
    }
    db.exec('pragma foreign_keys = on');
  }

  /** The database as a process reaches it. */
  function engineOf(machine: Machine): Engine {
    const connection = connect(machine);
    return {
      dialect: {
        createAdapter: () => new SqliteAdapter(),
        createDriver: () => connection.driver,
        createIntrospector: (kysely) => new SqliteIntrospector(kysely),
        createQueryCompiler: () => new SqliteListCompiler(),
      },
      now: sql`ledger_now()`,
      forRows: forRowsInSqlite,
      lockRows: sql``,
      findEntries: findEntriesInSqlite,
      unsynced: (kysely, work) => kysely.transaction().execute(work),
      readAtOnce: ({ sql: text, parameters }) =>
        owner && owner !== connection
          ? undefined
          : (prepared(text).statement.all(...(parameters as SQLInputValue[])) as never),
    };
  }

  function connect(machine: Machine) {
    const me = { driver: {} as Driver };
    const query = <Row>(compiled: RepeatedQuery): QueryResult<Row> => {
      const known = prepared(compiled.sql);
      const result = records.during(known.transition, () => execute<Row>(compiled, known));
      if (!owner) records.committed();
      return result;
    };
    const execute = <Row>(
      { parameters, repeatedWith }: RepeatedQuery,
      { statement, hasRows }: Prepared,
    ): QueryResult<Row> => {
      if (repeatedWith) return { rows: repeatedWith.flatMap((values) => statement.all(...values)) as Row[] };
      const values = parameters as SQLInputValue[];
      if (hasRows) return { rows: statement.all(...values) as Row[] };
      return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) };
    };
    const kyselyConnection = {
      executeQuery: <Row>(compiled: RepeatedQuery) => {
        return whenFree(() => query<Row>(compiled));
      },
      streamQuery(): AsyncIterableIterator<never> {
        throw new Error('Streaming is not supported.');
      },
    };
    me.driver = {
      init: async () => {},
      acquireConnection: async () => kyselyConnection,
      beginTransaction: () =>
        whenFree(() => {
          db.exec('begin immediate');
          owner = me;
        }),
      commitTransaction: () => whenFree(() => finish('commit')),
      rollbackTransaction: () => whenFree(() => finish('rollback')),
      releaseConnection: async () => {},
      destroy: async () => {},
    };
    machine.onKill.push(() => {
      if (owner === me) finish('rollback');
    });
    return me;

    function finish(how: 'commit' | 'rollback'): void {
      db.exec(how);
      records.committed();
      owner = undefined;
      const next = waiting;
      waiting = [];
      for (const look of next) look();
    }

    /** Does something in the database after a moment, as soon as no other process is in a transaction. */
    async function whenFree<T>(action: () => T): Promise<T> {
      const deadline = world.now() + BUSY_FOR_MS;
      for (;;) {
        const done = await machine.step(world.chance.real() * LONGEST_STATEMENT_MS, () =>
          owner && owner !== me ? undefined : { result: action() },
        );
        if (done) return done.result;
        if (world.now() >= deadline) throw new CodedError('FF_LEDGER_UNAVAILABLE', 'The ledger is locked.');
        await free(deadline);
      }
    }

    function free(deadline: number): Promise<void> {
      return new Promise((resolve) => {
        waiting.push(resolve);
        world.at(deadline, resolve);
      });
    }
  }
}

function prepared(text: string) {
  const known = statements.get(text);
  if (known) return known;
  const fresh = prepare(text);
  statements.set(text, fresh);
  return fresh;
}

function prepare(text: string) {
  const statement: StatementSync = db.prepare(text);
  return { statement, hasRows: statement.columns().length > 0, transition: records.transitionOf(text) };
}

/** All tables of the ledger, except those of migrations: to migrate a new database takes longer than a whole run. */
/** Empties all tables: records first, because their contents say which words leave the index. */
function clear(): void {
  const names = tables();
  const records = names.filter((name) => name === 'records');
  for (const table of [...records, ...names]) prepared(`delete from "${table}"`).statement.run();
}

function tables(): string[] {
  const named =
    "select name from sqlite_schema where type = 'table' and name not like 'kysely%' and name not like 'sqlite%' and name not like 'search%'";
  return prepared(named)
    .statement.all()
    .map(({ name }) => String(name));
}
