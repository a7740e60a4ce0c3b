import { z } from 'zod';
import { recordAnswers } from '../../core/errors.ts';
import { instant, view } from './shared.ts';

/** A record of a source, as people compare it with another one. */
const askedRecord = z.object({
  key: z.string(),
  /** Who has it: a source, or an item. */
  source: z.string(),
  /** Title, day, time and place in one line. */
  title: z.string(),
  event: z.object({
    title: z.string().optional(),
    day: z.string().optional(),
    /** Only if it is another day. */
    lastDay: z.string().optional(),
    /** Absent: the event lasts all day. */
    start: z.string().optional(),
    end: z.string().optional(),
    place: z.string().optional(),
    /** Its beginning, without HTML. */
    description: z.string().optional(),
  }),
});

const whys = [
  'places',
  'noPlace',
  'allDay',
  'series',
  'several',
  'moved',
  'withdrawn',
  'keyChanged',
  'keyReused',
  'new',
  'rule',
] as const;

/** Whether two records of different sources are the same event, or a record is a known one. */
export const questionView = view('Question', {
  id: z.string(),
  why: z.enum(whys),
  /** The same, as a sentence. */
  reason: z.string(),
  /** The one that waits, and the one that may be the same event; none: is the record published? */
  records: z.array(askedRecord),
  /** How many records wait for the answer. */
  waiting: z.number(),
});

/** What a person has answered. */
export const givenAnswerView = view('GivenAnswer', {
  id: z.string(),
  /** `apart`: nobody was asked; an undo has separated what the rules had joined. */
  why: z.enum([...whys, 'apart']),
  /** Two places, two records, or a series and a source. */
  about: z.string(),
  /** The records, if it is about two that their sources still have. */
  records: z.array(askedRecord).optional(),
  answer: z.enum(recordAnswers),
  person: z.string(),
  at: instant,
  note: z.string().optional(),
});

/** The questions of a sync: about the events of several sources, or about its records. */
export const questionsView = view('Questions', {
  sync: z.string(),
  /** How many are open. */
  total: z.number(),
  /** The first of them. */
  questions: z.array(questionView),
  /** Records that look like items of editors or of other syncs, and wait until a person says whether they are the same; absent: none. */
  alike: z.array(z.object({ key: z.string(), title: z.string().optional(), reason: z.string() })).optional(),
  /** The newest first. */
  answers: z.array(givenAnswerView),
});

export type QuestionView = z.output<typeof questionView>;
export type GivenAnswerView = z.output<typeof givenAnswerView>;
export type QuestionsView = z.output<typeof questionsView>;
