import { sql } from 'kysely';
import type { KeptAs } from '../database/kept-as.ts';
import type { AnswersTable, LedgerDatabase } from '../database/schema.ts';
import { all, change } from '../database/statements.ts';
import { isOneOf } from '../database/value-lists.ts';

/** What a person has said: both are one thing, or two. */
export interface Answer {
  answer: AnswersTable['answer'];
  person: string;
  /** ISO instant. */
  at: string;
  note?: string;
}

/** An answer that is given now. */
export interface NewAnswer extends Pick<Answer, 'answer' | 'person' | 'note'> {
  /** Two places, two members, or a series and a source. */
  about: string;
}

/** What people have said about the events of several sources, which are no records. */
export function createAnswerStore({ db, now, forRows }: LedgerDatabase, keptAs: KeptAs) {
  return { answer, allAnswers, takeBack, renameAnswer };

  /** Stores answers, in place of earlier ones about the same. */
  async function answer(sync: string, answers: readonly NewAnswer[]): Promise<void> {
    const rows = answers.map(({ about, answer: given, person, note = null }) => {
      return { sync: keptAs(sync), about, answer: given, person, note };
    });
    await db.transaction().execute((transaction) =>
      forRows(
        transaction,
        rows,
        (table) => sql`
          insert into answers (sync, about, answer, person, note, answered_at)
          select sync, about, answer, person, note, ${now} from ${table} as given where true
          on conflict (sync, about) do update set
            answer = excluded.answer, person = excluded.person, note = excluded.note, answered_at = excluded.answered_at`,
      ),
    );
  }

  /** All answers about the events of a sync, by what they are about. */
  async function allAnswers(sync: string): Promise<Map<string, Answer>> {
    const rows = await all<AnswersTable>(db)`select * from answers where sync = ${keptAs(sync)}`;
    return new Map(rows.map((row) => [row.about, toAnswer(row)]));
  }

  /** Takes answers back: the questions are open again. */
  async function takeBack(sync: string, abouts: readonly string[]): Promise<void> {
    await change(db)`delete from answers where sync = ${keptAs(sync)} and ${isOneOf('about', abouts)}`;
  }

  /** What an answer is about has another name. */
  async function renameAnswer(sync: string, { from, to }: { from: string; to: string }): Promise<void> {
    await takeBack(sync, [to]);
    await change(db)`update answers set about = ${to} where sync = ${keptAs(sync)} and about = ${from}`;
  }
}

/** The answer in a row that has one. */
export function toAnswer({ answer, person, answered_at, note }: Omit<AnswersTable, 'sync' | 'about'>): Answer {
  return { answer, person, at: new Date(answered_at).toISOString(), ...(note === null ? {} : { note }) };
}
