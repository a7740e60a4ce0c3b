import { z } from 'zod';
import { syncNamed } from '../../config/select.ts';
import { CodedError, codesAnsweredBy, recordAnswers } from '../../core/errors.ts';
import { answerQuestions, takeBackAnswers } from '../../sync/questions/questions.ts';
import { adoptRun } from '../../sync/runs/adopt-run.ts';
import { describeAnswer, retryRun } from '../../sync/runs/retry-run.ts';
import { keys, name, note, ofSync } from './action.ts';

const { same, publish } = codesAnsweredBy;
const held = `held with ${same.slice(0, -1).join(', ')} or ${same.at(-1)}`;
const changed = z.object({ keys: z.array(name).describe('the records that this concerns') });
const questions = z.object({
  questions: z
    .array(name)
    .min(1)
    .max(1000)
    .describe('ids of the questions; also keys of records that are published as others'),
});

/** What can be done about records of a sync, and about what it asks. */
export const actionsOfRecords = {
  retry: ofSync({
    path: '/syncs/:sync/retry',
    role: 'operate',
    command: 'retry',
    summary: 'Try undelivered records of a sync again: those named, else all; with an answer, those that wait for one',
    done: 'The retry has begun.',
    input: z
      .strictObject({
        keys: keys.optional(),
        answer: z
          .union([
            z.literal('same').describe(`records ${held}: they are what they look like; do not create them`),
            z.literal('distinct').describe('such records: they are different from what they look like; create them'),
            z.literal('publish').describe(`records held with ${publish.join(' or ')}: send them`),
            z.literal('leave').describe('such records, if they are new: leave them out for good'),
          ])
          .optional(),
        note: note.optional(),
        recreate: z
          .boolean()
          .describe('create the items of these records again that were deleted in the CMS')
          .optional(),
      })
      .refine(({ answer, note: noted }) => answer !== undefined || noted === undefined, 'Choose an answer.'),
    /** @throws CodedError FF_SYNC_UNKNOWN, FF_RECORD_UNKNOWN, FF_NOTHING_TO_DO, FF_RUN_BUSY */
    async act({ sync, keys: named, answer, note: noted, recreate }, { app, begin }) {
      const said = answer && { answer, ...(noted !== undefined && { note: noted }) };
      const asked = { deed: 'retry', reason: said && describeAnswer(said) } as const;
      return begin(syncNamed(sync, app.config), asked, (context) =>
        retryRun(named, context, said, { recreates: recreate }),
      );
    },
  }),
  adopt: ofSync({
    path: '/syncs/:sync/record/adopt',
    role: 'approve',
    command: 'explain',
    summary: 'Make an item of the CMS the item of a record',
    done: 'The record has its item; what differs is delivered.',
    input: z.strictObject({ key: name, cmsId: z.int('Enter the number of an item.').min(1) }),
    /** @throws CmsError; CodedError FF_RECORD_UNKNOWN, FF_ADOPT_SETTLED, FF_ADOPT_TAKEN, FF_ADOPT_ITEM, FF_RUN_BUSY */
    async act({ sync, key, cmsId }, { app, begin }) {
      return begin(syncNamed(sync, app.config), { deed: 'adopt' }, (context) => adoptRun(key, cmsId, context));
    },
  }),
  acknowledge: ofSync({
    path: '/syncs/:sync/acknowledge',
    role: 'operate',
    command: 'acknowledge',
    summary: 'Acknowledge the problems of records (rejects, missing files, differences), until their reasons change',
    done: 'Acknowledged: it no longer asks for attention.',
    input: z
      .strictObject({
        keys: keys.optional(),
        code: name.describe('all records that the last reading has rejected with this code').optional(),
        note: note.optional(),
      })
      .refine(({ keys: named, code }) => named !== undefined || code !== undefined, 'Select a record.'),
    response: changed,
    /** @throws CodedError FF_SYNC_UNKNOWN, FF_NOTHING_TO_DO */
    async act({ sync, keys: named = [], code, note: noted }, { app: { config, ledger }, actor }) {
      const { acknowledgements } = ledger;
      const known = syncNamed(sync, config).name;
      const all = code === undefined ? [] : await acknowledgements.keysRejectedFor(known, code);
      const done = await acknowledgements.acknowledge(known, [...named, ...all], { person: actor.name, note: noted });
      if (done.length > 0) return { keys: done };
      const message = `None of these records of "${sync}" has a problem that can be acknowledged.`;
      throw new CodedError('FF_NOTHING_TO_DO', message);
    },
  }),
  takeBack: ofSync({
    path: '/syncs/:sync/acknowledge/take-back',
    role: 'operate',
    command: 'acknowledge',
    summary: 'Take back that problems of records were acknowledged',
    done: 'The acknowledgement is taken back.',
    input: z.strictObject({ keys }),
    response: changed,
    /** Throws as `acknowledge` does. */
    async act({ sync, keys: named }, { app: { config, ledger } }) {
      const done = await ledger.acknowledgements.takeBack(syncNamed(sync, config).name, named);
      if (done.length > 0) return { keys: done };
      throw new CodedError('FF_NOTHING_TO_DO', `No problem of these records of "${sync}" is acknowledged.`);
    },
  }),
  answer: ofSync({
    path: '/syncs/:sync/questions',
    role: 'operate',
    command: 'questions',
    summary: 'Answer whether records or events of several sources are the same; the next run acts on it',
    done: 'The answer is stored. The next run acts on it.',
    input: z.strictObject({ ...questions.shape, answer: z.enum(recordAnswers), note: note.optional() }),
    response: questions,
    /** @throws CodedError FF_SYNC_UNKNOWN, FF_NOTHING_TO_DO if one of the questions is not open */
    async act({ sync, questions: ids, answer, note: noted }, { app: { config, ledger }, actor }) {
      const given = { answer, person: actor.name, note: noted };
      await answerQuestions(ids, given, { ledger, sync: syncNamed(sync, config) });
      return { questions: ids };
    },
  }),
  takeBackAnswers: ofSync({
    path: '/syncs/:sync/questions/take-back',
    role: 'operate',
    command: 'questions',
    summary: 'Take back answers whether events of several sources are the same: the questions are open again',
    done: 'The answer is taken back. The next run asks again about what waits. What was published stays on the site; to remove it, delete it there.',
    input: questions.strict(),
    response: questions,
    leadsTo: '/syncs/:sync/questions',
    /** Throws as `answer` does. */
    async act({ sync, questions: ids }, { app: { config, ledger } }) {
      await takeBackAnswers(ids, { ledger, sync: syncNamed(sync, config) });
      return { questions: ids };
    },
  }),
};
