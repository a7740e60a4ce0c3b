import { describe, expect, test } from 'vitest';
import { endpoints } from '../../../src/console/api/api.ts';
import { describeApi } from '../../../src/console/api/openapi.ts';
import { fakeConsole, recordedActions } from './fake-console.ts';
import { serve } from './server.ts';

type Operation = {
  operationId: string;
  responses: Record<string, unknown>;
  parameters?: Array<{ name: string; in: string }>;
};

describe('The description of the API', () => {
  const { paths = {}, openapi, components } = describeApi(endpoints, '1.2.3');
  const operations = Object.values(paths).flatMap((path) => Object.values(path) as Operation[]);

  test('is served as OpenAPI 3.1', async () => {
    const url = await serve({ console: fakeConsole({}) });
    const served = (await (await fetch(`${url}/api/openapi.json`)).json()) as { paths: object };
    expect(openapi).toBe('3.1.0');
    expect(served.paths).toEqual(JSON.parse(JSON.stringify(paths)));
  });

  test('has every endpoint, each with a name of its own', () => {
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const expected = endpoints.map(({ method, path }) => `${method} /api${path.replaceAll(/:(\w+)/g, '{$1}')}`);
    expect(described.toSorted()).toEqual(expected.toSorted());
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(endpoints.length);
  });

  test('names what responses are made of, once', () => {
    expect(paths['/api/overview']?.get?.responses?.['200']).toMatchObject({
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Overview' } } },
    });
    const text = JSON.stringify({ paths, components });
    const named = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name));
    expect([...named].toSorted()).toEqual(Object.keys(components?.schemas ?? {}).toSorted());
  });

  test('has every parameter of each path', () => {
    for (const [path, methods] of Object.entries(paths)) {
      for (const { parameters = [] } of Object.values(methods) as Operation[]) {
        const inPath = parameters.filter((each) => each.in === 'path').map(({ name }) => name);
        expect([path, inPath]).toEqual([path, [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)]);
      }
    }
  });
});

describe('The API', () => {
  async function asked(path: string, options: Parameters<typeof fakeConsole>[0], init: RequestInit = {}) {
    const url = await serve({ console: fakeConsole(options) });
    return fetch(`${url}/api${path}`, { headers: { 'content-type': 'application/json' }, ...init });
  }

  test('A search has words, states and a position', async () => {
    const searches: unknown[] = [];
    const records = async (search: unknown) => {
      searches.push(search);
      return { records: [] };
    };
    await asked('/records?sync=talks&words=old+maps&state=failed&state=held&after=k&limit=5', {
      queries: { records },
    });
    await asked('/records?state=pending', { queries: { records } });
    expect(searches).toEqual([
      { sync: 'talks', words: 'old maps', states: ['failed', 'held'], after: 'k', limit: 5 },
      { states: ['pending'], limit: 50 },
    ]);
  });

  test.each(['/runs?limit=0', '/runs?limit=201', '/runs?day=2027-13-01', '/records?state=odd', '/syncs/a/record'])(
    'It refuses %s',
    async (path) => {
      const response = await asked(path, {});
      expect([response.status, await response.json()]).toMatchObject([400, { error: { code: 'FF_HTTP_REQUEST' } }]);
    },
  );

  test('A run that was started is 202, with its address', async () => {
    const { act, done } = recordedActions();
    const response = await asked('/runs', { act }, { method: 'POST', body: '{"sync":"talks"}' });
    expect([response.status, response.headers.get('location')]).toEqual([202, '/api/runs/r1']);
    expect(await response.json()).toMatchObject({ run: 'r1', sync: 'talks', started: true });
    expect(done).toEqual([['start', { sync: 'talks' }, { name: expect.any(String), via: 'api' }]]);
  });

  test('A decision names its set and a reason', async () => {
    const { act, done } = recordedActions();
    const decide = (body: object) => asked('/runs/r1/approve', { act }, { method: 'POST', body: JSON.stringify(body) });
    expect((await decide({ set: 'abc' })).status).toBe(400);
    expect((await decide({ set: 'abc', reason: ' ' })).status).toBe(400);
    expect((await decide({ set: 'abc', reason: 'Season is over' })).status).toBe(202);
    expect(done).toEqual([['approve', { run: 'r1', set: 'abc', reason: 'Season is over' }, expect.anything()]]);
  });

  test('A purge needs the name of the sync', async () => {
    const { act, done } = recordedActions();
    const purge = (confirm: string) =>
      asked('/syncs/talks/purge', { act }, { method: 'POST', body: JSON.stringify({ confirm, reason: 'retired' }) });
    expect([(await purge('yes')).status, (await purge('talks')).status]).toEqual([400, 202]);
    expect(done).toHaveLength(1);
  });

  test('Rejects are a table, compressed if the client can read that', async () => {
    async function* rejectsCsv() {
      yield 'at,reason\n';
      yield 'line 2,"no title"\n';
    }
    const rejects = async () => ({ run: null, read: 0, total: 0, groups: [] });
    const response = await asked('/syncs/talks/rejects.csv', { queries: { rejects, rejectsCsv } });
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(await response.text()).toBe('at,reason\nline 2,"no title"\n');
  });
});
