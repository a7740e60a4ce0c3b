import { expect, test } from 'vitest';
import { threeTalks, writeTalks, writeTalksSync } from '../fixtures.ts';
import { runHere } from '../run-here.ts';
import { openSite, type Site, simplest } from '../site.ts';
import { onTerminal } from '../terminal.ts';

async function publishedSite(more = ''): Promise<{ site: Site; run: string }> {
  const site = await openSite(simplest);
  writeTalksSync(site, more);
  writeTalks(site, threeTalks);
  const [report] = await site.sync();
  return { site, run: report?.run ?? '' };
}

const titles = async (site: Site) =>
  (await site.items('calendar/events', '&sort=+id')).map(({ title }) => String(title));

test('On a terminal, undo shows what it will do and acts only after "yes"', async () => {
  const published = await publishedSite();
  await using site = published.site;
  const refused = await onTerminal(['undo', published.run], 'no', site.variables);
  expect(refused).toMatchObject({ exitCode: 1, isAsked: true });
  expect(refused.shown).toMatch(/- delete T1.*In the CMS, this will delete 3 events.*Nothing was undone/s);
  expect(await titles(site)).toHaveLength(3);
  const done = await onTerminal(['undo', '--last', 'talks'], 'yes', site.variables);
  expect(done).toMatchObject({ exitCode: 0, isAsked: true });
  expect(await titles(site)).toEqual([]);
});

test('On a terminal, approve shows the first changes of a held plan and how to list all, and applies it only after "yes"', async () => {
  await using site = await openSite(simplest);
  writeTalksSync(site, 'missing: { policy: delete, after: 1 run }');
  const rows = Array.from({ length: 30 }, (_, n) => `T${n + 10},Talk ${n + 10},2027-03-01,18:00`);
  writeTalks(site, rows);
  await site.sync();
  writeTalks(site, [...rows.slice(25), 'A1,New,2027-03-02,18:00']);
  const [held] = await site.sync();
  const run = held?.run ?? '';
  expect(held).toMatchObject({ status: 'held' });
  const refused = await onTerminal(['approve', run], 'y', site.variables);
  expect(refused).toMatchObject({ exitCode: 1, isAsked: true });
  const { shown } = refused;
  expect(shown).toMatch(/on hold.*- delete .*Nothing was approved/s);
  expect(await titles(site)).toHaveLength(30);
  expect(shown.match(/^ {2}- delete /gm)).toHaveLength(20);
  expect(shown).toContain(`… and 6 more: \`feedferry approve --list ${run}\``);
  expect(shown).toContain('this will delete 25 events, create 1');
  const listed = await runHere(['approve', '--list', run], site.variables);
  expect(listed.stdout.match(/^ {2}[-+] /gm)).toHaveLength(26);
  const all = await runHere(['approve', '--list'], site.variables);
  expect(all.stdout.match(/^ {2}[-+] /gm)).toHaveLength(20);
});

test('On a terminal, purge lists the items and asks for the name of the sync', async () => {
  await using site = (await publishedSite()).site;
  const refused = await onTerminal(['purge', 'talks'], 'yes', site.variables);
  expect(refused).toMatchObject({ exitCode: 1, isAsked: true });
  expect(refused.shown).toMatch(/\(T1\) +item \d+.*this will delete 3 events.*Type "talks".*Nothing was deleted/s);
  expect(await onTerminal(['purge', 'talks'], 'talks', site.variables)).toMatchObject({ exitCode: 0, isAsked: true });
  expect(await titles(site)).toEqual([]);
});

test('With --yes, and in a script, nothing is asked', async () => {
  const published = await publishedSite();
  await using site = published.site;
  const undone = await onTerminal(['undo', published.run, '--yes'], '', site.variables);
  expect(undone).toMatchObject({ exitCode: 0, isAsked: false });
  expect(await titles(site)).toEqual([]);
  await site.sync();
  expect(await runHere(['undo', '--last', 'talks'], site.variables)).toMatchObject({ exitCode: 0 });
  expect(await titles(site)).toEqual([]);
});
