import type { FastifyInstance } from 'fastify';
import { describe, expect, test } from 'vitest';
import type { Viewer } from '../../../src/console/access/viewer.ts';
import type { Person } from '../../../src/core/access/person.ts';
import { sha256 } from '../../../src/core/hash.ts';
import { fakeConsole } from './fake-console.ts';
import { serve, sessionsInMemory } from './server.ts';

const pages = {
  routes(server: FastifyInstance) {
    server.get('/*', async ({ viewer }, reply) => reply.type('text/html').send(JSON.stringify(viewer)));
    server.post('/act', async () => 'done');
  },
  logIn: ({ asksName, error = '' }: { asksName: string; error?: string }) => `${asksName} ${error}`,
};
const ann: Person = { name: 'Ann Smith', role: 'approve', tokenHash: sha256('token of ann') };
const otto: Person = { name: 'otto@example.edu', role: 'operate' };

async function served(people: Person[], given: object = {}) {
  const url = await serve({ people: () => people, console: fakeConsole({ pages }), ...given });
  const asked = async (headers: Record<string, string>) => {
    const response = await fetch(url, { headers: { accept: 'text/html', ...headers }, redirect: 'manual' });
    return response.status === 200 ? ((await response.json()) as Viewer) : response.status;
  };
  const logIn = async (fields: Record<string, string>) => {
    const body = new URLSearchParams(fields);
    const response = await fetch(`${url}/login`, { method: 'POST', body, redirect: 'manual' });
    return { response, cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' };
  };
  return { url, asked, logIn };
}

const basic = (user: string, token: string) => {
  return { authorization: `Basic ${Buffer.from(`${user}:${token}`).toString('base64')}` };
};

describe('A token with a name', () => {
  test('gives its own name, whatever name is typed or sent', async () => {
    const { asked, logIn } = await served([ann], { tokens: { view: 'shared token of all' } });
    const { cookie } = await logIn({ name: 'Mallory', token: 'token of ann' });
    expect(await asked({ cookie })).toMatchObject({ name: 'Ann Smith', role: 'approve', hasSession: true });
    expect(await asked(basic('mallory', 'token of ann'))).toMatchObject({ name: 'Ann Smith' });
    expect(await asked({ authorization: 'Bearer token of ann'.replaceAll(' of ', '-of-') })).toBe(303);
    expect(await asked(basic('Ann Smith', 'shared token of all'))).toMatchObject({
      name: 'Ann Smith (shared token)',
      role: 'view',
    });
  });

  test('needs no name at the log-in, which asks for one only if a shared token has none', async () => {
    const named = await served([ann]);
    expect((await named.logIn({ token: 'token of ann' })).response.status).toBe(303);
    expect(await (await fetch(`${named.url}/login`)).text()).toBe('never ');
    const both = await served([ann], { tokens: { view: 'shared token of all' } });
    const nameless = await both.logIn({ token: 'shared token of all' });
    expect([nameless.response.status, await nameless.response.text()]).toEqual([
      400,
      'forSharedTokens Enter your name.',
    ]);
  });

  test('loses its sessions with its entry, and changes their role with the file', async () => {
    const people = [ann];
    const { asked, logIn } = await served(people);
    const { cookie } = await logIn({ token: 'token of ann' });
    people[0] = { ...ann, role: 'view' };
    expect(await asked({ cookie })).toMatchObject({ role: 'view' });
    people[0] = { ...ann, tokenHash: sha256('another token') };
    expect(await asked({ cookie })).toBe(303);
  });
});

describe('A proxy that names the person', () => {
  const proxied = { userHeader: 'x-forwarded-user', isTrustedProxy: (address: string) => address === '127.0.0.1' };

  test('is believed if it is trusted, and the file gives the role', async () => {
    const { url, asked } = await served([otto, ann], proxied);
    const viewer = (await asked({ 'x-forwarded-user': otto.name })) as Viewer;
    expect(viewer).toMatchObject({ name: otto.name, role: 'operate' });
    expect(viewer).not.toHaveProperty('hasSession');
    // nginx passes the password on that it has checked.
    expect(await asked({ 'x-forwarded-user': otto.name, ...basic('otto', 'password') })).toMatchObject({
      role: 'operate',
    });
    expect(await asked({ 'x-forwarded-user': 'eve@example.org' })).toBe(403);
    expect(await asked({})).toBe(303);
    const act = (csrf: string) => {
      return fetch(`${url}/act`, {
        method: 'POST',
        body: new URLSearchParams({ csrf }),
        headers: { 'x-forwarded-user': otto.name },
      });
    };
    expect([(await act('')).status, (await act(viewer.csrfToken)).status]).toEqual([403, 200]);
  });

  test('gives forms that each console with the same ledger accepts, and only from their person', async () => {
    const sessions = sessionsInMemory();
    const eve: Person = { name: 'eve@example.edu', role: 'operate' };
    const [one, other] = [
      await served([otto, eve], { ...proxied, sessions }),
      await served([otto, eve], { ...proxied, sessions }),
    ];
    const { csrfToken: csrf } = (await one.asked({ 'x-forwarded-user': otto.name })) as Viewer;
    const send = async (url: string, name: string) => {
      const headers = { 'x-forwarded-user': name };
      return (await fetch(`${url}/act`, { method: 'POST', body: new URLSearchParams({ csrf }), headers })).status;
    };
    expect([await send(other.url, otto.name), await send(one.url, otto.name)]).toEqual([200, 200]);
    expect(await send(other.url, eve.name)).toBe(403);
    expect(await send((await served([otto, eve], proxied)).url, otto.name)).toBe(403);
    expect(await one.asked({ cookie: 'feedferry_session=forms' })).toBe(303);
  });

  test('may name everyone, if the file has *', async () => {
    const { asked } = await served([otto, { name: '*', role: 'view' }], proxied);
    expect(await asked({ 'x-forwarded-user': 'eve@example.org' })).toMatchObject({
      name: 'eve@example.org',
      role: 'view',
    });
    expect(await asked({ 'x-forwarded-user': otto.name })).toMatchObject({ role: 'operate' });
  });

  test.each([
    ['its address is another one', { ...proxied, isTrustedProxy: (address: string) => address === '192.0.2.7' }],
    ['no header is configured', { isTrustedProxy: () => true }],
  ])('is not believed if %s', async (_, given) => {
    const { asked } = await served([otto, { name: '*', role: 'view' }], given);
    expect(await asked({ 'x-forwarded-user': otto.name, 'x-forwarded-for': '127.0.0.1' })).toBe(303);
  });
});
