import { z } from 'zod';
import { isIsoDate } from '../../core/dates/iso-date.ts';
import { calendarView } from '../../queries/views/calendar.ts';
import { dayView } from '../../queries/views/day.ts';
import { examinationView, queueView } from '../../queries/views/machine.ts';
import { newsView, overviewView, syncRow } from '../../queries/views/overview.ts';
import { questionsView } from '../../queries/views/question.ts';
import { recordDetail, recordLive, recordRejection, recordSource } from '../../queries/views/record.ts';
import {
  changePage,
  changeView,
  failurePage,
  heldPlanView,
  plannedPage,
  purgePreviewView,
  runDetail,
  undoPreviewView,
} from '../../queries/views/run.ts';
import { runStatus } from '../../queries/views/shared.ts';
import {
  allRejectsView,
  recordPageView,
  recordStatus,
  rejectsView,
  runPageView,
  syncDetail,
  unmappedView,
} from '../../queries/views/sync.ts';
import { verificationView } from '../../queries/views/verification.ts';
import { type Endpoint, reads } from './endpoint.ts';

const MOST = 200;

const name = z.string().min(1);
const key = z.object({ key: name });
const after = name.optional().describe('`next` of the page before');
const page = z.object({ after, limit: z.coerce.number().int().min(1).max(MOST).default(50) });
const shortPage = page.extend({ limit: z.coerce.number().int().min(1).max(MOST).default(20) });
const search = page.extend({
  words: z
    .string()
    .optional()
    .describe(
      'beginnings of words of title, name, key and e-mail address, a day (2027-03-05) or month, a CMS id or a CMS address',
    ),
  state: z.union([recordStatus, z.array(recordStatus)]).optional(),
});

const day = z
  .string()
  .refine(isIsoDate, 'not a day such as 2027-03-01')
  .describe('such as 2027-03-01, in the zone of the site');
const runSearch = shortPage.extend({
  day: day.optional(),
  status: z.union([runStatus, z.array(runStatus)]).optional(),
  changed: z.stringbool().optional().describe('only runs that changed something in the CMS'),
});
const reading = z.object({ run: name.optional().describe('if absent, the last run that has read records') });

