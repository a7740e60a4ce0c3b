import { expect, test } from 'vitest';
import { threeTalks, writeTalks } from '../fixtures.ts';
import { runHere } from '../run-here.ts';
import { serveConsole } from '../serve-console.ts';
import { openHeldSite } from './held-site.ts';

test('An event that waits in a held plan is found by words, by its key and by `explain`', async () => {
  const { site } = await openHeldSite();
  await using _ = site;
  writeTalks(site, [...threeTalks.slice(0, 1), 'T9,Night Sky,2027-03-09,20:00']);
  const [held] = await site.sync();
  expect(held?.status).toBe('held');
  const url = await serveConsole(site);
  const page = async (path: string) => (await fetch(`${url}${path}`, { headers: { accept: 'text/html' } })).text();
  for (const words of ['night%20sky', 'T9', '2027-03-09']) {
    const found = await page(`/records?words=${words}`);
    expect(found).not.toContain('may be spelled differently');
    expect(found).toContain('Night Sky');
    expect(found).toContain(`href="/runs/${held?.run}/plan"`);
  }
  expect(await page('/records?words=nothing')).toContain('may be spelled differently');
  const record = await page('/syncs/talks/record?key=T9');
  expect(record).toContain('Night Sky');
  expect(record).toContain(`href="/runs/${held?.run}/plan"`);
  expect(record).not.toContain('never accepted');
  for (const words of ['T9', 'night sky']) {
    const { stdout } = await runHere(['explain', 'talks', words], site.variables);
    expect(stdout).toContain('waits for a decision');
    expect(stdout).not.toContain('The next run creates it');
  }
});
