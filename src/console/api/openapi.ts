import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { calendarView } from '../../queries/views/calendar.ts';
import { dayView } from '../../queries/views/day.ts';
import { examinationView, queueView } from '../../queries/views/machine.ts';
import {
  attentionItem,
  overviewView,
  runRow,
  schedulerView,
  syncRow,
  targetView,
} from '../../queries/views/overview.ts';
import { recordDetail, recordLive, recordSource } from '../../queries/views/record.ts';
import {
  changeView,
  failureView,
  heldPlanView,
  plannedItem,
  purgePreviewView,
  runDetail,
  undoPreviewView,
} from '../../queries/views/run.ts';
import { countsView, decisionView, deedView, differenceView, problemView } from '../../queries/views/shared.ts';
import {
  allRejectsView,
  recordRow,
  rejectGroup,
  rejectsView,
  syncDetail,
  unmappedView,
} from '../../queries/views/sync.ts';
import { verificationView } from '../../queries/views/verification.ts';
import type { Endpoint } from './endpoint.ts';

/** Names of the schemas that responses consist of. */
const schemas = {
  ...{
    Overview: overviewView,
    SyncRow: syncRow,
    RunRow: runRow,
    Target: targetView,
    Scheduler: schedulerView,
    Attention: attentionItem,
  },
  ...{
    Sync: syncDetail,
    Rejects: rejectsView,
    AllRejects: allRejectsView,
    Day: dayView,
    RejectGroup: rejectGroup,
    Unmapped: unmappedView,
  },
  ...{ Run: runDetail, Change: changeView, Failure: failureView, UndoPreview: undoPreviewView },
  ...{ HeldPlan: heldPlanView, PlannedItem: plannedItem, PurgePreview: purgePreviewView },
  ...{ RecordRow: recordRow, Record: recordDetail, RecordSource: recordSource, RecordLive: recordLive },
  ...{ Calendar: calendarView, Examination: examinationView, Queue: queueView },
  ...{
    Counts: countsView,
    Verification: verificationView,
    Deed: deedView,
    Decision: decisionView,
    Difference: differenceView,
    Problem: problemView,
  },
};
for (const [id, schema] of Object.entries(schemas)) z.globalRegistry.add(schema, { id });

const failure = z.object({ error: problemView });

/** Describes endpoints as OpenAPI 3.1. */
export function describeApi(endpoints: readonly Endpoint[], version: string): ReturnType<typeof createDocument> {
  const paths: ZodOpenApiPathsObject = {};
  for (const each of endpoints) {
    const path = `/api${each.path.replaceAll(/:(\w+)/g, '{$1}')}`;
    paths[path] = { ...paths[path], [each.method.toLowerCase()]: operationOf(each) };
  }
  return createDocument({
    openapi: '3.1.0',
    info: { title: 'feedferry', version, description: 'What the console shows and does, as JSON.' },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'HTTP_TOKEN, HTTP_OPERATE_TOKEN or HTTP_VIEW_TOKEN' },
        basic: { type: 'http', scheme: 'basic', description: 'The token as password, with any user name' },
      },
    },
    security: [{ bearer: [] }, { basic: [] }],
    paths,
  });
}

function operationOf(each: Endpoint): ZodOpenApiOperationObject {
  const { role, summary, params, query, body, response, type = 'application/json', begins } = each;
  return {
    operationId: operationId(each),
    summary,
    description: `Role: ${role}`,
    requestParams: { ...(params && { path: params }), ...(query && { query }) },
    ...(body && { requestBody: { content: { 'application/json': { schema: body } } } }),
    responses: {
      [begins ? '202' : '200']: { description: summary, content: { [type]: { schema: response } } },
      default: { description: 'An error', content: { 'application/json': { schema: failure } } },
    },
  };
}

/** "GET /syncs/:sync/record/live" → "getSyncsRecordLive" */
function operationId({ method, path }: Endpoint): string {
  const words = path.split(/[/.]/).filter((word) => word !== '' && !word.startsWith(':'));
  const one = path.endsWith(':sync') || path.endsWith(':run') ? 'One' : '';
  return [method.toLowerCase(), ...words.map((word) => word[0]?.toUpperCase() + word.slice(1)), one].join('');
}
