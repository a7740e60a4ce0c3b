import { sql } from 'kysely';
import type { KeptAs } from '../database/kept-as.ts';
import type { AnswersTable, LedgerDatabase } from '../database/schema.ts';

/** The questions about records, and the answers to each. */
export interface AnswersByKind {
  /** Is the record the same as the item that it looks like? If so, it is not created. */
  alike: 'same' | 'distinct';
  /** Are two records of different sources the same event? If so, they are published as one. */
  sameEvent: 'same' | 'distinct';
  /** Problems that a person knows of, and leaves as they are for now: the record is rejected, */
  rejected: 'acknowledged';
  /** it was delivered without a file, */
  withoutFile: 'acknowledged';
  /** or its item differs from what was delivered. */
  differs: 'acknowledged';
}
export type AnswerKind = keyof AnswersByKind;

/** What a person has decided about a record. */
export interface Answer<Kind extends AnswerKind = AnswerKind> {
  answer: AnswersByKind[Kind];
  /** Hash of what the answer is about. */
  aboutHash: string;
  person: string;
  /** ISO instant. */
  at: string;
  note?: string;
}

/** An answer that is given now. */
export interface NewAnswer<Kind extends AnswerKind>
  extends Pick<Answer<Kind>, 'answer' | 'aboutHash' | 'person' | 'note'> {
  key: string;
}

const DAY_MS = 86_400_000;

/** The answers of people to questions about records. An answer holds only while what it is about is the same. */
export function createAnswerStore({ db, now, forRows }: LedgerDatabase, keptAs: KeptAs) {
  return { answer, answersTo, allAnswers, takeBack, renameAnswer, noteUse };

  /** Stores answers, in place of earlier ones to the same questions. */
  async function answer<Kind extends AnswerKind>(
    sync: string,
    kind: Kind,
    answers: ReadonlyArray<NewAnswer<Kind>>,
  ): Promise<void> {
    const rows = answers.map(({ key, answer: given, aboutHash: about_hash, person, note = null }) => {
      return { sync: keptAs(sync), key, kind, about_hash, answer: given, person, note };
    });
    const replaced = sql.join(
      ['about_hash', 'answer', 'person', 'answered_at', 'used_at', 'note'].map(
        (column) => sql`${sql.ref(column)} = excluded.${sql.ref(column)}`,
      ),
    );
    await db.transaction().execute((transaction) =>
      forRows(
        transaction,
        rows,
        (table) => sql`
          insert into answers (sync, key, kind, about_hash, answer, person, note, answered_at, used_at)
          select sync, key, kind, about_hash, answer, person, note, ${now}, ${now} from ${table} as given where true
          on conflict (sync, key, kind) do update set ${replaced}`,
      ),
    );
  }

  /** The answers to a question about some records, by the keys of the records. */
  async function answersTo<Kind extends AnswerKind>(
    sync: string,
    kind: Kind,
    keys: readonly string[],
  ): Promise<Map<string, Answer<Kind>>> {
    if (keys.length === 0) return new Map();
    const ofKind = db
      .selectFrom('answers')
      .selectAll()
      .where(({ and }) => and({ sync: keptAs(sync), kind }));
    const rows = await ofKind.where('key', 'in', keys).execute();
    return new Map(rows.map((row) => [row.key, toAnswer<Kind>(row)]));
  }

  /** All answers to a question about records of a sync, by their keys. */
  async function allAnswers<Kind extends AnswerKind>(sync: string, kind: Kind): Promise<Map<string, Answer<Kind>>> {
    const rows = await db
      .selectFrom('answers')
      .selectAll()
      .where(({ and }) => and({ sync: keptAs(sync), kind }))
      .execute();
    return new Map(rows.map((row) => [row.key, toAnswer<Kind>(row)]));
  }

  /** Takes an answer back: the question is open again. */
  async function takeBack(sync: string, kind: AnswerKind, key: string): Promise<void> {
    await db
      .deleteFrom('answers')
      .where(({ and }) => and({ sync: keptAs(sync), kind, key }))
      .execute();
  }

  /** What an answer is about has another name. */
  async function renameAnswer(
    sync: string,
    kind: AnswerKind,
    { from, to, aboutHash }: { from: string; to: string; aboutHash: string },
  ): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      await transaction
        .deleteFrom('answers')
        .where(({ and }) => and({ sync: keptAs(sync), kind, key: to }))
        .execute();
      await transaction
        .updateTable('answers')
        .set({ key: to, about_hash: aboutHash })
        .where(({ and }) => and({ sync: keptAs(sync), kind, key: from }))
        .execute();
    });
  }

  /** Remembers that a run has needed these answers: others expire. */
  async function noteUse(sync: string, kind: AnswerKind, keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    await db
      .updateTable('answers')
      .set({ used_at: now })
      .where(({ and }) => and({ sync: keptAs(sync), kind }))
      .where('key', 'in', keys)
      .where(sql<boolean>`used_at < ${now} - ${DAY_MS}`)
      .execute();
  }
}

function toAnswer<Kind extends AnswerKind>(row: AnswersTable): Answer<Kind> {
  return {
    answer: row.answer as AnswersByKind[Kind],
    aboutHash: row.about_hash,
    person: row.person,
    at: new Date(row.answered_at).toISOString(),
    ...(row.note === null ? {} : { note: row.note }),
  };
}
