import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely';
import * as transitions from '../../../src/ledger/records/transitions.ts';

type Columns = Parameters<typeof transitions.move>[0];
type Transition = keyof typeof transitions;

const compiler = new Kysely({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});
const now = sql<number>`ledger_now()`;
const { withdrawn, lapsed, exited, found, relocated, marking, missed, settled, renamed, replanned } = transitions;
const { leftAlone, returned, contested, deleting, reconsidered, noted, setAside, rekeyed, acted } = transitions;

const columns: Array<[Transition, Columns]> = [
  ...Object.entries({
    leftAlone,
    returned,
    contested,
    deleting,
    reconsidered,
    noted,
    setAside,
    rekeyed,
    acted,
    replanned,
  }),
  ['withdrawn', withdrawn('')],
  ['missed', missed(now)],
  ['lapsed', lapsed('', 0)],
  ['exited', exited('', now, 0)],
  ['found', found(0)],
  ['relocated', relocated(0)],
  ['marking', marking(sql`named.attributes`)],
  ['settled', settled(now)],
  ['renamed', renamed('', '')],
] as Array<[Transition, Columns]>;

const beginnings = columns.map(([name, set]) => {
  const text = transitions.move(set, { where: sql`1` }).compile(compiler).sql;
  return { name, text: `${text.slice(0, text.lastIndexOf(' where')).trimEnd()} ` };
});

/** Returns the part of transitions.ts that made a statement; undefined: none did. */
export function transitionOf(statement: string): Transition | undefined {
  if (/^\s*insert into records\b/.test(statement)) return /\bvalues\b/.test(statement) ? 'relinked' : 'planned';
  if (/^\s*delete from records\b/.test(statement)) return 'forget';
  return beginnings.find(({ text }) => statement.startsWith(text))?.name;
}
