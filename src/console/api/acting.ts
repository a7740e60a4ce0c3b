import { z } from 'zod';
import { askingCodes, CodedError } from '../../core/errors.ts';
import { acts, type Endpoint } from './endpoint.ts';

const name = z.string().min(1);
const reason = z
  .string()
  .trim()
  .min(1, 'Enter a reason.')
  .max(1000, 'Enter a shorter reason.')
  .describe('kept in the history of the run');
const decision = z.strictObject({ set: name.describe('`set` of the plan that was reviewed'), reason });
const keys = z.array(name).min(1, 'Select a record.').max(1000);
/** Checkboxes of a form: one or several. */
const chosen = z.union([name.transform((key) => [key]), keys], 'Select a record.');
const code = name.describe('all records that the last reading has rejected with this code');
const note = z.string().trim().max(1000, 'Enter a shorter note.');
/** What a person says about records that look like other items. */
const alike = {
  answer: z
    .enum(['same', 'distinct'])
    .optional()
    .describe(`about records held with ${askingCodes.join(', ')}: they are what they look like, or different`),
  note: note.optional(),
};
const hasAnswerIfNoted = (given: { answer?: string | undefined; note?: string | undefined }) =>
  given.answer !== undefined || given.note === undefined;
/** The page to which a form leads. */
const localPath = z.string().regex(/^\/(?![/\\])/);
/** The id of the hint of a form. */
const hint = z
  .string()
  .regex(/^[\w-]+$/)
  .optional();
/** The questions about events of several sources. */
const questions = z.object({
  questions: z
    .array(name)
    .min(1)
    .max(1000)
    .describe('ids of the questions; also keys of records that are published as others'),
});
const acknowledged = z.object({ keys: z.array(name).describe('the records that this concerns') });
const begun = z.object({ run: z.string(), started: z.boolean().describe('false: a run in progress was joined') });

/** Of an action that begins a run. */
const begins = { begins: true, response: begun } as const;

/**
 * Everything that people and programs can do, by name: an endpoint of the API, and a form at the same address without `/api`. The
 * form sends the body of the endpoint, and pages use `actionForm` to show it.
 */
