import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { isLong, rounds } from '../../support/long.ts';
import { type Answer, accounts, type Body, eventBody, events, onePixelPng, withSandbox } from './harness.ts';
import { type FuzzRequest, formsOf, requestsOf, valuesOf } from './openapi/arbitraries.ts';
import { operations, requestMisfits } from './openapi/described.ts';

/** Requests for each operation: more of them look for what these do not find. */
const runs = rounds(20, 1_000);

const api = withSandbox({ switches: { cleared: 'empty' } });

/**
 * Why a request that fits the description may be refused: the description does not show the causes of 400, 404 and 422. All
 * others that fit must succeed.
 */
const refusals: Array<[status: number, detail: RegExp, reason: string]> = [
  [400, /^Query parameter (limit|page) must be a whole number from 1/, 'there is no page 0'],
  [400, /^Query parameter (attributes|sort|search) |can be sorted by\.$/, 'their syntax is not shown'],
  [400, /half a character|not valid JSON/, 'half a character; a key that reaches a prototype'],
  [404, /^There is no item/, 'there is none with the id'],
  [415, /must be application\/json/, 'a DELETE with a Content-Type that the API does not name'],
  [422, /^endDate: .* is before date/, 'an event does not end before it begins'],
  [415, /^upload: the file is not of an accepted type/, 'which files are accepted is not shown'],
  [422, /^upload: the image is damaged/, 'which files are accepted is not shown'],
  [422, /^attribute: is not the layout key of an attribute/, 'what layout keys look like is not shown'],
  [422, /^(title|date|endDate|time): is required/, 'an empty text and null are no values'],
];

const seen = new Map<string, Set<number>>();

async function send({ operation, query, headers, body }: FuzzRequest, id: number): Promise<Answer> {
  const path =
    operation.route.replace(':id', String(id)) +
    (Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : '');
  const answer = await api.call(operation.method, path, body, headers);
  const sent = {
    path,
    headers: {
      ...{ authorization: 'x', accept: 'application/json', 'user-agent': 'x', 'content-type': 'application/json' },
      ...headers,
    } as Record<string, string>,
    body: body ?? '',
  };
  for (const [name, value] of Object.entries(headers)) if (value === null) delete sent.headers[name];
  expectFitting(answer, requestMisfits(operation, sent));
  seen.set(operation.id, (seen.get(operation.id) ?? new Set()).add(answer.status));
  return answer;
}

/** The harness compares each exchange with the description. This finds what it cannot: a request that is refused without a reason. */
function expectFitting({ status, body }: Answer, misfits: string[]): void {
  if (misfits.length > 0) {
    expect({ misfits, isRefused: status >= 400 && status < 500 }).toEqual({ misfits, isRefused: true });
    return;
  }
  if (status < 300) return;
  const details: string[] = body.errors.map(({ detail }: { detail: string }) => detail);
  const unexplained = details.filter(
    (detail) => !refusals.some(([code, text]) => code === status && text.test(detail)),
  );
  expect({ status, unexplained }).toEqual({ status, unexplained: [] });
}

describe('Requests made from the description', () => {
  const withoutForms = operations.filter(({ bodyType }) => bodyType !== 'multipart/form-data');

  test.each(withoutForms.map((operation) => [operation.id, operation] as const))(
    'No request for %s is answered against the description',
    async (_, operation) => {
      const path = operation.route.replace('/:id', '');
      const property = fc.asyncProperty(requestsOf(operation), fc.boolean(), async (request, isThere) => {
        const made = path === events ? eventBody : {};
        const { body } =
          isThere && operation.route !== path ? await api.call('POST', path, made) : { body: { id: 999_999 } };
        const { status } = await send(request, body.id);
        expect(status).not.toBe(500);
      });
      await fc.assert(property, { numRuns: runs });
    },
  );

  afterAll(() => {
    // A few requests may all be refused.
    if (!isLong) return;
    for (const { id, responses } of withoutForms) {
      const statuses = [...(seen.get(id) ?? [])];
      const success = Object.keys(responses)
        .map(Number)
        .filter((status) => status < 300);
      expect([id, success.filter((status) => !statuses.includes(status))]).toEqual([id, []]);
      expect([id, statuses.some((status) => status >= 400)]).toEqual([id, true]);
    }
  });
});

