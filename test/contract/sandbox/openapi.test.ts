import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { switchesSchema } from '../../../src/sandbox/options.ts';
import type { Exchange } from '../../support/cms/exchange.ts';
import { createEvent, eventBody, events, openSandbox } from './harness.ts';
import { exchangeProblems } from './openapi/check-exchange.ts';
import { operations } from './openapi/described.ts';

const file = join(import.meta.dirname, 'openapi/cms-api.yaml');

describe('The description of the API', () => {
  test('is of the CMS: it has no status that only the sandbox has', () => {
    const statuses = new Set(operations.flatMap(({ responses }) => Object.keys(responses)));
    expect([...statuses].toSorted()).toEqual(['200', '201', '204', '2XX', '400', '401', '404', '415', '422', '500']);
    expect(readFileSync(file, 'utf8').replace(/^#.*$/gm, '')).not.toMatch(/sandbox/i);
  });
});

describe('The check of exchanges', () => {
  const switches = switchesSchema.parse({ cleared: 'empty' });

  async function exchangesOf(use: (api: { url: string; token: string }) => Promise<unknown>): Promise<Exchange[]> {
    const exchanges: Exchange[] = [];
    const sandbox = await openSandbox({ memory: true, onExchange: (exchange) => exchanges.push(exchange) });
    await use(sandbox);
    await sandbox.close();
    return exchanges;
  }

  const create = (body: object = eventBody) =>
    ({
      method: 'POST',
      path: `/api/v1${events}`,
      route: events,
      requestHeaders: {
        authorization: '***',
        accept: 'application/json',
        'user-agent': 'x',
        'content-type': 'application/json',
      },
      requestBody: JSON.stringify(body),
    }) as const;
  const shown = {
    id: 1,
    time: { isAllDay: false, isStartEnd: true, isStartOnly: false, isTba: false, isNoTime: false },
    ...{ isPastEvent: false, isToday: false, url: '/1', icalUrl: '/1.ics', editUrl: '/1/edit' },
  };
  const exchangeOf = (facts: Partial<Exchange>): Exchange => ({
    ...{ id: 1, at: '', ms: 1, complete: true, faults: [], responseHeaders: { 'content-type': 'application/json' } },
    ...{ status: 201, responseBody: JSON.stringify(shown), ...create(), ...facts },
  });
  const respond = (changes: object) => ({ responseBody: JSON.stringify({ ...shown, ...changes }) });
  const refuse = (status: number, errors: unknown) => ({ status, responseBody: JSON.stringify({ errors }) });
  const error = { code: 422, title: 'Unprocessable Entity', detail: 'title: is required' };

  test.each<[string, Partial<Exchange>]>([
    ['a create', {}],
    ['a create that is refused', { ...create({}), ...refuse(422, [error]) }],
    [
      'what a fault struck',
      { status: 200, responseBody: '<html>', faults: [{ kind: 'latency', ms: 0, jitterMs: 0, rate: 1 }] },
    ],
  ])('accepts %s', (_, facts) => expect(exchangeProblems(exchangeOf(facts), switches)).toEqual([]));

  test.each<[string, Partial<Exchange>]>([
    ['another status', { status: 200 }],
    ['an id that is text', respond({ id: '1' })],
    ['an attribute of another type', respond({ repeats: 'no' })],
    ['a day that is none', respond({ date: '2026-02-30' })],
    ['no derived attributes', respond({ time: {} })],
    ['another type of content', { responseHeaders: { 'content-type': 'text/html' } }],
    ['an error without entries', { ...create({}), ...refuse(422, []) }],
    ['an error with another code', { ...create({}), ...refuse(422, [{ ...error, code: 400 }]) }],
    ['an error with a status that is not described', refuse(409, [{ ...error, code: 409 }])],
    ['a failure without a fault', refuse(500, [{ ...error, code: 500 }])],
    ['a path that is not described', { route: '/calendar/rooms', method: 'GET', status: 200 }],
    ['a request without a title', create({ ...eventBody, title: undefined })],
    ['a request with a date that is none', create({ ...eventBody, date: '4 May' })],
    ['a request without a User-Agent', { requestHeaders: { ...create().requestHeaders, 'user-agent': '' } }],
    ['a request with another Accept', { requestHeaders: { ...create().requestHeaders, accept: '*/*' } }],
    ['a request that is not JSON', { requestHeaders: { ...create().requestHeaders, 'content-type': 'text/plain' } }],
    ['a parameter that does not fit', { method: 'GET', status: 200, path: `/api/v1${events}?limit=many` }],
  ])('finds %s', (_, facts) => expect(exchangeProblems(exchangeOf(facts), switches)).not.toEqual([]));

  test('sees every exchange of a sandbox', async () => {
    const exchanges = await exchangesOf(async (sandbox) => {
      const { callerOf } = await import('./harness.ts');
      await createEvent(callerOf(sandbox));
    });
    expect(exchanges).toMatchObject([{ method: 'POST', route: events, status: 201 }]);
  });
});
