import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify';
import { CodedError, messageOf } from '../core/errors.ts';
import { accountKind } from './accounts.ts';
import { apiPrefix, cmsRoutes } from './api.ts';
import { siteClock } from './event-time.ts';
import { eventKind } from './events.ts';
import { errorBody, refuseUnknownPath, toApiError } from './http/errors.ts';
import { parseOptions, type Sandbox, type SandboxOptions, type SandboxSwitches } from './options.ts';
import { sitePageRoutes } from './pages.ts';
import type { ResourceKind } from './resource.ts';
import { openStore, type Store } from './store/store.ts';
import { type SandboxUploads, uploadStore } from './store/upload-store.ts';

/** Parts of a sandbox, for what extends it. */
export interface SandboxParts {
  store: Store;
  uploads: SandboxUploads;
  events: ResourceKind;
  accounts: ResourceKind;
  switches: SandboxSwitches;
  token: string;
}

/** What extends a sandbox, such as the faults of a test. */
export interface SandboxExtension {
  /** Adds hooks to the API, before its own. */
  api(api: FastifyInstance): void;
  /** Adds routes beside the API. */
  site(site: FastifyInstance): Promise<void>;
}

/**
 * Starts a sandbox.
 * @param extend returns what extends it, such as the faults of a test
 */
export async function startExtended(
  options: SandboxOptions,
  extend?: (parts: SandboxParts) => SandboxExtension,
): Promise<Sandbox> {
  const { port, host, timezone, switches, dataDir, memory, ...given } = parseOptions(options);
  const token = given.token ?? randomBytes(24).toString('base64url');
  const { store, uploads, close: closeData } = openData(memory ? undefined : dataDir);
  const clock = siteClock(timezone, options.now ?? Date.now);
  const events = eventKind(store.events, uploads, switches, clock);
  const accounts = accountKind(store.accounts, switches);
  const extension = extend?.({ store, uploads, events, accounts, switches, token });
  let writes = 0;

  const app = httpServer(switches.maxBodyBytes, options.onError);
  app.register(cmsRoutes, {
    prefix: apiPrefix,
    ...{ kinds: [events, accounts], uploads, switches, token, extend: extension?.api },
    onWrite: () => {
      writes += 1;
    },
  });
  app.register(sitePageRoutes, { events, accounts, uploads, token });
  if (extension) app.register(extension.site);

  let closed: Promise<void> | undefined;
  function close(): Promise<void> {
    closed ??= app.close().then(closeData);
    return closed;
  }

  try {
    const url = await app.listen({ port, host });
    return {
      url: url.replace('[::]', '127.0.0.1'),
      token,
      writes: () => writes,
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw listenError(error, host, port);
  }
}

/** Opens the data directory, or a temporary one: then only uploads touch the disk, and are removed at the end. */
function openData(dataDir: string | undefined) {
  const folder = dataDir ?? mkdtempSync(join(tmpdir(), 'feedferry-sandbox-'));
  const uploadFolder = join(folder, 'uploads');
  try {
    mkdirSync(uploadFolder, { recursive: true });
    const store = openStore(dataDir === undefined ? ':memory:' : join(folder, 'sandbox.sqlite'));
    const close = () => {
      store.close();
      if (dataDir === undefined) rmSync(folder, { recursive: true, force: true });
    };
    return { store, uploads: uploadStore(uploadFolder), close };
  } catch (error) {
    const problem = `The sandbox cannot keep its data in ${folder}: ${messageOf(error)}`;
    throw new CodedError('FF_DATA_DIR', problem, { cause: error });
  }
}

/** The bare HTTP server: every error gets the API's error body, except a request that is not HTTP. */
function httpServer(maxBodyBytes: number, onError: SandboxOptions['onError']): FastifyInstance {
  const app = Fastify({
    bodyLimit: maxBodyBytes,
    forceCloseConnections: true,
    // The longest time that a slow sender holds a connection.
    requestTimeout: 60_000,
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: (error, _request, reply) => sendError(reply, error, onError),
  });
  app.setErrorHandler((error: FastifyError, _request, reply) => sendError(reply, error, onError));
  app.setNotFoundHandler(refuseUnknownPath);
  return app;
}

function sendError(reply: FastifyReply, error: unknown, onError: SandboxOptions['onError']): void {
  const known = toApiError(error);
  if (known !== error && known.status >= 500) onError?.(error);
  reply.code(known.status).headers(known.headers).send(errorBody(known.status, known.details));
}

function listenError(error: unknown, host: string, port: number): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const reason = { EADDRINUSE: 'it is in use', EACCES: 'it is not allowed' }[code ?? ''] ?? code;
  if (reason === undefined) return error;
  return new CodedError('FF_SANDBOX_PORT', `The sandbox cannot listen on ${host}:${port}: ${reason}.`, {
    cause: error,
  });
}
