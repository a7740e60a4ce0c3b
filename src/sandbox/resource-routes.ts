import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Json, Payload } from '../core/record.ts';
import { ApiError } from './http/errors.ts';
import { checkContentType } from './http/headers.ts';
import { checkRequired, createItem, writeItem } from './items.ts';
import { envelope, parseListQuery, type Query, single } from './list.ts';
import type { SandboxSwitches } from './options.ts';
import { asObject, knownInstance, type ResourceKind } from './resource.ts';
import type { Item } from './store/store.ts';

/** The six operations of a resource (API: "Endpoints"). Every change is committed before the response is sent. */
export function resourceRoutes(api: FastifyInstance, kind: ResourceKind, switches: SandboxSwitches): void {
  const { path, table } = kind;
  const present = (item: Item) => numbers(kind.present(item), switches);

  api.get(path, (request) => {
    const query = request.query as Query;
    const list = parseListQuery(query, instanceOf(request), switches, kind.ofEvents);
    const { items, total } = table.list(list);
    const page = envelope(items.map(present), total, list, query, switches);
    return numbers({ ...page, pagination: numbers(page.pagination, switches) }, switches);
  });

  api.get(`${path}/:id`, (request) => present(existing(request)));

  api.post(path, (request, reply) => {
    const item = createItem(kind, attributesOf(request), instanceOf(request));
    reply.code(201);
    return presentWritten(item);
  });

  api.put(`${path}/:id`, (request) => {
    const { id } = existing(request);
    const data = kind.merge({}, kind.check(attributesOf(request)));
    if (switches.putStrictness === 'requires') checkRequired(kind, data);
    return presentWritten(writeItem(kind, data, instanceOf(request), id));
  });

  api.patch(`${path}/:id`, (request) => {
    const { id, data } = existing(request);
    const kept = switches.patchUnsent === 'keeps' ? data : {};
    const merged = kind.merge(kept, kind.check(attributesOf(request)));
    return presentWritten(writeItem(kind, merged, instanceOf(request), id));
  });

  api.delete(`${path}/:id`, (request, reply) => {
    if (!table.remove(idOf(request), instanceOf(request))) throw notFound(request);
    return reply.code(204).send();
  });

  function presentWritten(item: Item): Payload {
    const shown = present(item);
    return switches.answers === 'id' ? { id: shown.id ?? null } : { ...shown, ...kind.presentWritten?.(item) };
  }

  function attributesOf(request: FastifyRequest): Payload {
    const { attributes } = switches;
    const isKnown = (name: string) =>
      kind.standard.has(name) || attributes.includes('any') || attributes.includes(name);
    return Object.fromEntries(Object.entries(bodyOf(request)).filter(([name]) => isKnown(name)));
  }

  function existing(request: FastifyRequest): Item {
    const item = table.find(idOf(request), instanceOf(request));
    if (!item) throw notFound(request);
    return item;
  }

  function instanceOf(request: FastifyRequest): string {
    return kind.ofEvents ? knownInstance(single(request.query as Query, 'instance'), switches) : '';
  }
}

function bodyOf(request: FastifyRequest): Payload {
  checkContentType(request, 'application/json');
  const body = asObject(request.body as Json);
  if (!body) throw new ApiError(400, 'The body must be a JSON object.');
  return body;
}

function idOf(request: FastifyRequest): number {
  const { id } = request.params as { id: string };
  if (!/^[1-9]\d{0,14}$/.test(id)) throw notFound(request);
  return Number(id);
}

function notFound(request: FastifyRequest): ApiError {
  const { id } = request.params as { id: string };
  return new ApiError(404, `There is no item ${id.slice(0, 40)} here.`);
}

/** Turns top-level integers into text, if the switch says so. */
function numbers(values: object, { numbersAsStrings }: SandboxSwitches): Payload {
  const entries = Object.entries(values);
  return Object.fromEntries(
    entries.map(([key, value]) => [key, numbersAsStrings && Number.isInteger(value) ? String(value) : value]),
  );
}
