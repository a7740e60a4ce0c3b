import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { Client } from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { isObject } from '../../../src/core/record.ts';
import { openDatabase } from '../../../src/ledger/database/open.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { hasEngine, ledgerEngines } from '../../support/engines.ts';
import { withLedger } from '../../support/ledger.ts';

/**
 * With how many keys each function is called, each time with others. A statement with a parameter for each key has more of them each time:
 * with enough keys, more than a database takes (32,766 in SQLite, 65,535 in PostgreSQL). What is read or written in pages does not.
 */
const SIZES = [100, 1_000, 2_000];
const MANY = 1_500;
const keys = Array.from({ length: SIZES.reduce((sum, size) => sum + size) }, (_, index) => `k${index}`);
const SYNC = 's';
const RUN = '20310101-000000-aaaaaa';

type IsList<Value> = Value extends readonly unknown[] | ReadonlySet<unknown> | ReadonlyMap<unknown, unknown>
  ? true
  : Value extends object
    ? true extends {
        [Name in keyof Value]: Value[Name] extends readonly string[] | readonly number[] ? true : false;
      }[keyof Value]
      ? true
      : false
    : false;
type TakesList<Method> = Method extends (...args: infer Args) => unknown
  ? true extends IsList<Args[number]>
    ? true
    : false
  : false;
type Stores = { [Name in keyof Ledger as Ledger[Name] extends object ? Name : never]: Ledger[Name] };
/** The functions of the ledger that take a list. */
type ListMethod = {
  [Store in keyof Stores]: {
    [Name in keyof Stores[Store] & string]: TakesList<Stores[Store][Name]> extends true ? `${Store}.${Name}` : never;
  }[keyof Stores[Store] & string];
}[keyof Stores];

const member = { source: 'a', place: 'line 2', payload: '{}', attachments: '[]', source_hash: null, event_hash: 'h' };
const undated = { starts_on: null, ends_on: null, series: null, slot: null, repeats: 0 };
const seen = { place: 'line 2', read_in: RUN, read_no: 1, read_hash: null };
const change = {
  run: RUN,
  op: 'create',
  place: 'line 2',
  resource: 'events',
  desired: '{}',
  attachments: '[]',
  hash: 'h',
};

/**
 * The arguments with which each is called, or why it needs none. The compiler refuses a table that lacks a function. What one adds,
 * the next ones find.
 */
