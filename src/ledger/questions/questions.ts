import { type Kysely, type Nullable, type RawBuilder, sql } from 'kysely';
import { codesAnsweredBy } from '../../core/errors.ts';
import { ABOUT_NEW, type Payload, type Resource } from '../../core/record.ts';
import { type Answer, type NewAnswer, toAnswer } from '../answers/answers.ts';
import { contentIn } from '../database/queries.ts';
import { hasError, reportedError } from '../database/record-error.ts';
import type {
  LedgerDatabase,
  LedgerTables,
  QuestionsTable,
  RecordContents,
  RecordsTable,
  StagedRow,
} from '../database/schema.ts';
import { all, change } from '../database/statements.ts';
import { isOneOf } from '../database/value-lists.ts';
import { missed, move, returned } from '../records/transitions.ts';

/** How many records are held for an answer: whether they are the same as others, because they are new, and by a rule. */
export type HeldForAnswer = Record<'same' | 'new' | 'rule', number>;

/** Whether a record is one that the ledger knows, and what a person has said. */
export interface SamenessQuestion extends Partial<Answer> {
  kind: QuestionsTable['kind'];
  /** Key of the record that waits. */
  key: string;
  /** Key of the record that it may be; the same: what had its key before. */
  other: string;
  /** Of what tells them apart: after a change of it, the question is asked again. */
  aboutHash: string;
}

/** What a person has said about a record that looks like items of others. It holds while the record looks so. */
export interface ItemAnswer extends Answer {
  /** Hash of the look. */
  aboutHash: string;
}

/** A question that waits for an answer, with what a person needs to compare. */
export interface OpenQuestion extends SamenessQuestion {
  resource: Resource;
  /** What the source has now. */
  payload: Payload;
  /** Why the record is held. */
  reason: string;
  /** The item that it may be, and what the source had of it; absent: the question is whether the record is published. */
  item?: { cmsId: number; payload: Payload };
}

type AnswerColumns = Nullable<Pick<QuestionsTable, 'answer' | 'person' | 'note'>> & {
  answered_at: RawBuilder<number> | null;
};

/** `asks`: the columns by which a plan asks again. */
export interface StagedQuestion extends SamenessQuestion {
  /** The record has no item. */
  isNew: boolean;
  asks: Pick<StagedRow, 'error' | 'asked_about' | 'asked_hash'>;
}

/** Said by a person about questions. */
export type GivenSameness = Omit<NewAnswer, 'about'>;

