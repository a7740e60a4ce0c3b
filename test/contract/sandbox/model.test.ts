import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../../src/core/record.ts';
import { rounds } from '../../support/long.ts';
import { accounts, type Body, events, withSandbox } from './harness.ts';

// A second, much simpler reading of the API's rules for create, PUT, PATCH and DELETE, held against the sandbox.

type Attributes = Record<string, unknown>;
type Resource = 'events' | 'accounts';
type Step = { op: 'POST' | 'PUT' | 'PATCH' | 'DELETE'; of: number; body: Attributes };

const api = withSandbox();

const text = fc.option(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }), { freq: 5 });
const flag = fc.option(fc.boolean(), { freq: 5 });
const day = fc.option(
  fc.integer({ min: 1, max: 9 }).map((number) => `2026-05-0${number}`),
  { freq: 8 },
);
const hour = fc.option(
  fc.integer({ min: 10, max: 23 }).map((number) => `${number}:00:00`),
  { freq: 5 },
);
const time = fc.option(
  fc.record({ start: hour, end: hour, type: fc.constantFrom('timed', 'tba', null) }, { requiredKeys: [] }),
  { freq: 8 },
);
// As it travels: JSON text knows no negative zero.
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as Json);
const custom = fc.option(json.filter((value) => !JSON.stringify(value).includes('__proto__')));

const bodies: Record<Resource, fc.Arbitrary<Attributes>> = {
  events: fc.record(
    {
      title: text,
      description: text,
      date: day,
      endDate: day,
      isFeatured: flag,
      isMultiDay: flag,
      spansMultipleDays: flag,
      showOnAllDates: flag,
      repeats: flag,
      time,
      source_key: custom,
    },
    { requiredKeys: ['title', 'date', 'endDate', 'time'] },
  ),
  accounts: fc.record(
    { email: text, username: text, firstName: text, lastName: text, gender: text, password: text, badge: custom },
    { requiredKeys: [] },
  ),
};

/** Creates need what PUT and PATCH may leave out: those send a part of such a body. */
function steps(resource: Resource): fc.Arbitrary<Step[]> {
  const step = fc
    .record({
      op: fc.constantFrom(
        'POST' as const,
        'POST' as const,
        'PUT' as const,
        'PATCH' as const,
        'PATCH' as const,
        'DELETE' as const,
      ),
      of: fc.nat(5),
      body: bodies[resource],
      kept: fc.array(fc.boolean(), { minLength: 11, maxLength: 11 }),
    })
    .map(({ op, of, body, kept }) => ({
      op,
      of,
      body: op === 'POST' ? body : Object.fromEntries(Object.entries(body).filter((_, at) => kept[at])),
    }));
  return fc.array(step, { minLength: 5, maxLength: 20 });
}

const isSet = (value: unknown) => value !== null && value !== undefined;
const withoutNulls = (attributes: Attributes) =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => isSet(value)));

const shown: Record<Resource, (attributes: Attributes) => Attributes> = {
  events({ time: parts, ...rest }) {
    const unset = { title: '', description: '', date: '', endDate: '' };
    const off = {
      isFeatured: false,
      isMultiDay: false,
      spansMultipleDays: false,
      showOnAllDates: false,
      repeats: false,
    };
    return { ...unset, ...off, ...rest, time: { start: '', end: '', type: '', ...(parts as Attributes) } };
  },
  accounts: ({ password: _, ...rest }) => ({
    ...{ email: '', username: '', firstName: '', lastName: '', gender: '' },
    ...rest,
  }),
};

/** What the attributes become, or undefined where the change is refused. */
function changed(resource: Resource, { op, body }: Step, before: Attributes = {}): Attributes | undefined {
  const after = op === 'PATCH' ? { ...before, ...body } : { ...body };
  if (resource === 'accounts') return withoutNulls(after);
  const kept = op === 'PATCH' && body.time ? (before.time as Attributes) : {};
  after.time = withoutNulls({ ...kept, ...(after.time as Attributes | null) });
  const result = withoutNulls(after);
  const { title, date, endDate } = result as Record<string, string | undefined>;
  if (op === 'POST' && !(title && date && endDate && Object.keys(result.time as Attributes).length > 0))
    return undefined;
  return date && endDate && endDate < date ? undefined : result;
}

/** An item without what the service derives and adds. */
function comparable({ id: _id, links: _links, ...item }: Body): Attributes {
  if (!item.time) {
    const named = ['email', 'username', 'firstName', 'lastName', 'gender', 'badge', 'password'];
    return Object.fromEntries(
      Object.entries(item).filter(([key, value]) => named.includes(key) || (isSet(value) && value !== '')),
    );
  }
  const { isPastEvent: _past, isToday: _today, url: _url, icalUrl: _ical, editUrl: _edit, ...rest } = item;
  const { isAllDay, isStartEnd, isStartOnly, isTba, isNoTime, ...parts } = item.time;
  expect([isAllDay, isStartEnd, isStartOnly, isTba, isNoTime].filter(Boolean)).toHaveLength(1);
  return { ...rest, time: parts };
}

let runs = 0;

async function play(resource: Resource, sequence: Step[]): Promise<void> {
  runs += 1;
  const path = resource === 'events' ? events : accounts;
  const query = resource === 'events' ? `?instance=run-${runs}` : '?';
  const model = new Map<number, Attributes>();
  const ids: number[] = [];
  for (const step of sequence) {
    if (step.op === 'POST') await create(step);
    else if (ids.length > 0) await change(step, ids[step.of % ids.length] ?? 0);
  }
  const { body } = await api.call('GET', `${path}${query}&limit=100&sort=id`);
  expect(body.data.map(({ id }: Body) => id)).toEqual([...model.keys()]);
  expect(body.data.map(comparable)).toEqual([...model.values()].map(shown[resource]));
  for (const id of model.keys()) await api.call('DELETE', `${path}/${id}${query}`);

  async function create(step: Step): Promise<void> {
    const expected = changed(resource, step);
    const answer = await api.call('POST', path + query, step.body);
    expect(answer.status).toBe(expected ? 201 : 422);
    if (!expected) return;
    expect(comparable(answer.body)).toEqual(shown[resource](expected));
    model.set(answer.body.id, expected);
    ids.push(answer.body.id);
  }

  async function change(step: Step, id: number): Promise<void> {
    const before = model.get(id);
    const expected = before && changed(resource, step, before);
    const answer = await api.call(step.op, `${path}/${id}${query}`, step.op === 'DELETE' ? undefined : step.body);
    if (!before) return expect(answer.status).toBe(404);
    if (step.op === 'DELETE') {
      expect([answer.status, answer.text]).toEqual([204, '']);
      model.delete(id);
      return;
    }
    expect(answer.status).toBe(expected ? 200 : 422);
    if (!expected) return;
    expect(comparable(answer.body)).toEqual(shown[resource](expected));
    model.set(id, expected);
  }
}

test.each<Resource>(['events', 'accounts'])(
  'Any sequence of changes to %s leaves the state that the rules require',
  async (resource) => {
    const bound = { numRuns: rounds(20, 1_000), interruptAfterTimeLimit: rounds(2_000, 40_000) };
    await fc.assert(
      fc.asyncProperty(steps(resource), (sequence) => play(resource, sequence)),
      bound,
    );
  },
);
