import type { FastifyInstance } from 'fastify';
import { expect, test } from 'vitest';
import type { Act } from '../../../src/app/actions/actions.ts';
import type { FeedDrafts } from '../../../src/app/drafts/feed-drafts.ts';
import { feedRoutes } from '../../../src/console/feeds/feed-routes.ts';
import { viewedQueries } from '../../../src/console/viewed-queries.ts';
import { CodedError } from '../../../src/core/errors.ts';
import type { Queries } from '../../../src/queries/create-queries.ts';
import { fakeConsole, withOnly } from './fake-console.ts';
import { serve } from './server.ts';

test('A page after a decision shows the state after it, for each role; pages in between share one answer', async () => {
  let rejected = 0;
  const asked: number[] = [];
  const queries = withOnly<Queries>({
    overview: async () => {
      asked.push(rejected);
      return { rejected } as never;
    },
  });
  const act = (async () => {
    rejected += 1;
    return { run: 'r1', sync: 'talks' };
  }) as unknown as Act;
  const pages = {
    routes: (server: FastifyInstance) => void server.get('/shown', async (request) => request.queries.overview()),
  };
  const parts = fakeConsole({ act, pages });
  const viewed = viewedQueries(queries, (all) => ({ ...all }));
  const url = await serve({ console: { ...parts, ...viewed }, tokens: { view: 'of-viewers', approve: 'of-editors' } });
  const shown = async () => {
    const pages = ['of-viewers', 'of-editors'].map(async (token) => {
      const response = await fetch(`${url}/shown`, { headers: { authorization: `Bearer ${token}` } });
      return ((await response.json()) as { rejected: number }).rejected;
    });
    return Promise.all(pages);
  };
  await shown();
  expect(await shown()).toEqual([0, 0]);
  await fetch(`${url}/api/runs/r1/reject`, {
    method: 'POST',
    body: '{"set":"s","reason":"no"}',
    headers: { authorization: 'Bearer of-editors', 'content-type': 'application/json' },
  });
  expect(await shown()).toEqual([1, 1]);
  expect(asked).toEqual([0, 1]);
});

test('A page of a feed has the status 503 while the ledger cannot be reached, and 422 for what was entered', async () => {
  const codes = ['FF_LEDGER_UNAVAILABLE', 'FF_USAGE'] as const;
  const errors = codes.map((code) => new CodedError(code, 'Told.'));
  const drafts = withOnly<FeedDrafts>({
    open: () => Promise.reject(errors.shift()),
    list: () => [],
    close: () => {},
  });
  const timezone = () => 'Europe/Berlin';
  const pages = {
    routes: (server: Parameters<typeof feedRoutes>[0]) => feedRoutes(server, { drafts, timezone }),
  };
  const url = await serve({ console: fakeConsole({ pages }), edit: 'draft' });
  const csrf = /name="csrf" value="([^"]+)"/.exec(await (await fetch(`${url}/feeds/new`)).text())?.[1] ?? '';
  const statuses: number[] = [];
  for (const _ of codes) {
    const body = new URLSearchParams({ csrf, address: 'https://example.org/feed.csv' });
    const response = await fetch(`${url}/feeds/new`, { method: 'POST', body, headers: { accept: 'text/html' } });
    statuses.push(response.status);
    expect(await response.text()).toContain('Told.');
  }
  expect(statuses).toEqual([503, 422]);
});
