import { expect, test } from 'vitest';
import { readEnvironment } from '../../../src/app/environment.ts';
import { checkSecret } from '../../../src/doctor/checks/secret-check.ts';
import { loadSync } from '../config/setup.ts';

const people = 'resource: accounts\nsource: { connector: csv, url: a.csv }\nkey: id\n';
const REDIS_URL = 'redis://127.0.0.1';
const DATABASE_URL = 'postgres://127.0.0.1/feedferry';

test.each([
  ['one process', {}, 'ok'],
  ['the workers of one machine', { REDIS_URL }, 'ok'],
  ['one process with a ledger elsewhere', { DATABASE_URL }, 'ok'],
  ['workers on several machines', { REDIS_URL, DATABASE_URL }, 'warning'],
  ['workers that have a key', { REDIS_URL, DATABASE_URL, FEEDFERRY_SECRET: 'shared' }, 'ok'],
])('The key of passwords of %s', async (_, variables, is) => {
  const sync = loadSync(`${people}map: { email: email, username: login, password: { generate: true } }\n`);
  const findings = await Array.fromAsync(checkSecret(readEnvironment(variables), { syncs: [sync] }));
  expect(findings).toMatchObject([{ check: 'secret', is }]);
});

test('Without passwords, no key is needed', async () => {
  const sync = loadSync(`${people}map: { email: email, username: login }\n`);
  const environment = readEnvironment({ REDIS_URL, DATABASE_URL });
  expect(await Array.fromAsync(checkSecret(environment, { syncs: [sync] }))).toEqual([]);
});
