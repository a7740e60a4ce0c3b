import type { FastifyInstance } from 'fastify';
import { describe, expect, test } from 'vitest';
import { needs } from '../../../src/console/access/guard.ts';
import { localPath } from '../../../src/console/access/origin.ts';
import type { Viewer } from '../../../src/console/access/viewer.ts';
import { aRun, fakeConsole, overview, recordedActions } from './fake-console.ts';
import { serve, sessionsInMemory } from './server.ts';

const tokens = { view: 'for-viewers', operate: 'for-operators', approve: 'for-approvers' };
const HTML = { accept: 'text/html' };

/** Pages that show who sees them, and a form for operators. */
const pages = {
  routes(server: FastifyInstance) {
    server.get('/*', async ({ viewer }, reply) => reply.type('text/html').send(JSON.stringify(viewer)));
    server.post('/act', { onRequest: needs('operate') }, async (_, reply) => reply.redirect('/runs/r1', 303));
  },
};

const served = (given = {}) => serve({ tokens, console: fakeConsole({ pages }), ...given });

function submit(url: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const body = new URLSearchParams(fields);
  return fetch(url, { method: 'POST', body, redirect: 'manual', headers: { ...HTML, ...headers } });
}

async function logIn(url: string, token: string, name = 'Ada') {
  const response = await submit(`${url}/login`, { name, token, to: '/' });
  const set = response.headers.get('set-cookie') ?? '';
  const cookie = set.split(';')[0] ?? '';
  const page = async () => (await fetch(url, { headers: { ...HTML, cookie } })).json() as Promise<Viewer>;
  return { response, set, cookie, page };
}

async function statusOf(url: string, cookie: string): Promise<number> {
  return (await fetch(url, { headers: { ...HTML, cookie }, redirect: 'manual' })).status;
}

