import type { FastifyInstance } from 'fastify';
import type { Faults } from './faults/faults.ts';
import { strikeFaults } from './faults/strike-faults.ts';
import { corsHook } from './http/cors.ts';
import { ApiError, refuseUnknownPath } from './http/errors.ts';
import { bearerHook, checkClientHeaders } from './http/headers.ts';
import { acceptJsonBodies } from './http/json-body.ts';
import { rateLimitHook } from './http/rate-limit.ts';
import { onResponseEnd } from './http/response-end.ts';
import { apiPrefix, routeOf } from './http/route.ts';
import type { ExchangeRecorder } from './journal/record-exchanges.ts';
import type { SandboxSwitches } from './options.ts';
import type { ResourceKind } from './resource.ts';
import { resourceRoutes } from './resource-routes.ts';
import type { Counters } from './stats.ts';
import type { SandboxUploads } from './store/upload-store.ts';
import { uploadPath, uploadRoutes } from './upload.ts';

interface ApiParts {
  kinds: ResourceKind[];
  uploads: SandboxUploads;
  switches: SandboxSwitches;
  token: string;
  faults: Faults;
  counters: Counters;
  recorder: ExchangeRecorder;
  /** Aborted when the sandbox closes. */
  closing: AbortSignal;
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The API itself, to be registered under /api/v1: checks, faults and counters around its routes. */
export async function cmsRoutes(api: FastifyInstance, parts: ApiParts): Promise<void> {
  acceptJsonBodies(api);
  api.addHook('onRequest', corsHook(parts.switches.cors));
  parts.recorder.beginWith(api);
  countRequests(api, parts.counters);
  api.addHook('onRequest', bearerHook(parts.token));
  const { requestsPerSecond } = parts.switches;
  if (requestsPerSecond > 0) api.addHook('onRequest', rateLimitHook(requestsPerSecond));
  api.addHook('onRequest', async (request) => checkClientHeaders(request, parts.switches));
  strikeFaults(api, parts.faults, parts.closing, (request, struck) => {
    parts.counters.strike();
    parts.recorder.strike(request, struck);
  });
  parts.recorder.endWith(api);
  for (const kind of parts.kinds) resourceRoutes(api, kind, parts.switches);
  await uploadRoutes(api, parts.uploads, parts.switches);
  const paths = [...parts.kinds.flatMap(({ path }) => [path, `${path}/:id`]), uploadPath];
  for (const path of paths) refuseOtherMethods(api, path);
  api.setNotFoundHandler(refuseUnknownPath);
}

function countRequests(api: FastifyInstance, counters: Counters): void {
  api.addHook('onRequest', async (request, reply) => {
    counters.arrive();
    const route = `${request.method} ${routeOf(request) ?? '(unknown path)'}`;
    onResponseEnd(reply, () => {
      counters.end(route, reply.raw.writableFinished ? String(reply.statusCode) : 'broken');
    });
  });
}

/** Answers 405 to a known path with a method that the path does not serve (RFC 9110, 15.5.6). */
function refuseOtherMethods(api: FastifyInstance, path: string): void {
  const isServed = (method: (typeof methods)[number]) => api.hasRoute({ method, url: `${apiPrefix}${path}` });
  const allow = methods.filter(isServed).join(', ');
  api.route({
    method: methods.filter((method) => method !== 'HEAD' && !isServed(method)),
    url: path,
    // Refused before the body is read, so that the type of the body does not matter.
    onRequest: async () => {
      throw new ApiError(405, `This path takes ${allow}.`, { allow });
    },
    handler: async () => undefined,
  });
}