test('No form for uploadFile is answered against the description', async () => {
  const files = [onePixelPng, Buffer.from('%PDF-1.4\n%%EOF\n')].map((file) => new Uint8Array(file));
  const statuses = new Set<number>();
  const property = fc.asyncProperty(formsOf(files), async ({ attribute, field, name, bytes }) => {
    const form = new FormData();
    form.set(field, new Blob([new Uint8Array(bytes)]), name);
    const answer = await api.call('POST', `/calendar/upload?${new URLSearchParams({ attribute })}`, form);
    const misfits = [...(field === 'upload' ? [] : ['no file']), ...(attribute === '' ? ['no attribute'] : [])];
    expectFitting(answer, misfits);
    statuses.add(answer.status);
  });
  await fc.assert(property, { numRuns: runs });
  expect([...statuses]).toEqual(expect.arrayContaining([201, 422]));
});

const derived = new Set(['id', 'links', 'isPastEvent', 'isToday', 'url', 'icalUrl', 'editUrl', 'password']);
const isCleared = (value: unknown) => value === undefined || value === null || value === '' || value === false;

/** The attributes that the service does not derive, without those that have no value. */
function kept(item: Body): Record<string, unknown> {
  const entries = Object.entries(item).filter(([name, value]) => !derived.has(name) && !isCleared(value));
  return Object.fromEntries(entries.map(([name, value]) => [name, name === 'time' ? timeOf(value) : value]));
}

/** The attributes that an item has if these are sent. An event always has a time, and be it empty. */
function attributesOf(path: string, sent: Record<string, unknown>): Record<string, unknown> {
  return kept(path === events ? { ...sent, time: sent.time ?? {} } : sent);
}

function timeOf(time: unknown): Record<string, unknown> {
  const { start, end, type } = time as Record<string, unknown>;
  return Object.fromEntries(Object.entries({ start, end, type }).filter(([, value]) => !isCleared(value)));
}

describe('Items made from the description', () => {
  test.each([
    [events, 'createEvent', 'updateEvent', 'replaceEvent'],
    [accounts, 'createAccount', 'updateAccount', 'replaceAccount'],
  ])('%s are created, read, changed, replaced and deleted as it says', async (path, ...ids) => {
    const [created, changes, replaced] = ids.map((wanted) => {
      const { bodySchema = {} } = operations.find(({ id }) => id === wanted) ?? {};
      return valuesOf(bodySchema).map((value) => value as Record<string, unknown>);
    });
    const property = fc.asyncProperty(created!, changes!, replaced!, async (first, patch, put) => {
      const answer = await api.call('POST', path, first);
      expectFitting(answer, []);
      if (answer.status !== 201) return;
      const item = `${path}/${answer.body.id}`;
      expect(kept(answer.body)).toEqual(attributesOf(path, first));
      expect((await api.call('GET', item)).body).toEqual(asRead(path, answer.body));

      const patched = await api.call('PATCH', item, patch);
      expectFitting(patched, []);
      const after = patched.status === 200 ? patched.body : answer.body;
      if (patched.status === 200) {
        // A part of the time that is not sent stays, as long as the time itself is not cleared.
        const time = patch.time ? { ...timeOf(answer.body.time), ...patch.time } : patch.time;
        const expected = {
          ...kept(answer.body),
          ...patch,
          ...(path === events && patch.time !== undefined && { time }),
        };
        expect(kept(after)).toEqual(attributesOf(path, expected));
      }
      expect((await api.call('GET', item)).body).toEqual(asRead(path, after));

      const whole = await api.call('PUT', item, put);
      expectFitting(whole, []);
      if (whole.status === 200) expect(kept(whole.body)).toEqual(attributesOf(path, put));

      expect((await api.call('DELETE', item)).status).toBe(204);
      expect((await api.call('GET', item)).status).toBe(404);
    });
    await fc.assert(property, { numRuns: runs / 2 });
  });
});

/** An account as a GET returns it. An event may have an attribute of its own called links. */
function asRead(path: string, { links, ...item }: Body): Body {
  return path === events && links !== undefined ? { ...item, links } : item;
}