/** Endpoints of the API that only read. */
export const readingEndpoints: Endpoint[] = [
  reads({
    path: '/overview',
    summary: 'All syncs, the state of the CMS, and what needs a person',
    response: overviewView,
    handle: (_, { queries }) => queries.overview(),
  }),
  reads({
    path: '/news',
    summary: 'What is new since a time: changes in the CMS, plans to decide, and rejects',
    query: z.object({ since: z.iso.datetime({ offset: true }).optional().describe('if absent, this time yesterday') }),
    response: newsView,
    handle: ({ query }, { queries }) => queries.news(query.since),
  }),
  reads({
    path: '/syncs',
    summary: 'Each sync: its health, schedule, the run in progress, its last run and last success',
    response: z.object({ syncs: z.array(syncRow) }),
    handle: async (_, { queries }) => ({ syncs: (await queries.overview()).syncs }),
  }),
  reads({
    path: '/syncs/:sync',
    summary: 'One sync with its config',
    response: syncDetail,
    handle: ({ params }, { queries }) => queries.sync(params.sync),
  }),
  reads({
    path: '/syncs/:sync/runs',
    summary: 'The runs of a sync, the newest first',
    query: runSearch,
    response: runPageView,
    handle: ({ params, query }, { queries }) => queries.runs({ ...params, ...searchedRuns(query) }),
  }),
  reads({
    path: '/syncs/:sync/records',
    summary: 'The records of a sync, searched in parts: a page may be empty and still have a next one',
    query: search,
    response: recordPageView,
    handle: ({ params, query }, { queries }) => queries.records({ ...params, ...searched(query) }),
  }),
  reads({
    path: '/syncs/:sync/record',
    summary: 'What the ledger knows of a record, with its history',
    query: key,
    response: recordDetail,
    handle: ({ params, query }, { queries }) => queries.record(params.sync, query.key),
  }),
  reads({
    path: '/syncs/:sync/record/rejection',
    summary: 'Why the last reading of the feed has rejected a record',
    query: key,
    response: recordRejection,
    handle: ({ params, query }, { queries }) => queries.recordRejection(params.sync, query.key),
  }),
  reads({
    path: '/syncs/:sync/record/source',
    summary: 'What the feed has for a record now; reads the feed',
    query: key,
    response: recordSource,
    handle: ({ params, query }, { queries, signal }) => queries.recordSource(params.sync, query.key, signal),
  }),
  reads({
    path: '/syncs/:sync/record/live',
    summary: 'The item of a record as the CMS has it now; requests it',
    query: key,
    response: recordLive,
    handle: ({ params, query }, { queries, signal }) => queries.recordLive(params.sync, query.key, signal),
  }),
  reads({
    path: '/syncs/:sync/rejects',
    summary: 'The rejections of a run, grouped by reason',
    query: reading,
    response: rejectsView,
    handle: ({ params, query }, { queries }) => queries.rejects(params.sync, query.run),
  }),
  reads({
    path: '/syncs/:sync/rejects.csv',
    summary: 'The rejections of a run, as a table',
    query: reading,
    response: z.string(),
    type: 'text/csv',
    async handle({ params, query }, { queries }) {
      // Throws for an unknown sync before the first line is sent.
      await queries.rejects(params.sync, query.run);
      return queries.rejectsCsv(params.sync, query.run);
    },
  }),
  reads({
    path: '/syncs/:sync/unmapped',
    summary: 'Fields of the feed that the sync does not use; reads the feed',
    response: unmappedView,
    handle: ({ params }, { queries, signal }) => queries.unmapped(params.sync, signal),
  }),
  reads({
    path: '/syncs/:sync/questions',
    summary: 'Whether events of several sources, or records, are the same: the open questions, and the answers',
    response: questionsView,
    handle: ({ params }, { queries }) => queries.questions(params.sync),
  }),
  reads({
    path: '/syncs/:sync/verification',
    summary: 'The last verification, and the differences between records and the CMS that are known',
    query: page,
    response: verificationView,
    handle: ({ params, query }, { queries }) => queries.verification(params.sync, query),
  }),
  reads({
    path: '/runs',
    summary: 'The newest runs of all kinds, of one sync or of all',
    query: runSearch.extend({ sync: name.optional() }),
    response: runPageView,
    handle: ({ query }, { queries }) => queries.runs(searchedRuns(query)),
  }),
  reads({
    path: '/rejects',
    summary: 'How many records the last reading of each sync has rejected, and why',
    response: allRejectsView,
    handle: (_, { queries }) => queries.allRejects(),
  }),
  reads({
    path: '/days/:day',
    summary: 'What all syncs did on a day: runs, changes, rejections, decisions',
    params: z.object({ day }),
    response: dayView,
    handle: ({ params }, { queries }) => queries.day(params.day),
  }),
  reads({
    path: '/runs/:run',
    summary: 'One run; while it is in progress, with its progress and its counts so far',
    response: runDetail,
    handle: ({ params }, { queries }) => queries.run(params.run),
  }),
  reads({
    path: '/runs/:run/changes',
    summary: 'The items that a run created, changed or removed',
    query: page.extend({
      effect: changeView.shape.effect.optional(),
      attribute: name.optional().describe('only changes of this attribute'),
    }),
    response: changePage,
    handle: ({ params, query }, { queries }) => queries.changes(params.run, query),
  }),
  reads({
    path: '/runs/:run/failures',
    summary: 'The records that a run could not deliver, with the answer of the CMS',
    query: page,
    response: failurePage,
    handle: ({ params, query }, { queries }) => queries.failures(params.run, query),
  }),
  reads({
    path: '/runs/:run/undo',
    summary: 'What an undo would do, and leave alone; reads live items',
    response: undoPreviewView,
    handle: ({ params }, { queries, signal }) => queries.undoPreview(params.run, signal),
  }),
  reads({
    path: '/plans',
    summary: 'The plans that wait for a decision',
    response: z.object({ plans: z.array(heldPlanView) }),
    handle: async (_, { queries }) => ({ plans: await queries.heldPlans() }),
  }),
  reads({
    path: '/runs/:run/plan',
    summary: 'The plan of a held run; `set` identifies the changes for which it is held',
    response: heldPlanView,
    handle: ({ params }, { queries }) => queries.heldPlan(params.run),
  }),
  reads({
    path: '/runs/:run/plan/items',
    summary: 'The items that a held plan would change',
    query: page,
    response: plannedPage,
    handle: ({ params, query }, { queries }) => queries.plannedItems(params.run, query),
  }),
  reads({
    path: '/syncs/:sync/purge',
    summary: 'What a purge of a sync would delete; its file may be missing',
    query: page,
    response: purgePreviewView,
    handle: ({ params, query }, { queries }) => queries.purgePreview(params.sync, query),
  }),
  reads({
    path: '/records',
    summary: 'The records of all syncs, searched in parts: a page may be empty and still have a next one',
    query: search,
    response: recordPageView,
    handle: ({ query }, { queries }) => queries.records(searched(query)),
  }),
  reads({
    path: '/calendar',
    summary: 'What was delivered to the calendar in a month',
    query: z.object({
      month: z
        .string()
        .regex(/^\d{4}-(0[1-9]|1[0-2])$/)
        .describe('such as 2027-03'),
      sync: name.optional(),
    }),
    response: calendarView,
    handle: ({ query }, { queries }) => queries.calendar(query.month, query.sync),
  }),
  reads({
    path: '/doctor',
    summary: 'The findings of the last examination',
    response: examinationView,
    handle: (_, { queries }) => queries.examination(),
  }),
  reads({
    path: '/queue',
    summary: 'Depth and age of the queue, and its workers',
    response: queueView,
    handle: (_, { queries }) => queries.queue(),
  }),
];

function searchedRuns({ status, ...rest }: z.output<typeof runSearch>) {
  return { ...rest, ...(status && { statuses: [status].flat() }) };
}

function searched({ state, ...rest }: z.output<typeof search>) {
  return { ...rest, ...(state && { states: [state].flat() }) };
}
