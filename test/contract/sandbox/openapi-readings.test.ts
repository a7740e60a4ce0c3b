import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type CmsClient,
  createCmsClient,
  type ErrorDetail,
  type EventQuery,
  type ListQuery,
  type Pagination,
  type ResourceClient,
} from '../../../src/cms/client.ts';
import { accountSchema, eventSchema, uploadSchema } from '../../../src/cms/items.ts';
import { shorthands, standardAttributes } from '../../../src/core/attributes.ts';
import type { Exchange } from '../../support/cms/exchange.ts';
import type { TestCms } from '../../support/cms/start-cms.ts';
import {
  accounts,
  type Caller,
  callerOf,
  createEvent,
  eventBody,
  events,
  onePixelPng,
  openSandbox,
  withSandbox,
} from './harness.ts';
import { operations } from './openapi/described.ts';
import { type ApiSchema, apiDescription, resolved } from './openapi/description.ts';

const { schemas } = apiDescription().components;
const described = new Set(operations.map(({ method, route }) => `${method} ${route}`));
const queryOf = (wanted: string) => {
  const { parameters = [] } = operations.find(({ id }) => id === wanted) ?? {};
  return parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
};

describe('The sandbox and the description', () => {
  const api = withSandbox({ switches: { cleared: 'empty' } });

  test('have the same operations', async () => {
    const served = [];
    for (const route of new Set(operations.map((operation) => operation.route))) {
      const other = ['GET', 'POST', 'DELETE'].find((method) => !described.has(`${method} ${route}`)) ?? '';
      const { status, headers } = await api.call(other, route.replace(':id', '1'));
      expect([route, status]).toEqual([route, 405]);
      const methods = headers.get('allow')?.split(', ') ?? [];
      served.push(...methods.filter((method) => method !== 'HEAD').map((method) => `${method} ${route}`));
    }
    expect(served.toSorted()).toEqual([...described].toSorted());
  });

  const values: Record<string, string> = {
    attributes: 'title:First',
    startDate: '2030-01-02',
    endDate: '2030-01-01',
    instance: 'other',
    limit: '1',
    page: '2',
    search: 'first',
    sort: '-title',
  };

  test('have the same parameters of lists: each changes the list, and the others do not', async () => {
    for (const [title, day] of [
      ['First', '2030-01-01'],
      ['Second', '2030-01-02'],
    ]) {
      await createEvent(api, { title, date: day, endDate: day });
      await api.call('POST', accounts, { title });
    }
    for (const [id, path] of Object.entries({ listEvents: events, listAccounts: accounts })) {
      const all = await idsOf(api, path);
      const effective = [];
      for (const [name, value] of Object.entries(values)) {
        const ids = await idsOf(api, `${path}?${name}=${encodeURIComponent(value)}`);
        if (String(ids) !== String(all)) effective.push(name);
      }
      expect(effective.toSorted()).toEqual(queryOf(id).toSorted());
    }
  });

  test('show the same attributes', async () => {
    const event = await createEvent(api);
    const account = (await api.call('POST', accounts, {})).body;
    const form = new FormData();
    form.set('upload', new Blob([new Uint8Array(onePixelPng)]), 'a.png');
    const upload = (await api.call('POST', '/calendar/upload?attribute=image', form)).body;
    expect(Object.keys(event).toSorted()).toEqual(namesOf('Event'));
    expect(Object.keys(event.time).toSorted()).toEqual(namesOf('Event', 'time'));
    expect(Object.keys(account).toSorted()).toEqual([...namesOf('Account'), 'links'].toSorted());
    expect(Object.keys(account.links[0]).toSorted()).toEqual(namesOf('WrittenAccount', 'links'));
    expect(Object.keys(upload).toSorted()).toEqual(namesOf('UploadResult'));
  });

  test.each([
    [events, 'EventAttributes', eventBody],
    [accounts, 'AccountAttributes', {}],
  ])('check the same attributes of %s', async (path, name, body) => {
    const { id } = (await api.call('POST', path, body)).body;
    for (const [attribute, schema] of Object.entries(schemas[name]?.properties ?? {})) {
      const wrong = typeIn(schema) === 'object' ? 'text' : { not: 'this' };
      expect([attribute, (await api.call('PATCH', `${path}/${id}`, { [attribute]: wrong })).status]).toEqual([
        attribute,
        422,
      ]);
    }
  });
});

