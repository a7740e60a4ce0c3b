import { parse } from 'node:querystring';
import type { FastifyInstance } from 'fastify';
import type { Payload } from '../../../src/core/record.ts';
import { accountKind } from '../../../src/sandbox/accounts.ts';
import { siteClock } from '../../../src/sandbox/event-time.ts';
import { eventKind } from '../../../src/sandbox/events.ts';
import { errorBody, toApiError } from '../../../src/sandbox/http/errors.ts';
import type { SandboxSwitches } from '../../../src/sandbox/options.ts';
import { resourceRoutes } from '../../../src/sandbox/resource-routes.ts';
import { openStore } from '../../../src/sandbox/store/store.ts';
import { dumpRows, inTransaction, type Rows, replaceRows } from '../../support/cms/store-rows.ts';
import type { SimulatedResource } from '../plan/resources.ts';

export const UPLOADS = '/calendar/upload';

/** The file of a form. */
export interface SentFile {
  fileName: string;
  content: string;
}

/** A request as the CMS receives it. */
export interface Asked {
  method: string;
  /** Below /api/v1. */
  path: string;
  query: string;
  body?: object;
}

/** What the CMS answers. */
export interface Answer {
  status: number;
  headers?: Record<string, string>;
  text: string;
}

type Handler = (request: object, reply: object) => unknown;

const NO_ROWS: Rows = { items: [], nextId: 1 };

/** One store for all runs of this process. */
const store = openStore(':memory:');

/** The CMS: the sandbox's routes and store, without HTTP. */
export type SimulatedCms = ReturnType<typeof createSimulatedCms>;

/** What the CMS has at a moment. */
export type CmsCopy = ReturnType<SimulatedCms['copy']>;

/** Creates an empty CMS. @param clock of the CMS, in ms since 1970 */
export function createSimulatedCms(
  switches: SandboxSwitches,
  clock: () => number,
  resource: SimulatedResource['table'],
  { storesByName = false } = {},
) {
  /** `src` → content. */
  const files = new Map<string, string>();
  let nextFile = 1;
  /** Id of an item → when lists begin to show it. */
  const shownFrom = new Map<number, number>();
  const uploads = { has: (src: string) => files.has(src) };
  const events = eventKind(store.events, uploads, switches, siteClock('UTC', clock));
  const accounts = accountKind(store.accounts, switches);
  const kinds = [events, accounts];
  replaceAll({ events: NO_ROWS, accounts: NO_ROWS });
  const routes = new Map<string, Handler>();
  for (const kind of kinds) resourceRoutes(collector(routes), kind, switches);
  return {
    answer,
    files,
    table: store[resource],
    items: () => dumpRows(store, resource).items,
    copy,
    restore,
    moveIds,
  };

  function copy() {
    return {
      files: new Map(files),
      tables: { events: dumpRows(store, 'events'), accounts: dumpRows(store, 'accounts') },
    };
  }

  /** Replaces all that the CMS has. */
  function restore(copied: { files: Map<string, string>; tables: Record<'events' | 'accounts', Rows> }) {
    shownFrom.clear();
    files.clear();
    for (const [src, content] of copied.files) files.set(src, content);
    nextFile = Math.max(nextFile, files.size + 1);
    replaceAll(copied.tables);
  }

  function replaceAll(tables: Record<'events' | 'accounts', Rows>): void {
    replaceRows(store, 'events', tables.events, events.index);
    replaceRows(store, 'accounts', tables.accounts, accounts.index);
  }

  /** Gives all items other ids, as a restore into another database does. */
  function moveIds(by: number): void {
    shownFrom.clear();
    const { tables } = copy();
    const { items, nextId } = tables[resource];
    const moved = { items: items.map(({ id, ...item }) => ({ ...item, id: id + by })), nextId: nextId + by };
    replaceAll({ ...tables, [resource]: moved });
  }

  /** Applies a request. @param lagMs how long lists do not show the item that it creates */
  function answer(asked: Asked, lagMs = 0): Answer {
    const isList = asked.method === 'GET' && !/\d$/.test(asked.path);
    const young = isList ? [...shownFrom].flatMap(([id, at]) => (at > clock() ? [id] : [])) : [];
    const answered = young.length > 0 ? without(young, () => apply(asked)) : apply(asked);
    const hasCreated = asked.method === 'POST' && asked.path !== UPLOADS && answered.status === 201;
    if (hasCreated) shownFrom.set(JSON.parse(answered.text).id, clock() + lagMs);
    return answered;
  }

  function without<Result>(ids: readonly number[], look: () => Result): Result {
    class Seen extends Error {
      readonly result: Result;
      constructor(result: Result) {
        super('so that nothing is changed');
        this.result = result;
      }
    }
    try {
      return inTransaction(store, () => {
        for (const { table } of kinds) for (const id of ids) table.remove(id, '');
        throw new Seen(look());
      });
    } catch (error) {
      if (error instanceof Seen) return error.result;
      throw error;
    }
  }

  function apply({ method, path, query, body }: Asked): Answer {
    const [, list = path, id] = /^(\/[a-z]+\/[a-z]+)\/(\d+)$/.exec(path) ?? [];
    const handler = routes.get(`${method} ${id === undefined ? list : `${list}/:id`}`);
    const reply = {
      status: 200,
      code(status: number) {
        this.status = status;
        return this;
      },
      send: () => undefined,
    };
    try {
      if (path === UPLOADS) return { status: 201, text: JSON.stringify(keep(body as SentFile)) };
      const headers = body && { 'content-type': 'application/json' };
      const request = { query: { ...parse(query) }, params: { id }, body, headers: headers ?? {} };
      const value = handler?.(request, reply);
      return { status: reply.status, text: value === undefined ? '' : JSON.stringify(value) };
    } catch (error) {
      const { status, details, headers } = toApiError(error);
      return { status, headers, text: JSON.stringify(errorBody(status, details)) };
    }
  }

  /** Keeps each upload, as a CMS does that does not compare files; or one of each name. */
  function keep({ fileName, content }: SentFile): Payload {
    const src = `/uploads/image/${storesByName ? fileName : `${nextFile}-${fileName}`}`;
    nextFile += 1;
    files.set(src, content);
    return {
      src,
      fileName,
      fileExtension: 'png',
      type: 'image',
      typeName: 'PNG image',
      alt: '',
      height: '1',
      width: '1',
    };
  }
}

/** Collects handlers instead of serving them. */
function collector(routes: Map<string, Handler>): FastifyInstance {
  const add = (method: string) => (path: string, handler: Handler) => routes.set(`${method} ${path}`, handler);
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => [method.toLowerCase(), add(method)]);
  return Object.fromEntries(methods) as FastifyInstance;
}
