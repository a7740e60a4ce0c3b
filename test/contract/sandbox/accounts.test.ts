import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { accounts, callerOf, openSandbox, withSandbox } from './harness.ts';

const api = withSandbox({ switches: { uniqueAccounts: ['username'] } });

const texts = [
  'email',
  'username',
  'firstName',
  'middleName',
  'lastName',
  'displayName',
  'company',
  'title',
  'department',
  'website',
  'phoneHome',
  'phoneOffice',
  'phoneMobile',
  'phoneTollFree',
  'phoneOther',
  'pager',
  'fax',
  'gender',
];

/** The links of an account, to its item in the API and to the page on which editors change it. */
const linksOf = (id: number) => [
  { rel: 'self', url: `/api/v1/account/accounts/${id}` },
  { rel: 'edit', url: `/admin/accounts/${id}` },
];

describe('Accounts', () => {
  test('A create keeps every attribute and returns 201 with id and links', async () => {
    const sent = Object.fromEntries(texts.map((key) => [key, `the ${key}`]));
    const { status, body } = await api.call('POST', accounts, { ...sent, badge: { colour: 'red' } });
    expect(status).toBe(201);
    const { id, links, ...rest } = body;
    expect(id).toEqual(expect.any(Number));
    expect(rest).toEqual({ ...sent, badge: { colour: 'red' } });
    expect(links).toEqual(linksOf(id));
    expect((await api.call('GET', `${accounts}/${id}`)).body).toEqual({ id, ...rest });
  });

  test('No attribute is required', async () => {
    expect((await api.call('POST', accounts, {})).status).toBe(201);
  });

  test('PATCH changes the sent attributes, PUT clears the others, and both return links', async () => {
    const { id } = (await api.call('POST', accounts, { firstName: 'Ada', lastName: 'King', badge: 1 })).body;
    const patched = await api.call('PATCH', `${accounts}/${id}`, { lastName: 'Lovelace' });
    expect(patched.status).toBe(200);
    expect(patched.body).toMatchObject({ id, firstName: 'Ada', lastName: 'Lovelace', badge: 1 });
    expect(patched.body.links).toEqual(linksOf(id));
    const put = await api.call('PUT', `${accounts}/${id}`, { firstName: 'A.' });
    expect(put.status).toBe(200);
    expect(put.body).toMatchObject({ id, firstName: 'A.', lastName: '' });
    expect(put.body).not.toHaveProperty('badge');
    expect(put.body.links).toEqual(linksOf(id));
  });

  test('DELETE returns 204 without a body, then 404', async () => {
    const { id } = (await api.call('POST', accounts, {})).body;
    const { status, text } = await api.call('DELETE', `${accounts}/${id}`);
    expect([status, text]).toEqual([204, '']);
    expect((await api.call('GET', `${accounts}/${id}`)).status).toBe(404);
  });

  test.each([...texts, 'password'])('The attribute %s must be text', async (key) => {
    const { status, body } = await api.call('POST', accounts, { [key]: 5 });
    expect(status).toBe(422);
    expect(body.errors[0].detail).toMatch(new RegExp(`^${key}:`));
  });

  test('A second account with a unique attribute is a 422, and the first may keep its own', async () => {
    const { id } = (await api.call('POST', accounts, { username: 'ada' })).body;
    const second = await api.call('POST', accounts, { username: 'ada' });
    expect(second.status).toBe(422);
    expect(second.body.errors[0].detail).toMatch(/^username:/);
    expect((await api.call('PATCH', `${accounts}/${id}`, { username: 'ada', title: 'Dr' })).status).toBe(200);
  });

  test('Accounts are the same in every instance', async () => {
    const { id } = (await api.call('POST', `${accounts}?instance=x`, {})).body;
    expect((await api.call('GET', `${accounts}/${id}?instance=y`)).status).toBe(200);
  });
});

test('A password is never returned, shown or stored', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'sandbox-test-'));
  const sandbox = await openSandbox({ dataDir });
  const caller = callerOf(sandbox);
  const password = 'correct horse battery';
  const created = await caller.call('POST', accounts, { username: 'u', password });
  const path = `${accounts}/${created.body.id}`;
  const answers = [
    created.text,
    (await caller.call('PATCH', path, { password })).text,
    (await caller.call('PUT', path, { username: 'u', password })).text,
    (await caller.call('GET', path)).text,
    (await caller.call('GET', `${accounts}?attributes[password]=${encodeURIComponent(password)}`)).body.data,
  ];
  await sandbox.close();
  const stored = await readFile(join(dataDir, 'sandbox.sqlite'), 'latin1');
  await rm(dataDir, { recursive: true });
  for (const answer of answers) expect(JSON.stringify(answer)).not.toContain('password');
  expect(JSON.stringify(answers)).not.toContain(password);
  expect(stored).toContain('"username":"u"');
  expect(stored).not.toContain(password);
});
