import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Json, Payload } from '../core/record.ts';
import { ApiError } from './http/errors.ts';
import { checkContentType } from './http/headers.ts';
import { envelope, parseListQuery, type Query, single } from './list.ts';
import type { SandboxSwitches } from './options.ts';
import { asObject, type ResourceKind, withValues } from './resource.ts';
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
    const data = kind.merge({}, kind.check(attributesOf(request)));
    const missing = kind.required.filter((key) => isEmpty(data[key])).map((key) => `${key}: is required`);
    if (missing.length > 0) throw new ApiError(422, missing);
    reply.code(201);
    return write(request, data);
  });

  api.put(`${path}/:id`, (request) => {
    const { id } = existing(request);
    return write(request, kind.merge({}, kind.check(attributesOf(request))), id);
  });

  api.patch(`${path}/:id`, (request) => {
    const { id, data } = existing(request);
    return write(request, kind.merge(data, kind.check(attributesOf(request))), id);
  });

  api.delete(`${path}/:id`, (request, reply) => {
    if (!table.remove(idOf(request), instanceOf(request))) throw notFound(request);
    return reply.code(204).send();
  });

  /** Creates an item, or changes the one with the id. */
  function write(request: FastifyRequest, data: Payload, known?: number): Payload {
    const instance = instanceOf(request);
    const kept = checked(data, known);
    const index = { ...kind.index(kept), instance };
    if (known !== undefined) table.update(known, kept, index);
    const item = { id: known ?? table.insert(kept, index), data: kept };
    return { ...present(item), ...kind.presentWritten?.(item) };
  }

  function existing(request: FastifyRequest): Item {
    const item = table.find(idOf(request), instanceOf(request));
    if (!item) throw notFound(request);
    return item;
  }

  function checked(data: Payload, id?: number): Payload {
    const kept = withValues(data);
    kind.checkWhole?.(kept);
    for (const key of kind.unique) {
      const value = kept[key];
      if (typeof value !== 'string' || value === '') continue;
      if (table.holders(key, value).some((holder) => holder !== id))
        throw new ApiError(422, `${key}: another account has it already`);
    }
    return kept;
  }

  /** API: "instance", for events alone. */
  function instanceOf(request: FastifyRequest): string {
    if (!kind.ofEvents) return '';
    const [first = '', ...others] = switches.instances;
    const instance = single(request.query as Query, 'instance') || (others.length === 0 ? first : '');
    if (first === '' || switches.instances.includes(instance)) return instance;
    if (instance !== '') throw new ApiError(404, 'There is no such instance of the calendar.');
    throw new ApiError(400, 'Query parameter instance is needed: there are several instances.');
  }
}

function attributesOf(request: FastifyRequest): Payload {
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

function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '') return true;
  const parts = asObject(value);
  return parts !== undefined && Object.values(parts).every(isEmpty);
}

/** Turns top-level integers into text, if the switch says so. */
function numbers(values: object, { numbersAsStrings }: SandboxSwitches): Payload {
  const entries = Object.entries(values);
  return Object.fromEntries(
    entries.map(([key, value]) => [key, numbersAsStrings && Number.isInteger(value) ? String(value) : value]),
  );
}