describe('The client and the description', () => {
  const exchanges: Exchange[] = [];
  let sandbox: TestCms;
  let client: CmsClient;
  beforeAll(async () => {
    sandbox = await openSandbox({ memory: true, onExchange: (exchange) => exchanges.push(exchange) });
    client = createCmsClient({ baseUrl: sandbox.url, token: sandbox.token });
    await createEvent(callerOf(sandbox));
    await client.accounts().create({});
  });
  afterAll(async () => {
    await client.close();
    await sandbox.close();
  });

  const listQuery: Required<ListQuery> = { attributes: 'title:x', sort: '+title', limit: 1, page: 1 };
  const eventQuery: Required<EventQuery> = {
    ...listQuery,
    ...{ startDate: '2030-01-01', endDate: '2030-01-02', search: 'x', instance: 'arts' },
  };

  type Calls<Query extends ListQuery> = Record<
    keyof ResourceClient<unknown>,
    (resource: ResourceClient<unknown, Query>) => Promise<unknown>
  >;
  /** Each method of a resource, so that a new one must be added here. */
  const callsWith = <Query extends ListQuery>(input: Record<string, unknown>, query: Query): Calls<Query> => ({
    get: (resource) => resource.get(1),
    create: (resource) => resource.create(input),
    replace: (resource) => resource.replace(1, input),
    patch: (resource) => resource.patch(1, {}),
    page: (resource) => resource.page(query),
    list: (resource) => Array.fromAsync(resource.list()),
    delete: (resource) => resource.delete(1),
  });

  test('have the same operations and the same parameters', async () => {
    for (const call of Object.values(callsWith(eventBody, eventQuery))) await call(client.events());
    for (const call of Object.values(callsWith({}, listQuery))) await call(client.accounts());
    const content = new Blob([new Uint8Array(onePixelPng)]);
    await client.upload('image', { fileName: 'a.png', mediaType: 'image/png', content });
    const others = new Set(['events', 'accounts', 'upload', 'close']);
    expect(Object.keys(client).filter((name) => !others.has(name))).toEqual([]);

    await expect.poll(() => exchanges.some(({ path }) => path.includes('upload'))).toBe(true);
    expect(new Set(exchanges.map(({ method, route }) => `${method} ${route}`))).toEqual(described);
    for (const { id, method, route } of operations) {
      const paths = exchanges.filter((each) => each.method === method && each.route === route).map(({ path }) => path);
      const sent = paths.flatMap((path) => [...new URLSearchParams(path.split('?')[1]).keys()]);
      // A client of an instance sends it with every request; this one names it for a list.
      const expected = queryOf(id).filter((name) => name !== 'instance' || id === 'listEvents');
      expect([id, ...new Set(sent)].toSorted()).toEqual([id, ...expected].toSorted());
    }
  });

  test('have the same attributes in responses', () => {
    expect(Object.keys(eventSchema.shape).toSorted()).toEqual(namesOf('Event'));
    expect(Object.keys(accountSchema.shape).toSorted()).toEqual([...namesOf('Account'), 'links'].toSorted());
    expect(Object.keys(uploadSchema.shape).toSorted()).toEqual(namesOf('UploadResult'));
    const pagination: Record<keyof Pagination, true> = {
      ...{ currentPage: true, perPage: true, count: true, totalPages: true, total: true, links: true },
    };
    expect(Object.keys(pagination).toSorted()).toEqual(namesOf('Pagination'));
    const error: Record<keyof ErrorDetail, true> = { code: true, title: true, detail: true };
    expect(Object.keys(error).toSorted()).toEqual(namesOf('Errors', 'errors'));
  });

  test.each(['events', 'accounts'] as const)(
    'have the same attributes in requests for %s, of the same types',
    (name) => {
      const { EventAttributes, AccountAttributes, NewAccount } = schemas;
      const { time, ...event } = typesOf(EventAttributes?.properties);
      const parts = Object.entries(typesOf(EventAttributes?.properties?.time?.properties));
      const described = {
        events: { ...event, ...Object.fromEntries(parts.map(([part, type]) => [`time.${part}`, type])) },
        accounts: typesOf({ ...AccountAttributes?.properties, ...NewAccount?.properties }),
      };
      const known = Object.entries(standardAttributes[name])
        .filter(([attribute]) => !Object.hasOwn(shorthands, attribute))
        .map(([attribute, kind]) => [attribute, kind === 'boolean' ? 'boolean' : 'string']);
      if (name === 'accounts') known.push(['password', 'string']);
      expect(described[name]).toEqual(Object.fromEntries(known));
    },
  );
});

/** The properties of a schema, or of the object or the list that one of them is. */
function namesOf(schema: string, property?: string): string[] {
  const { properties = {} } = schemas[schema] ?? {};
  const within = property === undefined ? { properties } : properties[property];
  return Object.keys(within?.items?.properties ?? within?.properties ?? {}).toSorted();
}

function typesOf(properties: Record<string, ApiSchema> = {}): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, typeIn(schema)]));
}

function typeIn(schema: ApiSchema): string | undefined {
  const { type, anyOf } = resolved(schema);
  const [first] = [type ?? []].flat().filter((one) => one !== 'null');
  return first ?? (anyOf?.[0] && typeIn(anyOf[0]));
}

async function idsOf(api: Caller, path: string): Promise<number[]> {
  return (await api.call('GET', path)).body.data.map(({ id }: { id: number }) => id);
}
