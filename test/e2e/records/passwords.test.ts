import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writePeople, writePeopleSync } from '../fixtures.ts';
import { either } from '../in-turn.ts';
import { type RecordingProxy, startRecordingProxy } from '../recording-proxy.ts';
import { openSite, type Site, simplest } from '../site.ts';

const CREATE = 'POST /api/v1/account/accounts';

function writePasswords(site: Site, password: string, people: object[]): void {
  writePeopleSync(site, '', { key: 'login', map: `username: login, firstName: first, password: ${password}` });
  writePeople(site, ...people);
}

const sent = (proxy: RecordingProxy, operation: string) =>
  proxy.requests.filter((request) => request.operation.startsWith(operation)).map(({ body }) => JSON.parse(body));

describe('Passwords', () => {
  test.each(either(1))(
    'A password of the source is sent in the create only, however it changes, on $ledger with $queue',
    async (engines) => {
      await using site = await openSite(engines);
      await using proxy = await startRecordingProxy(site.sandbox.url);
      site.variables.CMS_BASE_URL = proxy.url;
      const ada = { login: 'ada', first: 'Ada', secret: 'her first password' };
      writePasswords(site, 'secret', [ada, { login: 'alan', first: 'Alan' }]);
      expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 2 } }]);
      expect(sent(proxy, CREATE)).toContainEqual(expect.objectContaining({ username: 'ada', password: ada.secret }));
      expect(sent(proxy, CREATE).filter((body) => 'password' in body)).toHaveLength(1);

      const before = site.sandbox.stats().total;
      writePasswords(site, 'secret', [
        { ...ada, secret: 'another' },
        { login: 'alan', first: 'Alan', secret: 'new' },
      ]);
      expect(await site.sync()).toMatchObject([{ counts: { unchanged: 2 } }]);
      expect(site.sandbox.stats().total).toBe(before);

      writePasswords(site, 'secret', [
        { ...ada, first: 'Augusta', secret: 'another' },
        { login: 'alan', first: 'Alan' },
      ]);
      expect(await site.sync()).toMatchObject([{ counts: { updated: 1 } }]);
      expect(sent(proxy, 'PATCH')).toEqual([{ firstName: 'Augusta' }]);
    },
  );

  test('A generated password is long and unique, and a repeated create sends the same one', async () => {
    await using site = await openSite(simplest);
    await using proxy = await startRecordingProxy(site.sandbox.url);
    site.variables.CMS_BASE_URL = proxy.url;
    const refused = new Set<string>();
    proxy.intercept = async ({ operation, body }) => {
      if (operation !== CREATE || refused.has(JSON.parse(body).username)) return undefined;
      refused.add(JSON.parse(body).username);
      return { status: 429, body: '{"errors":[{"code":429,"title":"Slow down","detail":"Slow down"}]}' };
    };
    writePasswords(site, '{ generate: true }', [
      { login: 'ada', first: 'Ada' },
      { login: 'alan', first: 'Alan' },
    ]);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 2 } }]);
    const creates = sent(proxy, CREATE) as Array<{ username: string; password: string }>;
    const passwordsOf = (username: string) =>
      new Set(creates.filter((body) => body.username === username).map(({ password }) => password));
    expect(creates).toHaveLength(4);
    expect([...passwordsOf('ada')]).toEqual([expect.stringMatching(/^[\w-]{24}$/)]);
    expect(passwordsOf('alan').size).toBe(1);
    expect(passwordsOf('alan')).not.toEqual(passwordsOf('ada'));

    const key = join(site.dir, 'data/secret.key');
    expect(statSync(key).mode & 0o777).toBe(0o600);
  });

  test('No key is written to disk if FEEDFERRY_SECRET is set', async () => {
    await using site = await openSite(simplest);
    site.variables.FEEDFERRY_SECRET = 'a shared secret';
    writePasswords(site, '{ generate: true }', [{ login: 'ada', first: 'Ada' }]);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1 } }]);
    expect(existsSync(join(site.dir, 'data/secret.key'))).toBe(false);
  });
});
