import type { FastifyInstance } from 'fastify';
import { ApiError, refuseUnknownPath } from './http/errors.ts';
import { bearerHook, checkClientHeaders } from './http/headers.ts';
import { acceptJsonBodies } from './http/json-body.ts';
import type { SandboxSwitches } from './options.ts';
import type { ResourceKind } from './resource.ts';
import { resourceRoutes } from './resource-routes.ts';
import type { SandboxUploads } from './store/upload-store.ts';
import { uploadPath, uploadRoutes } from './upload.ts';

/** Where the API is. */
export const apiPrefix = '/api/v1';

interface ApiParts {
  kinds: ResourceKind[];
  uploads: SandboxUploads;
  switches: SandboxSwitches;
  token: string;
  /** Adds hooks before those of the API. */
  extend: ((api: FastifyInstance) => void) | undefined;
  /** Called for each request that has changed something. */
  onWrite: () => void;
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The API itself, to be registered under /api/v1: its routes, and the checks before them. */
export async function cmsRoutes(api: FastifyInstance, parts: ApiParts): Promise<void> {
  const { kinds, uploads, switches, token, extend, onWrite } = parts;
  acceptJsonBodies(api);
  extend?.(api);
  api.addHook('onRequest', bearerHook(token));
  api.addHook('onRequest', async (request) => checkClientHeaders(request, switches.missingHeader));
  api.addHook('onResponse', async ({ method }, { statusCode }) => {
    if (!['GET', 'HEAD'].includes(method) && statusCode < 300) onWrite();
  });
  for (const kind of kinds) resourceRoutes(api, kind, switches);
  await uploadRoutes(api, uploads, switches);
  const paths = [...kinds.flatMap(({ path }) => [path, `${path}/:id`]), uploadPath];
  for (const path of paths) refuseOtherMethods(api, path);
  api.setNotFoundHandler(refuseUnknownPath);
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
