import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { problemView } from '../../queries/views/shared.ts';
import { pathParams } from '../access/path-params.ts';
import type { Endpoint } from './endpoint.ts';

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
  const {
    role,
    summary,
    path,
    params = pathParams(path),
    query,
    body,
    response,
    type = 'application/json',
    begins,
  } = each;
  return {
    operationId: operationId(each),
    summary,
    description: `Role: ${role}`,
    requestParams: { path: params, ...(query && { query }) },
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
