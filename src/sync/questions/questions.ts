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

// The questions of a sync: if it has several sources, whether they have the same events; otherwise, whether its records are known ones.

type QuestionContext = Pick<RunContext, 'ledger' | 'sync'>;

/** What a person says about questions. */
interface Given {
  answer: 'same' | 'distinct';
  person: string;
  note?: string | undefined;
}

/** Returns the open questions of a sync. */
export function askedQuestions(context: QuestionContext): Promise<AskedQuestion[]> {
  return context.sync.sources ? questionsAboutEvents(context) : questionsAboutRecords(context);
}

/** Returns what people have answered. */
export function givenAnswers(context: QuestionContext): Promise<GivenAnswer[]> {
  return context.sync.sources ? answersAboutEvents(context) : answersAboutRecords(context);
}

/**
 * Stores an answer; the next run acts on it.
 * @param ids of questions; none: all that are open
 * @throws CodedError FF_NOTHING_TO_DO if no open question has one of these ids, FF_ANSWER_CONTRADICTS other answers
 */
export async function answerQuestions(ids: readonly string[], given: Given, context: QuestionContext): Promise<void> {
  if (!context.sync.sources) return answerAboutRecords(ids, given, context);
  const asked = ids.length > 0 ? ids : (await questionsAboutEvents(context)).map(({ id }) => id);
  return answerAboutEvents(asked, given, context);
}

/**
 * Takes answers back.
 * @throws CodedError FF_NOTHING_TO_DO if one of these questions was not answered
 */
export function takeBackAnswers(ids: readonly string[], context: QuestionContext): Promise<void> {
  return context.sync.sources ? takeBackAboutEvents(ids, context) : takeBackAboutRecords(ids, context);
}
