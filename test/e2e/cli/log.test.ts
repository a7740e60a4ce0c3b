import { expect, test } from 'vitest';
import { feedferry } from '../feedferry.ts';
import { writePeople, writePeopleSync } from '../fixtures.ts';
import { openSite, simplest } from '../site.ts';

test('The log of a command that ends is text, which names sync and record', async () => {
  await using site = await openSite(simplest, { switches: { uniqueAccounts: ['username'] } });
  writePeopleSync(site);
  writePeople(site, { email: 'one@example.edu', login: 'one' }, { email: 'two@example.edu', login: 'one' });
  const { stderr } = await feedferry(['sync', '--json'], { ...site.variables, LOG_LEVEL: 'debug' });
  expect(stderr).toMatch(/^\[\d\d:\d\d:\d\d\] DEBUG: people: (one|two)@example\.edu: .* \(FF_CMS_UNPROCESSABLE\)$/m);
  expect(stderr).not.toMatch(/^\{/m);
});
