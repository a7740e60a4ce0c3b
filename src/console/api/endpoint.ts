import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Actor } from '../../app/actions/action.ts';
import type { Act } from '../../app/actions/actions.ts';
import type { ViewerRole } from '../../core/access/person.ts';
import { CodedError } from '../../core/errors.ts';
import type { Queries } from '../../queries/create-queries.ts';
import { needs } from '../access/guard.ts';
import { type PathParams, pathParams } from '../access/path-params.ts';

/** What an endpoint works with. */
export interface ApiContext {
  queries: Queries;
  act: Act;
  /** Sender of the request, for the history. */
  actor: Actor;
  /** Aborted if the client leaves. */
  signal: AbortSignal;
}

type Parts = z.ZodObject;

/** One address of the JSON API, with everything that the API's description says about the address. */
export interface Endpoint<
  Path extends string = string,
  Query extends Parts = Parts,
  Body extends Parts = Parts,
  Response extends z.ZodType = z.ZodType,
> {
  method: 'GET' | 'POST';
  /** Path without `/api`, such as "/runs/:run". */
  path: Path;
  role: ViewerRole;
  summary: string;
  /** Schema of the parameters in the path; absent: texts. */
  params?: Parts;
  query?: Query;
  body?: Body;
  response: Response;
  /** Type of the response; if absent, JSON. */
  type?: 'text/csv';
  /** Whether the request begins a run. The response then has status 202 and the address of the run. */
  begins?: boolean;
  handle(
    input: { params: PathParams<Path>; query: z.output<Query>; body: z.output<Body> },
    context: ApiContext,
  ): Promise<z.input<Response> | AsyncIterable<string>> | z.input<Response>;
}

/** Defines an endpoint that only reads; the input of its function has the types of its schemas. */
export function reads<Path extends string, Query extends Parts, Body extends Parts, Response extends z.ZodType>(
  definition: Omit<Endpoint<Path, Query, Body, Response>, 'method' | 'role'>,
): Endpoint {
  return { method: 'GET', role: 'view', ...definition } as unknown as Endpoint;
}

const nothing = z.object({});

/** Serves an endpoint below `/api`. */
export function registerEndpoint(server: FastifyInstance, each: Endpoint, act: () => Act): void {
  const { method, path, role, params = pathParams(path), query = nothing, body = nothing, handle, type, begins } = each;
  server.route({
    method,
    url: `/api${path}`,
    onRequest: needs(role),
    handler: async (request, reply) => {
      const input = {
        params: parsed(params, request.params),
        query: parsed(query, request.query),
        body: parsed(body, request.body),
      };
      const result = await handle(input, contextOf(request, act()));
      if (begins) reply.code(202).header('location', `/api/runs/${(result as { run: string }).run}`);
      if (type === undefined) return reply.send(result);
      return reply.type(`${type}; charset=utf-8`).send(Readable.from(result as AsyncIterable<string>));
    },
  });
}

/** Returns what an endpoint works with for a request. */
export function contextOf({ viewer, queries, signal }: FastifyRequest, act: Act): ApiContext {
  return { queries, act, actor: { name: viewer.name, via: viewer.via }, signal };
}

/** @throws CodedError FF_HTTP_REQUEST */
export function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const { data, error } = schema.safeParse(value ?? {});
  if (error) throw new CodedError('FF_HTTP_REQUEST', z.prettifyError(error));
  return data as T;
}