describe('A log-in', () => {
  test('is asked for by a page without a session, and leads back to it', async () => {
    const url = await served();
    const asked = await fetch(`${url}/runs/r1?after=x`, { headers: HTML, redirect: 'manual' });
    expect([asked.status, asked.headers.get('location')]).toEqual([303, '/login?to=%2Fruns%2Fr1%3Fafter%3Dx']);
    const form = await fetch(`${url}/login?to=/runs/r1`);
    expect(await form.text()).toContain('to /runs/r1 as');
    const { response } = await logIn(url, tokens.view);
    expect([response.status, response.headers.get('location')]).toEqual([303, '/']);
  });

  test.each(Object.entries(tokens))(
    'with the token of the role %s gives that role, for 12 hours',
    async (role, token) => {
      const url = await served();
      const { set, page } = await logIn(url, token);
      expect(set).toMatch(/^feedferry_session=[^;]+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/);
      expect(set).not.toContain(token);
      // A name that was typed is marked: anyone with the token could have typed it.
      expect(await page()).toMatchObject({ name: 'Ada (shared token)', role, via: 'console' });
    },
  );

  test('with a wrong token, or without a name, shows the form again', async () => {
    const url = await served();
    const wrong = await submit(`${url}/login`, { name: 'Ada', token: 'guess', to: '/doctor' });
    expect([wrong.status, wrong.headers.get('set-cookie')]).toEqual([401, null]);
    expect(await wrong.text()).toContain('to /doctor as Ada: The token is wrong.');
    const nameless = await submit(`${url}/login`, { name: ' ', token: tokens.view });
    expect([nameless.status, await nameless.text()]).toEqual([400, expect.stringContaining('Enter your name.')]);
  });

  test('is refused for a while after many wrong tokens, except with a right one', async () => {
    const url = await served();
    const statuses: number[] = [];
    for (let count = 0; count < 21; count++) {
      statuses.push((await submit(`${url}/login`, { name: 'Eve', token: `guess ${count}` })).status);
    }
    expect(statuses.slice(-2)).toEqual([401, 429]);
    const { response, page } = await logIn(url, tokens.approve);
    expect(response.status).toBe(303);
    expect(await page()).toMatchObject({ role: 'approve' });
    const refused = await submit(`${url}/login`, { name: 'Eve', token: 'guess' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('is only sent over https if the browser uses that', async () => {
    const fields = { name: 'Ada', token: tokens.view };
    const proxied = { 'x-forwarded-proto': 'https' };
    const behindProxy = await submit(`${await served({ isTrustedProxy: () => true })}/login`, fields, proxied);
    expect(behindProxy.headers.get('set-cookie')).toMatch(/; Secure;/);
    const pretended = await submit(`${await served()}/login`, fields, proxied);
    expect(pretended.headers.get('set-cookie')).not.toMatch(/; Secure;/);
    const known = await submit(`${await served({ publicUrl: 'https://console.example.edu' })}/login`, fields);
    expect(known.headers.get('set-cookie')).toMatch(/; Secure;/);
  });

  test('is ended by logging out, in all processes and for copies of the cookie', async () => {
    const sessions = sessionsInMemory();
    const [url, other] = [await served({ sessions }), await served({ sessions })];
    const { cookie, page } = await logIn(url, tokens.view);
    const statuses = () => Promise.all([url, other].map((each) => statusOf(each, cookie)));
    expect(await statuses()).toEqual([200, 200]);
    const { csrfToken } = await page();
    const out = await submit(`${url}/logout`, { csrf: csrfToken }, { cookie });
    expect([out.status, out.headers.get('location')]).toEqual([303, '/login']);
    expect(out.headers.get('set-cookie')).toMatch(/^feedferry_session=; Max-Age=0/);
    expect(await statuses()).toEqual([303, 303]);
  });

  test('is ended by a change of its token, and by no other one', async () => {
    const sessions = sessionsInMemory();
    const { cookie } = await logIn(await served({ sessions }), tokens.view);
    const withOther = (changed: object) => served({ sessions, tokens: { ...tokens, ...changed } });
    expect(await statusOf(await withOther({ operate: 'another' }), cookie)).toBe(200);
    expect(await statusOf(await withOther({ view: 'another' }), cookie)).toBe(303);
    expect(await statusOf(await served({ sessions }), cookie.replace(/=.{6}/, '=abcdef'))).toBe(303);
  });

  test('from a link in another website needs a second step, because browsers keep the cookie back', async () => {
    const url = await served();
    const headers = { ...HTML, 'sec-fetch-site': 'cross-site' };
    const first = await fetch(`${url}/runs/r1/plan`, { headers, redirect: 'manual' });
    expect([first.status, first.headers.get('refresh')]).toEqual([200, '0;url=/login?to=%2Fruns%2Fr1%2Fplan']);
    const { cookie } = await logIn(url, tokens.view);
    const second = await fetch(`${url}/login?to=/runs/r1/plan`, { headers: { cookie }, redirect: 'manual' });
    expect([second.status, second.headers.get('location')]).toEqual([303, '/runs/r1/plan']);
  });

  test('of a part of a page leads to the whole page', async () => {
    const url = await served();
    const headers = { ...HTML, 'hx-request': 'true', 'hx-current-url': `${url}/syncs/a/record?key=1` };
    const response = await fetch(`${url}/syncs/a/record/live?key=1`, { headers, redirect: 'manual' });
    expect([response.status, response.headers.get('hx-redirect')]).toEqual([
      401,
      '/login?to=%2Fsyncs%2Fa%2Frecord%3Fkey%3D1',
    ]);
  });
});

describe('A form', () => {
  test('needs the role', async () => {
    const url = await served();
    const { cookie, page } = await logIn(url, tokens.view);
    const { csrfToken } = await page();
    const refused = await submit(`${url}/act`, { csrf: csrfToken }, { cookie });
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('FF_HTTP_FORBIDDEN')]);
    const operator = await logIn(url, tokens.operate);
    const done = await submit(`${url}/act`, { csrf: (await operator.page()).csrfToken }, { cookie: operator.cookie });
    expect([done.status, done.headers.get('location')]).toEqual([303, '/runs/r1']);
  });

  test.each([undefined, '', 'guess', 'of another session'])('is refused with the token %s', async (csrf) => {
    const url = await served();
    const { cookie } = await logIn(url, tokens.approve);
    const other = (await (await logIn(url, tokens.approve)).page()).csrfToken;
    const given = csrf === 'of another session' ? other : csrf;
    const refused = await submit(`${url}/act`, given === undefined ? {} : { csrf: given }, { cookie });
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('FF_HTTP_FORGED')]);
  });

  test('needs its token on this machine, too, and of whoever has a password in the browser', async () => {
    const open = await served({ tokens: {} });
    expect((await submit(`${open}/act`, {})).status).toBe(403);
    const { csrfToken } = (await (await fetch(open, { headers: HTML })).json()) as Viewer;
    expect((await submit(`${open}/act`, { csrf: csrfToken })).status).toBe(303);
    const basic = { authorization: `Basic ${Buffer.from(`ada:${tokens.approve}`).toString('base64')}` };
    expect((await submit(`${await served()}/act`, {}, basic)).status).toBe(403);
  });

  test.each([
    ['sec-fetch-site', 'cross-site', 403],
    ['sec-fetch-site', 'same-site', 403],
    ['sec-fetch-site', 'same-origin', 303],
    ['origin', 'https://evil.example.org', 403],
    ['origin', 'null', 403],
    ['origin', 'https://console.example.edu', 303],
  ])('with the header %s: %s has the status %i', async (name, value, status) => {
    const url = await served({ publicUrl: 'https://console.example.edu' });
    const { cookie, page } = await logIn(url, tokens.approve);
    const { csrfToken } = await page();
    expect((await submit(`${url}/act`, { csrf: csrfToken }, { cookie, [name]: value })).status).toBe(status);
  });
});

