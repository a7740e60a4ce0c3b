import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { type Move, moves, recordStateOf, type StateWords, states, stepsIn } from '../../../scripts/record-states.ts';
import type { Finding } from './finding.ts';
import { transitionOf } from './named-statements.ts';

const COLUMNS = ['knows', 'status', 'goal', 'expects', 'has', 'claimed'] as const;
type Row = Parameters<typeof recordStateOf>[0];

/** What a statement may do, by the part of transitions.ts that made it. */
const allowed = Map.groupBy(
  Object.entries<Move>(moves).map(([name, { by, knows, work }]) => ({
    name,
    by: by ?? name,
    ...{ staysKnown: knows.includes('unchanged'), staysWork: work.includes('unchanged') },
    ...{ knows: new Set(stepsIn(knows).map(stepName)), work: new Set(stepsIn(work).map(stepName)) },
  })),
  ({ by }) => by,
);
const listed = new Set(states.flatMap(({ goal, knows, work }) => combinationsOf(goal, knows, work)));

/** All that `reached` may have. */
export const everyStep: readonly string[] = [
  ...listed,
  ...[...allowed.values()]
    .flat()
    .flatMap(({ name, knows, work }) => [
      ...[...knows].map((step) => `${name}: ${step}`),
      ...[...work].map((step) => `${name}: ${step}`),
    ]),
];

export type RecordWatch = ReturnType<typeof watchRecords>;

/** Compares each change of a record with the lists of record-states.ts, and `knows` with the other columns and the attempts. */
export function watchRecords(db: DatabaseSync) {
  let transition: string | undefined;
  let isWatched = false;
  let hasTriggers = false;
  let findings: Finding[] = [];
  let reached = new Set<string>();
  const changed = new Map<string, [sync: SQLInputValue, key: SQLInputValue]>();
  db.function('record_changed', { varargs: true }, (...[sync, key, ...columns]: SQLInputValue[]) => {
    if (!isWatched) return null;
    changed.set(`${sync}:${key}`, [sync as SQLInputValue, key as SQLInputValue]);
    if (columns.length > 0) checkMove(toState(columns, 0), toState(columns, COLUMNS.length));
    return null;
  });
  return { begin, transitionOf, during, committed, findings: () => findings, reached: () => reached };

  /** Begins a run. The first one of a process migrates the database, and is not watched. */
  function begin(): void {
    findings = [];
    reached = new Set();
    changed.clear();
    const isMigrated = db.prepare("select 1 from sqlite_schema where name = 'attempts'").get() !== undefined;
    if (isMigrated && !hasTriggers) db.exec(TRIGGERS);
    hasTriggers = isMigrated;
  }

  /** @param name the part of transitions.ts that made the statement */
  function during<Result>(name: string | undefined, execute: () => Result): Result {
    transition = name;
    isWatched = true;
    try {
      return execute();
    } finally {
      isWatched = false;
    }
  }

  function checkMove(from: StateWords | undefined, to: StateWords | undefined): void {
    if (to) checkState(to);
    const knows = stepName([from?.knows ?? 'nothing', to?.knows ?? 'nothing']);
    const work = stepName([from?.work ?? 'nothing', to?.work ?? 'nothing']);
    const fitting = (allowed.get(transition ?? '') ?? []).filter(
      (move) =>
        (move.knows.has(knows) || (move.staysKnown && from?.knows === to?.knows)) &&
        (move.work.has(work) || (move.staysWork && from?.work === to?.work)),
    );
    if (fitting.length === 0) report(`no move "${transition}" is ${knows}, ${work}`);
    for (const { name, ...steps } of fitting) {
      if (steps.knows.has(knows)) reached.add(`${name}: ${knows}`);
      if (steps.work.has(work)) reached.add(`${name}: ${work}`);
    }
  }

  function checkState({ goal, knows, work }: StateWords): void {
    const state = `${goal}, ${knows}, ${work}`;
    if (!listed.has(state)) report(`no record may be ${state} (after ${transition})`);
    reached.add(state);
  }

  /** Looks at the records that the transaction has changed. */
  function committed(): void {
    if (changed.size === 0) return;
    for (const [sync, key] of changed.values()) {
      const row = db.prepare(RECORD).get(sync, key);
      if (row) checkRecord(row as unknown as RecordRow);
    }
    changed.clear();
  }

  function checkRecord(row: RecordRow): void {
    const open = row.open?.split(',') ?? [];
    const implied = knowledgeOf(row, open);
    checkState(recordStateOf(row));
    const named = `"${row.key}" (${row.status}, open: ${row.open}, after ${transition})`;
    if (row.knows !== implied) report(`the ledger says "${row.knows}" of ${named}, and its attempts "${implied}"`);
    if (open.length > 0 && ['delivered', 'removed', 'deleted'].includes(row.status)) report(`${named} is open`);
  }

  function report(what: string): void {
    // One tells enough.
    if (findings.length === 0) findings.push({ is: 'broken', what });
  }
}

