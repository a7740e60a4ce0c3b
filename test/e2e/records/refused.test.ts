import { describe, expect, test } from 'vitest';
import { planRun } from '../../../src/sync/runs/plan-run.ts';
import { writePeople, writePeopleSync } from '../fixtures.ts';
import { either } from '../in-turn.ts';
import { type Recorded, startRecordingProxy } from '../recording-proxy.ts';
import { openSite, type Site, simplest, writeTarget } from '../site.ts';

const uniqueNames = { switches: { uniqueAccounts: ['username' as const] } };

const one = { email: 'one@example.edu', login: 'one', first: 'One' };
const two = { email: 'two@example.edu', login: 'one', first: 'Two' };

function writeSync(site: Site, more = ''): void {
  writePeopleSync(site, '', { map: `email: email, username: login, firstName: first${more}` });
}

describe('Records that the CMS refused', () => {
  test.each(either(1))(
    'A refused record is not sent again, and is reported as failed until its content changes, on $ledger with $queue',
    async (engines) => {
      await using site = await openSite(engines, uniqueNames);
      writeSync(site);
      writePeople(site, one, two);
      // Which of the two comes first is the workers' to decide.
      const [first] = await site.sync();
      expect(first).toMatchObject({ status: 'partial', counts: { read: 2, created: 1, failed: 1 } });
      expect(first?.problems).toMatchObject([{ code: 'FF_CMS_UNPROCESSABLE' }]);
      site.writes();

      const before = site.sandbox.stats().total;
      for (let repeat = 0; repeat < 2; repeat += 1) {
        const [again] = await site.sync();
        expect(again).toMatchObject({ status: 'partial', counts: { read: 2, unchanged: 1, created: 0, failed: 1 } });
        expect(again?.problems).toEqual(first?.problems);
      }
      expect(site.sandbox.stats().total).toBe(before);

      const key = first?.problems[0]?.key ?? '';
      writePeople(site, ...[one, two].map((person) => (person.email === key ? { ...person, login: 'other' } : person)));
      expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1, unchanged: 1, failed: 0 } }]);
    },
  );

  test('A refused record is sent again if the config changes its payload', async () => {
    await using site = await openSite(simplest, uniqueNames);
    writeSync(site);
    writePeople(site, one, two);
    await site.sync();
    site.writes();
    writeTarget(site, '  externalId: mark\n  lookupAfter: 200ms\n');
    expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { unchanged: 1, failed: 1 } }]);
    expect(site.writes()).toEqual({ 'POST /account/accounts': 1 });
    await site.sync();
    expect(site.writes()).toEqual({});
  });

  test('A refused change does not block others, and the source may take it back', async () => {
    await using site = await openSite(simplest, uniqueNames);
    writeSync(site);
    writePeople(site, one, { ...two, login: 'two' });
    await site.sync();
    writePeople(site, one, two);
    expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { unchanged: 1, failed: 1 } }]);
    site.writes();
    writePeople(site, { ...one, first: 'First' }, two);
    expect(await site.sync()).toMatchObject([
      { status: 'partial', counts: { updated: 1, failed: 1 }, problems: [{ key: two.email }] },
    ]);
    expect(site.writes()).toEqual({ 'PATCH /account/accounts/:id': 1 });
    writePeople(site, { ...one, first: 'First' }, { ...two, login: 'two' });
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 2 } }]);
    expect(site.writes()).toEqual({});
  });
});

test('Explain says that a refused record is not sent again, plan lists it, and retry sends it', async () => {
  await using site = await openSite(simplest, uniqueNames);
  writeSync(site);
  writePeople(site, one);
  await site.sync();
  writePeople(site, one, two);
  await site.sync();
  expect((await site.explain('people', two.email)).verdict).toMatchObject({
    is: 'refused',
    why: expect.stringMatching(/FF_CMS_UNPROCESSABLE.*username/),
    next: expect.stringMatching(/sent again when the record or the config changes, or by `feedferry retry`/),
  });
  const planned = await site.withContext(planRun);
  expect(planned).toMatchObject({ creates: 0, updates: 0, problems: [{ key: two.email }], cost: { reads: 0 } });

  const [{ id } = { id: 0 }] = await site.items('account/accounts');
  await site.request('PATCH', `api/v1/account/accounts/${id}`, { username: 'renamed' });
  expect(await site.retry('people')).toMatchObject({ status: 'success', counts: { read: 1, created: 1 } });
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 2 } }]);
});

test('A new password makes a refused account eligible to be sent again', async () => {
  await using site = await openSite(simplest);
  await using proxy = await startRecordingProxy(site.sandbox.url);
  site.variables.CMS_BASE_URL = proxy.url;
  proxy.intercept = async ({ operation, body }: Recorded) =>
    operation.startsWith('POST') && JSON.parse(body).password !== 'a long one'
      ? { status: 422, body: '{"errors":[{"code":422,"title":"Unprocessable","detail":"password: is too weak"}]}' }
      : undefined;
  const creates = () => proxy.requests.filter(({ operation }) => operation.startsWith('POST')).length;
  writeSync(site, ', password: secret');
  writePeople(site, { ...one, secret: 'weak' });
  await site.sync();
  expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { failed: 1 } }]);
  expect(creates()).toBe(1);
  writePeople(site, { ...one, secret: 'as weak' });
  expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { failed: 1 } }]);
  expect(creates()).toBe(2);
  writePeople(site, { ...one, secret: 'a long one' });
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1 } }]);
});

test('A record that used up its attempts is tried by the next run', async () => {
  await using site = await openSite(simplest, { target: '  maxAttempts: 1\n' });
  await using proxy = await startRecordingProxy(site.sandbox.url);
  site.variables.CMS_BASE_URL = proxy.url;
  proxy.intercept = async ({ operation }) =>
    operation.startsWith('POST') ? { status: 408, body: '{"errors":[{"code":408}]}' } : undefined;
  writeSync(site);
  writePeople(site, one);
  expect(await site.sync()).toMatchObject([{ counts: { failed: 1 }, problems: [{ code: 'FF_CMS_TIMEOUT' }] }]);
  delete proxy.intercept;
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1 } }]);
});