export const acting = {
  start: acts({
    ...begins,
    path: '/runs',
    role: 'operate',
    summary: 'Start a run of a sync',
    body: z.strictObject({ sync: name }),
    response: begun.extend({ sync: z.string() }),
    async handle({ body }, { actions, actor }) {
      const { run: id, started } = await actions.begin(body.sync, actor);
      return { run: id, sync: body.sync, started };
    },
  }),
  retry: acts({
    ...begins,
    path: '/syncs/:sync/retry',
    role: 'operate',
    summary:
      'Try undelivered records of a sync again: those named, else all; with an answer, those that look like other items',
    body: z.strictObject({ keys: keys.optional(), ...alike }).refine(hasAnswerIfNoted, 'Choose an answer.'),
    form: z.strictObject({ keys: chosen.optional(), ...alike }).refine(hasAnswerIfNoted, 'Choose an answer.'),
    handle: ({ params, body: { keys: named, answer, ...noted } }, { actions, actor }) =>
      actions.retry(params.sync, named, actor, answer && { answer, ...noted }),
  }),
  adopt: acts({
    ...begins,
    path: '/syncs/:sync/record/adopt',
    role: 'approve',
    summary: 'Make an item of the CMS the item of a record',
    body: z.strictObject({ key: name, cmsId: z.int().min(1) }),
    form: z.strictObject({ key: name, cmsId: z.coerce.number('Enter the number of an item.').int().positive() }),
    handle: ({ params, body }, { actions, actor }) => actions.adopt(params.sync, body.key, body.cmsId, actor),
  }),
  purge: acts({
    ...begins,
    path: '/syncs/:sync/purge',
    role: 'approve',
    summary: 'Delete every item that a sync created, also if its file no longer exists',
    body: z.strictObject({ confirm: z.string().trim().describe('the name of the sync'), reason }),
    async handle({ params, body }, { actions, actor }) {
      if (body.confirm === params.sync) return actions.purge(params.sync, body.reason, actor);
      const message = `A purge needs the name of the sync as confirmation: "${params.sync}". Nothing was deleted.`;
      throw new CodedError('FF_HTTP_REQUEST', message);
    },
  }),
  acknowledge: acts({
    path: '/syncs/:sync/acknowledge',
    role: 'operate',
    summary: 'Acknowledge the problems of records (rejects, missing files, differences), until their reasons change',
    body: z.strictObject({ keys: keys.optional(), code: code.optional(), note: note.optional() }),
    form: z.strictObject({
      keys: chosen.optional(),
      code: code.optional(),
      note: note.optional(),
      back: localPath,
      hint,
    }),
    incomplete: (body) =>
      body.keys === undefined && body.code === undefined ? (body as { hint?: string }).hint : undefined,
    response: acknowledged,
    async handle({ params, body }, { actions, actor }) {
      return { keys: await actions.acknowledge(params.sync, body, actor) };
    },
  }),
  verify: acts({
    path: '/syncs/:sync/verification',
    role: 'operate',
    summary: 'Verify a sync in the background: compare the CMS with what was delivered, without writing to it',
    response: z.object({ sync: z.string() }),
    async handle({ params }, { actions, actor }) {
      await actions.verify(params.sync, actor);
      return { sync: params.sync };
    },
    leadsTo: '/syncs/:sync/verification',
  }),
  repair: acts({
    ...begins,
    path: '/syncs/:sync/repair',
    role: 'operate',
    summary: 'Verify a sync, and plan the repair of what differs; the plan is held until it is approved',
    handle: ({ params }, { actions, actor }) => actions.repair(params.sync, actor),
  }),
  takeBack: acts({
    path: '/syncs/:sync/acknowledge/take-back',
    role: 'operate',
    summary: 'Take back that problems of records were acknowledged',
    body: z.strictObject({ keys }),
    form: z.strictObject({ keys: chosen, back: localPath }),
    response: acknowledged,
    async handle({ params, body }, { actions }) {
      return { keys: await actions.takeBack(params.sync, body.keys) };
    },
  }),
  answer: acts({
    path: '/syncs/:sync/questions',
    role: 'operate',
    summary: 'Answer whether events of several sources are the same; the next run acts on it',
    body: z.strictObject({ ...questions.shape, answer: z.enum(['same', 'distinct']), note: note.optional() }),
    form: z.strictObject({ questions: chosen, answer: z.enum(['same', 'distinct']), note: note.optional() }),
    response: questions,
    async handle({ params, body }, { actions, actor }) {
      await actions.answer(params.sync, body, actor);
      return { questions: body.questions };
    },
  }),
  takeBackAnswers: acts({
    path: '/syncs/:sync/questions/take-back',
    role: 'operate',
    summary: 'Take back answers whether events of several sources are the same: the questions are open again',
    body: questions.strict(),
    form: z.strictObject({ questions: chosen }),
    response: questions,
    leadsTo: '/syncs/:sync/questions',
    async handle({ params, body }, { actions }) {
      await actions.takeBackAnswers(params.sync, body.questions);
      return { questions: body.questions };
    },
  }),
  undo: acts({
    ...begins,
    path: '/runs/:run/undo',
    role: 'approve',
    summary: 'Undo the changes of a run, except those that were changed again since',
    body: z.strictObject({ reason: reason.optional() }),
    handle: ({ params, body }, { actions, actor }) => actions.undo(params.run, body.reason, actor),
  }),
  approve: acts({
    ...begins,
    path: '/runs/:run/approve',
    role: 'approve',
    summary: 'Apply the plan of a held run, if it still is the set that was reviewed',
    body: decision,
    handle: ({ params, body }, { actions, actor }) => actions.approve(params.run, body, actor),
  }),
  reject: acts({
    path: '/runs/:run/reject',
    role: 'approve',
    summary: 'Drop the plan of a held run; nothing of it is applied',
    body: decision,
    response: z.object({ run: z.string() }),
    async handle({ params, body }, { actions, actor }) {
      await actions.reject(params.run, body, actor);
      return { run: params.run };
    },
  }),
  pause: acts({
    path: '/syncs/:sync/pause',
    role: 'operate',
    summary: 'Pause a sync: no run of it begins until it is resumed',
    body: z.strictObject({ reason }),
    response: z.object({ sync: z.string() }),
    leadsTo: '/syncs/:sync',
    async handle({ params, body }, { actions, actor }) {
      await actions.pause(params.sync, body.reason, actor);
      return { sync: params.sync };
    },
  }),
  resume: acts({
    path: '/syncs/:sync/resume',
    role: 'operate',
    summary: 'Resume a paused sync',
    response: z.object({ sync: z.string() }),
    leadsTo: '/syncs/:sync',
    async handle({ params }, { actions, actor }) {
      await actions.resume(params.sync, actor);
      return { sync: params.sync };
    },
  }),
  cancel: acts({
    path: '/runs/:run/cancel',
    role: 'operate',
    summary: 'Cancel a run: requests in flight end, and what was not sent waits for the next run',
    body: z.strictObject({ reason: reason.optional() }),
    response: z.object({
      run: z.string(),
      ended: z.boolean().describe('false: requests in flight are still to end'),
    }),
    handle: ({ params, body }, { actions, actor }) => actions.cancel(params.run, body.reason, actor),
  }),
  examine: acts({
    path: '/doctor',
    role: 'operate',
    summary: 'Start an examination, unless one is in progress',
    response: z.object({ started: z.literal(true) }),
    handle(_, { queries }) {
      queries.examine();
      return { started: true as const };
    },
  }),
} satisfies Record<string, Endpoint>;

export type ActionName = keyof typeof acting;
