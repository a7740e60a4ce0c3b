import { CodedError } from '../../core/errors.ts';
import type { GivenSameness } from '../../ledger/questions/questions.ts';
import type { RunContext } from '../context/run-context.ts';
import {
  type AskedQuestion,
  answerAboutEvents,
  answersAboutEvents,
  type GivenAnswer,
  questionsAboutEvents,
  takeBackAboutEvents,
} from '../merge/event-questions.ts';
import {
  answerAboutRecords,
  answersAboutRecords,
  questionsAboutRecords,
  takeBackAboutRecords,
} from './record-questions.ts';

// The questions of a sync: whether its records are known ones, whether new ones are published, and whether several sources have the same events.

type QuestionContext = Pick<RunContext, 'ledger' | 'sync'>;

/** Returns the open questions of a sync. */
export async function askedQuestions(context: QuestionContext): Promise<AskedQuestion[]> {
  const events = context.sync.sources ? await questionsAboutEvents(context) : [];
  return [...events, ...(await questionsAboutRecords(context))];
}

/** Counts the open questions about the events of a sync with several sources. It compares all its events. */
export async function countAboutEvents(context: QuestionContext): Promise<number> {
  return context.sync.sources ? (await questionsAboutEvents(context)).length : 0;
}

/** Returns what people have answered. */
export async function givenAnswers(context: QuestionContext): Promise<GivenAnswer[]> {
  const events = context.sync.sources ? await answersAboutEvents(context) : [];
  return [...events, ...(await answersAboutRecords(context))];
}

/**
 * Stores an answer; the next run acts on it.
 * @param ids of questions; none: all that are open
 * @throws CodedError FF_NOTHING_TO_DO if no open question has one of these ids, FF_ANSWER_CONTRADICTS other answers
 */
export async function answerQuestions(
  ids: readonly string[],
  given: GivenSameness,
  context: QuestionContext,
): Promise<void> {
  const isReview = given.answer === 'publish' || given.answer === 'leave';
  const open = await askedQuestions(context);
  const fitting = open.filter(({ why }) => (why === 'new' || why === 'rule') === isReview);
  const other = open.find(({ id }) => ids.includes(id) && !fitting.some((question) => question.id === id));
  if (other) {
    const message = `"${given.answer}" is no answer to the question "${other.id}" of "${context.sync.name}".`;
    throw new CodedError('FF_NOTHING_TO_DO', message);
  }
  const asked = ids.length > 0 ? ids : fitting.map(({ id }) => id);
  const ofRecords = new Set((await questionsAboutRecords(context)).map(({ id }) => id));
  const { records, events } = split(asked, ofRecords, context);
  if (events.length > 0) await answerAboutEvents(events, given, context);
  if (records.length > 0) await answerAboutRecords(records, given, context);
}

/**
 * Takes answers back.
 * @throws CodedError FF_NOTHING_TO_DO if one of these questions was not answered
 */
export async function takeBackAnswers(ids: readonly string[], context: QuestionContext): Promise<void> {
  const answered = new Set((await answersAboutRecords(context)).map(({ id }) => id));
  const { records, events } = split(ids, answered, context);
  if (events.length > 0) await takeBackAboutEvents(events, context);
  if (records.length > 0) await takeBackAboutRecords(records, context);
}

/** What nobody knows is refused with the events of several sources, or else with the records. */
function split(ids: readonly string[], ofRecords: ReadonlySet<string>, { sync }: QuestionContext) {
  const isAboutRecord = (id: string) => ofRecords.has(id) || !sync.sources;
  return { records: ids.filter(isAboutRecord), events: ids.filter((id) => !isAboutRecord(id)) };
}