const callsWith = (keys: readonly string[]): Record<ListMethod, readonly unknown[] | 'few by nature'> => {
  const ids = keys.map((key) => Number(key.slice(1)));
  const rows = <Row>(row: (key: string, index: number) => Row): Row[] => keys.map(row);
  const claimed = rows((key) => ({ sync: SYNC, key, claim: 'c', knows: 'none' }));
  return {
    'plans.add': [rows((key) => ({ ...change, key }))],
    'plans.alreadyStaged': [RUN, keys],
    'plans.known': [SYNC, keys],
    'plans.unchanged': [SYNC, rows((key) => ({ key, source_hash: 'h' }))],
    'plans.noteDistinct': [RUN, rows((key) => ({ key, aboutHash: 'h' }))],
    'plans.unknownKeys': [SYNC, keys],
    'plans.unseenCreates': [RUN, SYNC, keys],
    'plans.summarise': [RUN, keys],
    'plans.hold': [RUN, rows((key) => ({ key, code: 'FF_RECORD_ALIKE', reason: 'r' }))],
    'plans.adopt': [
      RUN,
      rows((key) => ({ key, cmsId: Number(key.slice(1)), delivered: {}, editorState: {}, changed: [] })),
    ],
    'plans.stageAgain': [
      RUN,
      SYNC,
      rows((key) => ({ key, desired: {}, delivered: {}, deliveredAttachments: {}, changed: [] })),
    ],
    'plans.skip': [RUN, keys],
    'plans.stageDeleted': [RUN, SYNC, keys, { op: 'delete', after: { runs: 1 } }],
    'plans.publishedAmong': [SYNC, keys],
    'plans.stageRetries': ['other', SYNC, keys],
    'plans.retryable': [SYNC, keys],
    'plans.recordsNamed': [SYNC, keys],
    'plans.updatesOf': [RUN, keys],
    'plans.restage': [RUN, rows((key) => ({ key, previous_key: `${key} before` }))],
    'questions.answer': [SYNC, keys, { answer: 'same', person: 'Ada' }],
    'questions.takeBack': [SYNC, keys],
    'plans.relink': [
      SYNC,
      rows((key) => ({ key, cmsId: Number(key.slice(1)), resource: 'events', delivered: {} })),
      RUN,
    ],
    'plans.keepHeld': 'few by nature',
    'plans.others': 'few by nature',
    'plans.keepOnly': [RUN, keys],
    'plans.reject': [RUN, keys],
    'records.claim': [SYNC, keys, 1000],
    'records.endClaim': [claimed],
    'records.release': [claimed],
    'records.outstanding': [SYNC, keys],
    'records.titles': [SYNC, keys],
    'records.named': [keys, 'k1'],
    'records.orphans': [keys],
    'records.statesOf': [keys, ['held']],
    'records.countUndelivered': [keys, 10],
    'records.countWithoutFiles': [keys],
    'records.deliveredAs': ['events', ids],
    'records.ownersOf': ['events', ids],
    'records.eventsOn': 'few by nature',
    'records.withWords': 'few by nature',
    'members.putMembers': [SYNC, rows((key) => ({ key, ...member, ...undated, ...seen }))],
    'members.sightMembers': [SYNC, rows((key) => ({ key, ...seen }))],
    'members.alreadyRead': [RUN, SYNC, keys],
    'members.unchangedMembers': [SYNC, rows((key) => ({ key, source_hash: 'h' }))],
    'members.setClusters': [SYNC, new Map(rows((key) => [key, key]))],
    'members.markAstray': [SYNC, new Map(rows((key, index) => [key, index % 2 === 0]))],
    'members.setStates': [SYNC, keys, 'rejected'],
    'members.membersBy': ['cluster', SYNC, keys],
    'members.published': [SYNC, keys],
    'members.publishedAlone': [SYNC, keys],
    'members.recordsOfNoSource': 'few by nature',
    'members.forgetShared': [SYNC, keys],
    'members.sourcesOfClusters': [SYNC, keys],
    'members.takenHomes': [SYNC, keys.map((key) => `new ${key}`)],
    'members.stageQuiet': 'few by nature',
    'answers.answer': [SYNC, rows((key) => ({ about: key, answer: 'distinct', person: 'Ada' }))],
    'answers.takeBack': [SYNC, keys],
    'questions.answersAbout': ['item', SYNC, keys],
    'acknowledgements.acknowledge': [SYNC, keys, { person: 'Ada' }],
    'acknowledgements.takeBack': [SYNC, keys],
    'acknowledgements.countAcknowledged': [keys.map((sync) => ({ sync }))],
    'files.keepUploads': ['site', keys.map((sha256) => ({ attribute: 'image', sha256 }))],
    'runs.addRejections': [RUN, ids[0], rows((key) => ({ key, at: 'line 2', code: 'FF_KEY_DUPLICATE', reason: 'r' }))],
    'runs.recent': [keys, 3],
    'verifications.differencesOf': [SYNC, keys],
    'verifications.ownersOf': ['events', ids],
    'retention.run': 'few by nature',
    'habits.remember': 'few by nature',
    'targets.replacePermits': 'few by nature',
    'alerts.entries': [SYNC, keys],
    'alerts.note': 'few by nature',
    'alerts.noteSending': 'few by nature',
    'alerts.markSent': 'few by nature',
    'alerts.postpone': 'few by nature',
    'alerts.keepReported': 'few by nature',
  };
};

const parameters = watchParameters();

