import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** Properties that any part of the description may have. */
export interface Described {
  $ref?: string;
  description?: string;
  /** What the API leaves open about this part. */
  'x-not-shown'?: string[];
}

/** A JSON Schema, with the keywords that the description uses. */
export interface ApiSchema extends Described {
  type?: string | string[];
  format?: string;
  default?: unknown;
  examples?: unknown[];
  properties?: Record<string, ApiSchema>;
  required?: string[];
  items?: ApiSchema;
  allOf?: ApiSchema[];
  anyOf?: ApiSchema[];
  additionalProperties?: ApiSchema;
}

export interface ApiParameter extends Described {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: ApiSchema;
  example?: string;
}

interface ApiBody extends Described {
  content?: Record<string, { schema: ApiSchema }>;
}

export interface ApiOperation extends Described {
  operationId: string;
  tags: string[];
  summary: string;
  parameters?: ApiParameter[];
  requestBody?: ApiBody;
  responses: Record<string, ApiBody>;
}

/** The methods that the description uses, as keys of a path. */
export const operationMethods = ['get', 'post', 'put', 'patch', 'delete'] as const;

type ApiPath = { parameters?: ApiParameter[] } & { [Method in (typeof operationMethods)[number]]?: ApiOperation };

/** The description of the CMS API, in OpenAPI 3.1. */
export interface ApiDescription {
  info: Described & { title: string; version: string; summary: string };
  'x-request-headers': Record<string, string>;
  servers: Array<Described & { url: string }>;
  tags: Array<Described & { name: string }>;
  paths: Record<string, ApiPath>;
  components: {
    securitySchemes: Record<string, Described>;
    schemas: Record<string, ApiSchema>;
  };
}

let loaded: ApiDescription | undefined;

/** Returns the description, which is read when it is first used. */
export function apiDescription(): ApiDescription {
  loaded ??= parse(readFileSync(join(import.meta.dirname, 'cms-api.yaml'), 'utf8')) as ApiDescription;
  return loaded;
}

/** Returns the part that a `$ref` names, or the part itself. Values beside a `$ref` take precedence. */
export function resolved<Part extends Described>(part: Part): Part {
  if (part.$ref === undefined) return part;
  const { $ref, ...beside } = part;
  const keys = $ref.replace('#/', '').split('/');
  const target = keys.reduce((at: unknown, key) => (at as Record<string, unknown>)[key], apiDescription());
  return { ...(target as Part), ...beside };
}
