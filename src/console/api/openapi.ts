import { z } from 'zod';
import { problemView } from '../../queries/views/shared.ts';
import { pathParams } from '../access/path-params.ts';
import type { Endpoint } from './endpoint.ts';

const failure = z.object({ error: problemView });

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Describes endpoints as OpenAPI 3.1. */
export function describeApi(endpoints: readonly Endpoint[], version: string) {
  const answers = z.object({ ...endpoints.map(({ response }) => response), failure });
  const { properties = {}, $defs } = z.toJSONSchema(answers, { override: ({ jsonSchema }) => delete jsonSchema.id });
  const paths: Record<string, Record<string, ReturnType<typeof operationOf>>> = {};
  for (const [at, each] of endpoints.entries()) {
    const path = `/api${each.path.replaceAll(/:(\w+)/g, '{$1}')}`;
    paths[path] = {
      ...paths[path],
      [each.method.toLowerCase()]: operationOf(each, properties[at], properties.failure),
    };
  }
  const description = {
    openapi: '3.1.0',
    info: { title: 'feedferry', version, description: 'What the console shows and does, as JSON.' },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'HTTP_TOKEN, HTTP_OPERATE_TOKEN or HTTP_VIEW_TOKEN' },
        basic: { type: 'http', scheme: 'basic', description: 'The token as password, with any user name' },
      },
      schemas: $defs ?? {},
    },
    security: [{ bearer: [] }, { basic: [] }],
    paths,
  };
  // Named schemas have another place in OpenAPI than in JSON Schema.
  const text = JSON.stringify(description).replaceAll('"#/$defs/', '"#/components/schemas/');
  return JSON.parse(text) as typeof description;
}

function operationOf(each: Endpoint, response: unknown, error: unknown) {
  const { role, summary, path, params = pathParams(path), query, body, type = 'application/json', begins } = each;
  return {
    operationId: operationId(each),
    summary,
    description: `Role: ${role}`,
    parameters: [...parametersOf('path', params), ...(query ? parametersOf('query', query) : [])],
    ...(body && { requestBody: { content: { 'application/json': { schema: inputOf(body) } } } }),
    responses: {
      [begins ? '202' : '200']: { description: summary, content: { [type]: { schema: response } } },
      default: { description: 'An error', content: { 'application/json': { schema: error } } },
    },
  };
}

function parametersOf(place: 'path' | 'query', schema: z.ZodObject) {
  const { properties = {}, required = [] } = inputOf(schema);
  return Object.entries(properties).map(([name, value]) => ({
    ...{ in: place, name, schema: value, required: required.includes(name) },
    description: (value as JsonSchema).description,
  }));
}

function inputOf(schema: z.ZodType): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return rest;
}

/** "GET /syncs/:sync/record/live" → "getSyncsRecordLive" */
function operationId({ method, path }: Endpoint): string {
  const words = path.split(/[/.]/).filter((word) => word !== '' && !word.startsWith(':'));
  const one = path.endsWith(':sync') || path.endsWith(':run') ? 'One' : '';
  return [method.toLowerCase(), ...words.map((word) => word[0]?.toUpperCase() + word.slice(1)), one].join('');
}