/** Counts the parameters of the statements that this process sends to any database. */
function watchParameters(): { most(): number } {
  let most = 0;
  const note = (values: unknown) => {
    if (Array.isArray(values)) most = Math.max(most, values.length);
  };
  const { prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.prepare = function (text) {
    const statement = prepare.call(this, text);
    const { all, run } = statement;
    const noted =
      (call: (...values: never[]) => unknown) =>
      (...values: unknown[]) => {
        note(values);
        return Reflect.apply(call, statement, values);
      };
    return Object.assign(statement, { all: noted(all), run: noted(run) });
  };
  const { query } = Client.prototype;
  Client.prototype.query = function (this: Client, ...asked: unknown[]) {
    const [statement, values] = asked;
    note(isObject(statement) ? statement.values : values);
    return Reflect.apply(query, this, asked) as never;
  } as typeof query;
  return {
    /** The most parameters that a statement has had since the last call. */
    most() {
      const noted = most;
      most = 0;
      return noted;
    },
  };
}

describe.each(ledgerEngines.filter(hasEngine))(
  'A ledger on %s takes more keys than a statement has parameters',
  (engine) => {
    const opened = withLedger(engine);

    beforeAll(async () => {
      const { dataDir, databaseUrl } = opened;
      const { db } = await openDatabase({ dataDir, ...(databaseUrl ? { databaseUrl } : {}) });
      const run = {
        id: RUN,
        sync: SYNC,
        kind: 'run',
        status: 'planned',
        holder: 'h',
        lease_until: 0,
        started_at: 0,
      } as const;
      await db
        .insertInto('runs')
        .values({ ...run, counts: JSON.stringify({ unchanged: 0, skipped: 0 }), warnings: '[]', complete: 0 } as never)
        .execute();
      await db.destroy();
    });

    test.each(Object.entries(callsWith(keys)).flatMap(([name, given]) => (typeof given === 'string' ? [] : [name])))(
      '%s',
      async (name) => {
        const [store = '', method = ''] = name.split('.');
        const functions = opened.ledger[store as 'plans'] as unknown as Record<
          string,
          (...given: readonly unknown[]) => unknown
        >;
        const counts: number[] = [];
        let start = 0;
        for (const size of SIZES) {
          parameters.most();
          await functions[method]?.(...callsWith(keys.slice(start, start + size))[name as ListMethod]);
          counts.push(parameters.most());
          start += size;
        }
        const [, fewer, more] = counts;
        expect(more).toBeGreaterThan(0);
        expect(more).toBe(fewer);
      },
    );

    test('Withdrawn changes are settled, and no retry writes them', async () => {
      const { dataDir, databaseUrl, ledger } = opened;
      const { db } = await openDatabase({ dataDir, ...(databaseUrl ? { databaseUrl } : {}) });
      const { run } = await ledger.runs.lead('w', 'run', { targetId: 't', resource: 'events' });
      const numbers = sql`(with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(MANY)}) select n from numbers) as numbers`;
      await sql`
      insert into contents (id, payload, attachments, hash)
      select 1000000 + n, '{"title":"old"}', '[]', 'old' from ${numbers} union all select 2000000 + n, '{"title":"new"}', '[]', 'new' from ${numbers}
    `.execute(db);
      await sql`
      insert into records (sync, key, resource, place, wanted, run, status, knows, cms_id, has)
      select 'w', cast(n as text), 'events', 'line 2', 2000000 + n, 'interrupted', 'pending', 'known', n, 1000000 + n
      from ${numbers}
    `.execute(db);
      await sql`
      insert into staged_changes (run, key, op, place, hash)
      select ${run}, cast(n as text), 'unchanged', 'line 2', 'old' from ${numbers}
    `.execute(db);
      // As the maintenance of PostgreSQL does soon.
      if (engine === 'postgresql') await sql`analyze records, staged_changes, attempts`.execute(db);
      expect(await ledger.plans.retryable('w')).toHaveLength(MANY);
      parameters.most();
      expect(await ledger.plans.apply(run, 'w')).toEqual([]);
      expect(parameters.most()).toBeLessThan(MANY);
      expect(await ledger.plans.retryable('w')).toEqual([]);
      const pending = await db
        .selectFrom('records')
        .select('key')
        .where('sync', '=', 'w')
        .where('status', '<>', 'delivered')
        .execute();
      await db.destroy();
      expect(pending).toEqual([]);
      await ledger.plans.stageRetries('retry', 'w', ['1', '2']);
      expect((await ledger.plans.summarise('retry')).updates).toBe(0);
    });
  },
);
