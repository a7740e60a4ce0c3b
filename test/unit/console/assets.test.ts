import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { expect, test } from 'vitest';
import { assetPath } from '../../../src/console/assets.ts';
import { fakeConsole } from './fake-console.ts';
import { serve } from './server.ts';

/** fetch would decompress. */
async function raw(url: string, encoding = 'gzip') {
  const [response] = (await once(get(url, { headers: { 'accept-encoding': encoding } }), 'response')) as [
    IncomingMessage,
  ];
  return { headers: response.headers, body: await buffer(response) };
}

test('Assets are for everyone, compressed, and kept by browsers for as long as they have their address', async () => {
  const url = await serve({ tokens: { view: 'abc' }, console: fakeConsole({}) });
  const path = assetPath('htmx.min.js');
  expect(path).toMatch(/^\/assets\/htmx\.min-[0-9a-f]{12}\.js$/);
  const zipped = await raw(url + path);
  const plain = await raw(url + path, 'identity');
  expect(zipped.headers).toMatchObject({
    'content-encoding': 'gzip',
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
  });
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(gunzipSync(zipped.body)).toEqual(plain.body);
});

test('The dark scheme changes nothing but colours', () => {
  const styles = readFileSync(new URL('../../../src/console/assets/console.css', import.meta.url), 'utf8');
  expect(styles).not.toContain('prefers-color-scheme');
  const both = [...styles.matchAll(/^.*light-dark\(.*$/gm)].map(([line]) => line.trim());
  expect(both.length).toBeGreaterThan(20);
  for (const line of both) expect(line).toMatch(/^--[\w-]+: light-dark\(#[0-9a-f]{3,6}, #[0-9a-f]{6}\);$/);
});

test('A page needs less than 60 kB with all that it loads', async () => {
  const url = await serve({ console: fakeConsole({}) });
  const names = ['htmx.min.js', 'favicon.svg'];
  const assets = await Promise.all(names.map((name) => raw(url + assetPath(name))));
  const bytes = assets.reduce((sum, { body }) => sum + body.length, 0);
  // Leaves 30 kB for the styles and the page itself.
  expect(bytes).toBeLessThan(30_000);
});

test('Long pages and JSON are compressed', async () => {
  const text = `<p>${'Maps '.repeat(1_000)}</p>`;
  const pages = {
    routes: (server: FastifyInstance) => {
      server.get('/long', async (_, reply) => reply.type('text/html; charset=utf-8').send(text));
      server.get('/short', async (_, reply) => reply.type('text/html; charset=utf-8').send('<p>Maps</p>'));
    },
  };
  const url = await serve({ console: fakeConsole({ pages }) });
  const long = await raw(`${url}/long`);
  expect(long.headers).toMatchObject({ 'content-encoding': 'gzip', 'content-length': String(long.body.length) });
  expect(gunzipSync(long.body).toString()).toBe(text);
  expect((await raw(`${url}/short`)).headers['content-encoding']).toBeUndefined();
  expect((await raw(`${url}/long`, 'identity')).body.toString()).toBe(text);
});