describe('Roles in the API', () => {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' });

  test.each([
    ['/runs', { sync: 'talks' }, 'operate'],
    ['/syncs/talks/retry', {}, 'operate'],
    ['/doctor', {}, 'operate'],
    ['/runs/r1/approve', { set: 's', reason: 'checked' }, 'approve'],
    ['/runs/r1/reject', { set: 's', reason: 'wrong' }, 'approve'],
    ['/runs/r1/undo', {}, 'approve'],
    ['/syncs/talks/purge', { confirm: 'talks', reason: 'retired' }, 'approve'],
    ['/syncs/talks/record/adopt', { key: '1', cmsId: 7 }, 'approve'],
  ])('%s needs a role', async (path, body, needed) => {
    const { act } = recordedActions();
    const queries = { examine: () => {}, examination: () => ({ state: 'running' as const, findings: [] }) };
    const url = await served({ console: fakeConsole({ act, queries }) });
    const asked = Object.values(tokens).map((token) =>
      fetch(`${url}/api${path}`, { method: 'POST', headers: bearer(token), body: JSON.stringify(body) }),
    );
    const allowed = (await Promise.all(asked)).map(({ ok }) => ok);
    expect(allowed).toEqual([false, needed === 'operate', true]);
  });

  test('A session acts in the API only with the token of its forms', async () => {
    const { act, done } = recordedActions();
    const url = await served({ console: fakeConsole({ act, pages }) });
    const { cookie, page } = await logIn(url, tokens.operate);
    const begin = (headers: Record<string, string>) =>
      fetch(`${url}/api/runs`, {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/json', ...headers },
        body: '{"sync":"talks"}',
      });
    expect((await begin({})).status).toBe(403);
    expect((await begin({ 'x-csrf-token': (await page()).csrfToken })).status).toBe(202);
    expect(done).toEqual([['start', { sync: 'talks' }, { name: 'Ada (shared token)', via: 'api' }]]);
  });

  test('All see runs and the overview; those who only view get what is masked for them', async () => {
    const parts = fakeConsole({ queries: { overview: async () => overview, run: async () => aRun() } });
    const seen: string[] = [];
    const queriesFor: typeof parts.queriesFor = (viewer) => {
      seen.push(viewer.role);
      return parts.queriesFor(viewer);
    };
    const url = await served({ console: { ...parts, queriesFor } });
    for (const token of Object.values(tokens)) {
      expect((await fetch(`${url}/api/overview`, { headers: bearer(token) })).status).toBe(200);
    }
    expect(seen).toEqual(['view', 'operate', 'approve']);
  });
});

test.each([
  [undefined, '/'],
  ['/runs/r1?after=x', '/runs/r1?after=x'],
  ['//evil.example.org', '/'],
  ['/\\evil.example.org', '/'],
  ['/.//evil.example.org', '/'],
  ['https://evil.example.org/', '/'],
  ['javascript:alert(1)', '/'],
  ['/\t/evil.example.org', '/'],
])('After the log-in, %s leads to %s', (to, path) => {
  expect(localPath(to)).toBe(path);
});
