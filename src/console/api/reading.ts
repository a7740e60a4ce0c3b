import { z } from 'zod';
import { isIsoDate } from '../../core/dates/iso-date.ts';
import { overviewView } from '../../queries/views/overview.ts';
import { questionsView } from '../../queries/views/question.ts';
import { recordDetail, recordSource } from '../../queries/views/record.ts';
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
import { recordPageView, recordStatus, rejectsView, runPageView, syncDetail } from '../../queries/views/sync.ts';
import { verificationView } from '../../queries/views/verification.ts';
import { type Endpoint, reads } from './endpoint.ts';

const MOST = 200;

const name = z.string().min(1);
const key = z.object({ key: name });
const after = name.optional().describe('`next` of the page before');
const page = z.object({ after, limit: z.coerce.number().int().min(1).max(MOST).default(50) });
const shortPage = page.extend({ limit: z.coerce.number().int().min(1).max(MOST).default(20) });
const search = page.extend({
  sync: name.optional().describe('if absent, the records of all syncs'),
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
  sync: name.optional().describe('if absent, the runs of all syncs'),
  day: day.optional(),
  status: z.union([runStatus, z.array(runStatus)]).optional(),
  changed: z.stringbool().optional().describe('only runs that changed something in the CMS'),
});
const reading = z.object({
  run: name.optional().describe('if absent, the last run that has read records'),
});

/** Endpoints of the API that only read. */
export const readingEndpoints: Endpoint[] = [
  reads({
    path: '/overview',
    summary: 'All syncs, the state of the CMS, and what needs a person',
    response: overviewView,
    handle: (_, { queries }) => queries.overview(),
  }),
  reads({
    path: '/syncs/:sync',
    summary: 'One sync with its config',
    response: syncDetail,
    handle: ({ params }, { queries }) => queries.sync(params.sync),
  }),
  reads({
    path: '/syncs/:sync/record',
    summary: 'What the ledger knows of a record, with its history',
    query: key,
    response: recordDetail,
    handle: ({ params, query }, { queries }) => queries.record(params.sync, query.key),
  }),
  reads({
    path: '/syncs/:sync/record/source',
    summary: 'What the feed has for a record now; reads the feed',
    query: key,
    response: recordSource,
    handle: ({ params, query }, { queries, signal }) => queries.recordSource(params.sync, query.key, signal),
  }),
  reads({
    path: '/syncs/:sync/rejects',
    summary: 'The rejections of a run, grouped by reason',
    query: reading.extend({
      limit: z.coerce.number().int().min(1).max(MOST).optional().describe('how many of each reason; if absent, 20'),
    }),
    response: rejectsView,
    handle: ({ params, query }, { queries }) => queries.rejects(params.sync, query),
  }),
  reads({
    path: '/syncs/:sync/rejects.csv',
    summary: 'The rejections of a run, as a table',
    query: reading,
    response: z.string(),
    type: 'text/csv',
    async handle({ params, query }, { queries }) {
      // Throws for an unknown sync before the first line is sent.
      await queries.rejects(params.sync, query);
      return queries.rejectsCsv(params.sync, query.run);
    },
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
    query: runSearch,
    response: runPageView,
    handle: ({ query }, { queries }) => queries.runs(searchedRuns(query)),
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
];

function searchedRuns({ status, ...rest }: z.output<typeof runSearch>) {
  return { ...rest, ...(status && { statuses: [status].flat() }) };
}

function searched({ state, ...rest }: z.output<typeof search>) {
  return { ...rest, ...(state && { states: [state].flat() }) };
}
