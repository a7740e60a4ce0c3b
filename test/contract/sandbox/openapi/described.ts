import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type ApiParameter, type ApiSchema, apiDescription, operationMethods, resolved } from './description.ts';

export type Operation = ReturnType<typeof allOperations>[number];

/** A request as it was sent, or is to be. */
export interface RequestFacts {
  /** With its query. */
  path: string;
  /** By names in lower case. */
  headers: Record<string, string>;
  body: string;
}

const description = apiDescription();
const strict = validator(false);
const lenient = validator(true);

export const operations = allOperations();

function allOperations() {
  return Object.entries(description.paths).flatMap(([path, methods]) =>
    operationMethods.flatMap((key) => {
      const operation = methods[key];
      if (!operation) return [];
      const [bodyType, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
      const responses = Object.entries(operation.responses).map(([status, response]) => [status, resolved(response)]);
      return [
        {
          id: operation.operationId,
          operation,
          method: key.toUpperCase(),
          route: path.replace('{id}', ':id'),
          parameters: [...(methods.parameters ?? []), ...(operation.parameters ?? [])].map(resolved),
          responses: Object.fromEntries(responses) as typeof operation.responses,
          bodyType,
          bodySchema: body?.schema,
        },
      ];
    }),
  );
}

/** Returns the operation that a request is for. */
export function operationOf(request: { method: string; route?: string }): Operation | undefined {
  return operations.find(({ method, route }) => method === request.method && route === request.route);
}

/** Returns what is wrong with a value. `isLenient` takes "1" for 1, and null for an empty text. */
export function valueMisfits(schema: ApiSchema | string, value: unknown, isLenient = false): string[] {
  const { compile } = isLenient ? lenient : strict;
  const validate = compile(typeof schema === 'string' ? { $ref: schema } : schema);
  // Lenience writes into the value.
  if (validate({ value: structuredClone(value) })) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath.slice(6)} ${message}`.trim());
}

/** Returns what is wrong with a request. */
export function requestMisfits(operation: Operation, { path, headers, body }: RequestFacts): string[] {
  const [place = '', search = ''] = path.split(/\?(.*)/s);
  const query = new URLSearchParams(search);
  const values = (parameter: ApiParameter): string[] => {
    if (parameter.in === 'query') return query.getAll(parameter.name);
    const value = parameter.in === 'path' ? place.split('/').at(-1) : headers[parameter.name.toLowerCase()];
    return value === undefined ? [] : [value];
  };
  return [
    ...headerMisfits(headers),
    ...operation.parameters.flatMap((parameter) => parameterMisfits(parameter, values(parameter))),
    ...bodyMisfits(operation, headers['content-type'] ?? '', body),
  ];
}

function headerMisfits(headers: Record<string, string>): string[] {
  const misfits = headers.authorization === undefined ? ['there is no token'] : [];
  for (const [name, value] of Object.entries(description['x-request-headers'])) {
    if (mediaType(headers[name.toLowerCase()]) !== value) misfits.push(`the header ${name} is not ${value}`);
  }
  return misfits;
}

function parameterMisfits({ name, required, schema }: ApiParameter, values: string[]): string[] {
  const [first, ...others] = values;
  if (first === undefined) return required ? [`${name} is missing`] : [];
  if (!schema.type) return [];
  if (others.length > 0) return [`${name} is given more than once`];
  const value = schema.type === 'integer' && /^-?\d+$/.test(first) ? Number(first) : first;
  return valueMisfits(schema, value).map((misfit) => `${name} ${misfit}`);
}

function bodyMisfits({ bodyType, bodySchema }: Operation, type: string, body: string): string[] {
  if (!bodyType || !bodySchema) return [];
  if (mediaType(type) !== bodyType) return [`the body is not ${bodyType}`];
  if (bodyType !== 'application/json') return [];
  try {
    return valueMisfits(bodySchema, JSON.parse(body)).map((misfit) => `in the body ${misfit}`);
  } catch {
    return ['the body is not JSON'];
  }
}

function mediaType(header = ''): string {
  return header.split(';')[0]?.trim().toLowerCase() ?? '';
}

function validator(isLenient: boolean) {
  const ajv = new Ajv2020({
    allErrors: false,
    coerceTypes: isLenient,
    strict: true,
    strictRequired: false,
    strictTypes: false,
  });
  addFormats.default(ajv);
  ajv.addVocabulary(['x-not-shown']);
  for (const [name, schema] of Object.entries(description.components.schemas)) {
    ajv.addSchema(schema, `#/components/schemas/${name}`);
  }
  const compiled = new Map<string, ValidateFunction>();
  return {
    compile(schema: ApiSchema): ValidateFunction {
      const key = JSON.stringify(schema);
      const known = compiled.get(key) ?? ajv.compile({ type: 'object', properties: { value: schema } });
      compiled.set(key, known);
      return known;
    },
  };
}