interface RecordRow extends Row {
  key: string;
  hasItem: number;
  isDelivered: number;
  /** Method and doubt of each open attempt. */
  open: string | null;
}

/** Of a row of records: whether a claim on the record has not ended. */
const claimed = (row: string) => `exists (
  select 1 from main.claims where holds like '% ' || ${row}.id || ' %' and token is not ${row}.ended_claim
)`;

const RECORD = `
  select records.*, ${claimed('records')} as claimed, cms_id is not null as hasItem, has is not null as isDelivered, (
    select group_concat(coalesce(method, '') || ' ' || doubt) from attempts
    where attempts.record = records.id and doubt is not null
  ) as open
  from records where sync = ? and key = ?
`;

function knowledgeOf({ hasItem, isDelivered }: RecordRow, open: readonly string[]): string {
  if (hasItem === 1 && open.some((call) => call.startsWith('DELETE'))) return 'maybeGone';
  if (hasItem === 1) return isDelivered === 1 ? 'known' : 'found';
  if (open.length === 0) return 'none';
  return open.some((call) => !call.endsWith('refused')) ? 'maybe' : 'refused';
}

const rowOf = (table: 'old' | 'new') =>
  COLUMNS.map((column) => {
    if (column === 'claimed') return claimed(table);
    return `${table}.${column}`;
  }).join();
const noRow = COLUMNS.map(() => 'null').join();

const ofClaim = (claim: 'new' | 'old') => `select record_changed(sync, key) from main.records
  where ${claim}.holds like '% ' || id || ' %'`;
const ofRecord = (attempt: 'new' | 'old') =>
  `select record_changed(sync, key) from records where id = ${attempt}.record`;

const TRIGGERS = `
  create temp trigger record_updated after update on main.records begin
    select record_changed(new.sync, new.key, ${rowOf('old')}, ${rowOf('new')}); end;
  create temp trigger record_inserted after insert on main.records begin
    select record_changed(new.sync, new.key, ${noRow}, ${rowOf('new')}); end;
  create temp trigger record_deleted after delete on main.records begin
    select record_changed(old.sync, old.key, ${rowOf('old')}, ${noRow}); end;
  create temp trigger claim_inserted after insert on main.claims begin ${ofClaim('new')}; end;
  create temp trigger claim_left after update of holds on main.claims begin ${ofClaim('old')}; end;
  create temp trigger claim_deleted after delete on main.claims begin ${ofClaim('old')}; end;
  create temp trigger attempt_changed after update of doubt on main.attempts begin ${ofRecord('new')}; end;
  create temp trigger attempt_inserted after insert on main.attempts begin ${ofRecord('new')}; end;
  create temp trigger attempt_deleted after delete on main.attempts begin ${ofRecord('old')}; end;
`;

function toState(columns: readonly unknown[], start: number): StateWords | undefined {
  if (columns[start] === null) return undefined;
  return recordStateOf(
    Object.fromEntries(COLUMNS.map((column, nth) => [column, columns[start + nth]])) as unknown as Row,
  );
}

function stepName([from, to]: readonly [string, string]): string {
  return `${from} → ${to}`;
}

function combinationsOf(goals: readonly string[], knowledge: readonly string[], works: readonly string[]): string[] {
  return goals.flatMap((goal) => knowledge.flatMap((knows) => works.map((work) => `${goal}, ${knows}, ${work}`)));
}
