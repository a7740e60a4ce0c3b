import { expect, test } from 'vitest';
import { feedferry } from '../feedferry.ts';
import { writePeople, writePeopleSync } from '../fixtures.ts';
import { combinations, openSite } from '../site.ts';

const queues = combinations.filter(({ ledger }) => ledger === 'sqlite');

test.each(queues)('Log lines about a record name its run and sync, with $queue', async (engines) => {
  await using site = await openSite(engines, { switches: { uniqueAccounts: ['username'] } });
  writePeopleSync(site);
  writePeople(site, { email: 'one@example.edu', login: 'one' }, { email: 'two@example.edu', login: 'one' });
  const { stderr, json } = await feedferry(['sync', '--json'], { ...site.variables, LOG_LEVEL: 'debug' });
  const [{ run } = { run: '' }] = json<{ runs: Array<{ run: string }> }>().runs;
  const lines = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.filter(({ key }) => key !== undefined)).toMatchObject([
    { level: 20, sync: 'people', run, key: expect.stringMatching(/^(one|two)@/), code: 'FF_CMS_UNPROCESSABLE' },
  ]);
});