/** The questions whether records are the same, by the ids of the records: an answer holds while both are known. */
export function createQuestionStore({ db, now }: LedgerDatabase) {
  return { answered, answersAbout, open, countOpen, staged, answer, takeBack };

  /** What people have said about the records of a sync, but for those that look like items of others. */
  async function answered(sync: string): Promise<SamenessQuestion[]> {
    return (await questionsOf(sync, sql`kind <> 'item' and answer is not null`)).map(toQuestion);
  }

  /** What people have said about new records (`review`), or about those that look like items of others, by their keys. */
  async function answersAbout(
    kind: 'item' | 'review',
    sync: string,
    keys: readonly string[],
  ): Promise<Map<string, ItemAnswer>> {
    const rows = await questionsOf(sync, sql`kind = ${kind} and ${isOneOf('waiting.key', keys)}`);
    return new Map(
      rows
        .map(toQuestion)
        .flatMap(({ key, kind: _, other: __, answer, person, at, ...rest }) =>
          answer && person !== undefined && at !== undefined ? [[key, { answer, person, at, ...rest }] as const] : [],
        ),
    );
  }

  /** The open questions of a sync, by the keys of the records that wait. */
  async function open(sync: string): Promise<OpenQuestion[]> {
    const rows = await questionsOf<ComparedColumns>(
      sync,
      sql`kind <> 'item' and answer is null and ${isAsked}`,
      sql`waiting.resource, waiting.desired, waiting.error, known.cms_id, known.delivered, known.desired as known_desired, known.item`,
    );
    return rows.flatMap((row) => {
      const { resource, desired, error } = row;
      const { reason } = reportedError(error);
      const question = { ...toQuestion(row), resource, payload: JSON.parse(desired) as Payload, reason };
      if (row.kind === 'review') return question;
      if (row.cms_id === null) return [];
      const isItself = row.key === row.other_key;
      const payload = contentIn({ ...row, desired: isItself ? '{}' : row.known_desired });
      return { ...question, item: { cmsId: row.cms_id, payload } };
    });
  }

  /** How many questions are open, by the names of the syncs that have any. */
  async function countOpen(): Promise<Map<string, HeldForAnswer>> {
    const counts = new Map<string, HeldForAnswer>();
    const rows = await all<{ sync: string; why: keyof HeldForAnswer; questions: number }>(db)`
      select waiting.sync, case when kind = 'key' then 'same' when about_hash = ${ABOUT_NEW} then 'new' else 'rule' end as why,
        count(*) as questions
      from questions cross join records as waiting
      where waiting.id = questions.record and answer is null and kind <> 'item' and ${isAsked}
      group by 1, 2
    `;
    for (const { sync, why, questions } of rows) {
      counts.set(sync, { ...(counts.get(sync) ?? { same: 0, new: 0, rule: 0 }), [why]: questions });
    }
    return counts;
  }

  /** What was asked last about the staged records that are held for it, whether or not it was answered since. */
  async function staged(run: string, sync: string): Promise<StagedQuestion[]> {
    const isStaged = sql`exists (select 1 from staged_changes where run = ${run} and staged_changes.key = waiting.key)`;
    const rows = await questionsOf<Pick<RecordsTable, 'error' | 'cms_id'>>(
      sync,
      sql`kind <> 'item' and ${isAsked} and ${isStaged}`,
      sql`waiting.error, waiting.cms_id`,
    );
    // Each plan reviews itself what is new.
    const isOfPlan = ({ kind, error }: (typeof rows)[number]) =>
      kind === 'review' && reportedError(error).code === 'FF_RECORD_REVIEW';
    return rows
      .filter((row) => !isOfPlan(row))
      .map((row) => ({
        ...toQuestion(row),
        isNew: row.cms_id === null,
        asks: {
          ...{ error: row.error, asked_about: row.other === row.record ? 0 : row.other, asked_hash: row.about_hash },
        },
      }));
  }

  /** Stores an answer to the open questions about these records. Returns the keys of those that have one. */
  function answer(sync: string, keys: readonly string[], { answer, person, note }: GivenSameness): Promise<string[]> {
    const given = { answer, person, note: note ?? null, answered_at: now };
    const isOfKind = {
      ...{ same: sql`kind <> 'review'`, distinct: sql`kind <> 'review'`, publish: sql`kind = 'review'` },
      leave: sql`kind = 'review' and waiting.cms_id is null`,
    }[answer];
    return store(sync, sql`${isOfKind} and ${isAsked} and ${isOneOf('waiting.key', keys)}`, given);
  }

  /** Takes the answers about these records back. Returns the keys of those that had one. */
  function takeBack(sync: string, keys: readonly string[]): Promise<string[]> {
    const none = { answer: null, person: null, note: null, answered_at: null };
    return store(sync, sql`answer is not null and ${isOneOf('waiting.key', keys)}`, none);
  }

  async function store(sync: string, condition: RawBuilder<unknown>, columns: AnswerColumns): Promise<string[]> {
    const rows = await questionsOf(sync, condition);
    // What is different from a record of the feed is not in the feed.
    const lost = rows.flatMap(({ record, other }) => (record === other ? [] : [other]));
    const missing = columns.answer === 'distinct' ? missed(now) : columns.answer === null ? returned : undefined;
    await db.transaction().execute(async (transaction) => {
      for (const { record, other, kind } of rows) {
        await change(transaction)`
          update questions set answer = ${columns.answer}, person = ${columns.person}, note = ${columns.note},
            answered_at = ${columns.answered_at}
          where record = ${record} and other = ${other} and kind = ${kind}
        `;
      }
      if (missing && lost.length > 0) await move(missing, { where: sql`${isOneOf('id', lost)}` }).execute(transaction);
    });
    return rows.map(({ key }) => key);
  }

  /** SQLite reads the tables of a cross join in their order: questions are few. */
  function questionsOf<More = unknown>(sync: string, condition: RawBuilder<unknown>, more = sql`1 as one`) {
    return all<Row & More>(db)`
      select questions.*, waiting.key, known.key as other_key, ${more}
      from questions cross join record_contents as waiting join record_contents as known on known.id = questions.other
      where waiting.id = questions.record and waiting.sync = ${sync} and ${condition}
      order by waiting.key
    `;
  }
}

/** The last run that wanted the record holds it for the question. */
const isAsked = sql<boolean>`(waiting.status = 'held' and waiting.run = questions.run)`;

/**
 * Stores what a plan asks, in the transaction that makes it the desired state, and what the person who has approved it has said. Earlier answers
 * about the same stay.
 */
export async function storeQuestions(
  transaction: Kysely<LedgerTables>,
  { run, sync, now }: { run: string; sync: string } & Pick<LedgerDatabase, 'now'>,
): Promise<void> {
  await change(transaction)`
    insert into questions (record, other, kind, about_hash, run, asked_at, answer, person, answered_at, note)
    select records.id, case when asked_hash = '' then asked_about else records.id end,
      case when op = 'create' or ${hasError('FF_RECORD_ALIKE')} then 'item' when ${hasError(...codesAnsweredBy.publish)} then 'review' else 'key' end,
      asked_hash, ${run}, ${now},
      case when op = 'create' then 'distinct' end, case when op = 'create' then coalesce(doer, 'unknown') end,
      case when op = 'create' then ${now} end, case when op = 'create' then reason end
    from staged_changes join records on records.sync = ${sync} and records.key = staged_changes.key
      left join deeds on deeds.run = staged_changes.run and deed = 'approve'
    where staged_changes.run = ${run} and op in ('held', 'create') and asked_about is not null
    on conflict (record, other, kind) do update set
      about_hash = excluded.about_hash, run = excluded.run, asked_at = excluded.asked_at,
      answer = coalesce(excluded.answer, case when questions.about_hash = excluded.about_hash then questions.answer end),
      person = coalesce(excluded.person, questions.person), answered_at = coalesce(excluded.answered_at, questions.answered_at),
      note = case when excluded.answer is null then questions.note else excluded.note end
  `;
}

type Row = QuestionsTable & { key: string; other_key: string };
type ComparedColumns = Pick<RecordContents, 'resource' | 'desired' | 'error' | 'cms_id' | 'delivered' | 'item'> & {
  known_desired: string;
};

function toQuestion({ kind, key, other_key, about_hash, answer, person, answered_at, note }: Row): SamenessQuestion {
  return {
    ...{ kind, key, other: other_key, aboutHash: about_hash },
    ...(answer === null || person === null || answered_at === null
      ? {}
      : toAnswer({ answer, person, answered_at, note })),
  };
}
