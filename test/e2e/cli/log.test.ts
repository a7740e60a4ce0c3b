import { expect, test } from 'vitest';
import { feedferry } from '../feedferry.ts';
import { combinations, openSite } from '../site.ts';

test.each(combinations)('Log lines about a record name its run and sync, on $ledger and $queue', async (engines) => {
  await using site = await openSite(engines, { switches: { uniqueAccounts: ['username'] } });
  site.write(
    'syncs/people.yaml',
    'resource: accounts\nsource: { connector: csv, url: ./people.csv }\nkey: email\nmap: { email: email, username: login }\n',
  );
  site.write('syncs/people.csv', 'email,login\none@example.edu,one\ntwo@example.edu,one\n');
  const { stderr, json } = await feedferry(['sync', '--json'], { ...site.variables, LOG_LEVEL: 'info' });
  const [{ run } = { run: '' }] = json<{ runs: Array<{ run: string }> }>().runs;
  const lines = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.filter(({ key }) => key !== undefined)).toMatchObject([
    { level: 40, sync: 'people', run, key: expect.stringMatching(/^(one|two)@/), code: 'FF_CMS_UNPROCESSABLE' },
  ]);
});
