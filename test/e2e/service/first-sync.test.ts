import { expect, test } from 'vitest';
import { addressOf } from '../address-of.ts';
import { start, untilPrinted } from '../feedferry.ts';
import { threeTalks, writeTalks, writeTalksSync } from '../fixtures.ts';
import { runHere } from '../run-here.ts';
import { openSite, simplest } from '../site.ts';

const drafts = { HTTP_EDIT: 'draft', HTTP_PORT: '0' };

async function page(url: string, path: string): Promise<string> {
  return (await fetch(`${url}${path}`, { headers: { accept: 'text/html' } })).text();
}

test.each(['start', 'console'])(
  '`%s` serves a console without any sync, and takes up the first one',
  async (command) => {
    await using site = await openSite(simplest);
    const url = (await addressOf([command], site, drafts)) ?? '';
    const before = await page(url, '/');
    expect(before).toContain('There is no sync yet.');
    expect(before).toContain('<a href="/feeds/new">Add the first feed</a>');
    for (const path of ['/feeds/new', '/records', '/rejects', '/calendar', '/day', '/doctor', '/api/openapi.json']) {
      expect((await fetch(`${url}${path}`)).status, path).toBe(200);
    }
    writeTalksSync(site, 'schedule: { every: 1h }');
    writeTalks(site, threeTalks);
    await expect.poll(() => page(url, '/'), { timeout: 20_000 }).toContain('<a href="/syncs/talks">talks</a>');
    if (command === 'start') {
      await expect.poll(() => site.items('calendar/events'), { timeout: 20_000 }).toHaveLength(3);
    }
  },
);

test('Without HTTP_EDIT, `start` without any sync names the command that writes one, and then runs it', async () => {
  await using site = await openSite(simplest);
  const { child } = start(['start'], { ...site.variables, HTTP_PORT: '0', LOG_LEVEL: 'info' });
  await untilPrinted(child.stderr, 'Write one for your feed: feedferry init URL');
  writeTalksSync(site, 'schedule: { every: 1h }');
  writeTalks(site, threeTalks);
  await expect.poll(() => site.items('calendar/events'), { timeout: 20_000 }).toHaveLength(3);
});

test('For commands that end, a folder without syncs is an error that names the command that writes one', async () => {
  await using site = await openSite(simplest);
  for (const args of [['status'], ['sync'], ['plan', 'talks'], ['validate']]) {
    const { exitCode, stderr } = await runHere(args, { ...site.variables, ...drafts });
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringMatching(/this folder has no sync file .*`feedferry init FEED` writes one/),
    ]);
  }
});
