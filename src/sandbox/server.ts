import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify';
import { CodedError, messageOf } from '../core/errors.ts';
import { accountKind } from './accounts.ts';
import { cmsRoutes } from './api.ts';
import { movableClock } from './clock.ts';
import { controlRoutes } from './control.ts';
import { siteClock } from './event-time.ts';
import { eventKind } from './events.ts';
import { faultDice } from './faults/faults.ts';
import { errorBody, refuseUnknownPath, toApiError } from './http/errors.ts';
import { apiPrefix } from './http/route.ts';
import type { Exchange } from './journal/exchange.ts';
import { exchangeJournal } from './journal/journal.ts';
import { exchangeRecorder } from './journal/record-exchanges.ts';
import { parseOptions, type SandboxOptions } from './options.ts';
import { sitePageRoutes } from './pages.ts';
import type { Sandbox } from './sandbox.ts';
import { sandboxState } from './state.ts';
import { counters as startCounters } from './stats.ts';
import { openStore } from './store/store.ts';
import { uploadStore } from './store/upload-store.ts';
import { checkUploadTypes } from './upload.ts';

export { CodedError, type ErrorCode } from '../core/errors.ts';
export type { Payload } from '../core/record.ts';
export type { Fault, FaultPlan, FaultPlanInput } from './faults/faults.ts';
export type { ItemChange } from './journal/exchange.ts';
export type { JournalFilter } from './journal/journal.ts';
export type { SandboxSwitches } from './options.ts';
export type {
  FixtureFile,
  LoadedFixtures,
  ResourceSnapshot,
  SandboxFixtures,
  SandboxSnapshot,
} from './state/state-types.ts';
export type { SandboxStats } from './stats.ts';
export type { Exchange, Sandbox, SandboxOptions };

/**
 * Starts a CMS that serves the API under /api/v1, the pages and files to which its responses point, and a control endpoint
 * under /_sandbox. docs/sandbox.md describes all of these.
 * @throws CodedError FF_SANDBOX_PORT if it cannot listen, FF_DATA_DIR if it cannot store its data, FF_USAGE for options that
 * do not fit, FF_SANDBOX_FIXTURES for fixtures that do not fit.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port, host, timezone, switches, faults: plan, dataDir, memory, fixtures, ...given } = parseOptions(options);
  checkUploadTypes(switches);
  const token = given.token ?? randomBytes(24).toString('base64url');
  const data = openData(memory ? undefined : dataDir);
  const closing = new AbortController();
  const faults = faultDice(plan, closing.signal);
  const counters = startCounters();
  const clock = movableClock(options.now ?? Date.now);
  const journal = exchangeJournal();
  const { store, uploads } = data;
  const events = eventKind(store.events, uploads, switches, siteClock(timezone, clock.now));
  const accounts = accountKind(store.accounts, switches);

  const state = sandboxState({ store, uploads, events, accounts, switches });

  const app = httpServer(switches.maxBodyBytes, options.onError);
  const kinds = [events, accounts];
  const recorder = exchangeRecorder({ kinds, now: clock.now, onExchange: keepExchange });
  const api = { kinds, uploads, switches, token, faults, counters, recorder, closing: closing.signal };
  app.register(cmsRoutes, { prefix: apiPrefix, ...api });
  app.register(controlRoutes, { prefix: '/_sandbox', store, faults, counters, journal, clock, state, reset, token });
  app.register(sitePageRoutes, { events, accounts, uploads, journal, token, timezone });

  function keepExchange(exchange: Exchange): void {
    journal.keep(exchange);
    try {
      options.onExchange?.(exchange);
    } catch (error) {
      if (!options.onError) throw error;
      options.onError(error);
    }
  }

  async function reset(): Promise<void> {
    await state.reset(fixtures);
    faults.set(plan);
    clock.set();
    counters.clear();
    journal.clear();
  }

  async function close(): Promise<void> {
    if (closing.signal.aborted) return app.close();
    closing.abort();
    await app.close();
    data.close();
  }

  /** Starts to listen and returns the address; the fixtures are loaded before the first request. */
  async function listen(): Promise<string> {
    if (fixtures !== undefined && state.isEmpty()) await state.load(fixtures);
    return app.listen({ port, host }).catch((error) => {
      throw listenError(error, host, port);
    });
  }

  const url = await listen().catch(async (error) => {
    await close();
    throw error;
  });
  return {
    url: url.replace('[::]', '127.0.0.1'),
    token,
    setFaults: (plan = {}) => faults.set(parseOptions({ faults: plan }).faults),
    stats: counters.read,
    clearStats: counters.clear,
    journal: journal.read,
    clearJournal: journal.clear,
    setNow: clock.set,
    reset,
    snapshot: state.snapshot,
    restore: state.restore,
    loadFixtures: state.load,
    close,
    [Symbol.asyncDispose]: close,
  };
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

/** The bare HTTP server: every error, even a protocol error, gets the API's error body. */
function httpServer(maxBodyBytes: number, onError: SandboxOptions['onError']): FastifyInstance {
  const app = Fastify({
    bodyLimit: maxBodyBytes,
    forceCloseConnections: true,
    // The longest time that a slow sender holds a connection.
    requestTimeout: 60_000,
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: (error, _request, reply) => sendError(reply, error, onError),
    clientErrorHandler: refuseBrokenRequest,
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

/** Refuses a request that is not HTTP and so never reaches a route. */
function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[error.code ?? ''] ?? 400;
  const { errors } = errorBody(status, ['The request is not valid HTTP.']);
  const body = JSON.stringify({ errors });
  const head = `HTTP/1.1 ${status} ${errors[0]?.title}\r\nContent-Type: application/json; charset=utf-8`;
  socket.end(`${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`);
}

function listenError(error: unknown, host: string, port: number): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const reason = { EADDRINUSE: 'it is in use', EACCES: 'it is not allowed' }[code ?? ''] ?? code;
  if (reason === undefined) return error;
  return new CodedError('FF_SANDBOX_PORT', `The sandbox cannot listen on ${host}:${port}: ${reason}.`, {
    cause: error,
  });
}
