import { rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openHeldSite } from '../console/held-site.ts';
import { threeTalks, writePeople, writePeopleSync, writeTalks, writeTalksSync } from '../fixtures.ts';
import { runHere } from '../run-here.ts';
import { openSite, type Site, simplest } from '../site.ts';

interface ShownRuns {
  runs: Array<{ run: string; sync: string; kind: string; status: string; durationMs: number; counts: object }>;
}

async function talksSite(): Promise<Site> {
  const site = await openSite(simplest);
  writeTalksSync(site);
  writeTalks(site, threeTalks);
  return site;
}

async function runs(site: Site, ...args: string[]): Promise<ShownRuns['runs']> {
  const { exitCode, json } = await runHere(['runs', ...args, '--json'], site.variables);
  expect(exitCode).toBe(0);
  return json<ShownRuns & object>().runs;
}

const titles = async (site: Site) => (await site.items('calendar/events')).map(({ title }) => String(title)).sort();

describe('The history of runs', () => {
  test('Runs are listed, the newest first, and undo --last finds the one that changed something', async () => {
    await using site = await talksSite();
    writePeopleSync(site);
    writePeople(site, { email: 'ada@example.edu', login: 'ada' });
    await site.sync();
    writeTalks(site, [...threeTalks.slice(0, 2), 'T3,Ebb and Flow,2027-03-03,10:00']);
    const [changing] = await site.sync(['talks']);
    await site.sync(['talks']);

    const all = await runs(site);
    expect(all.map(({ sync, kind, status }) => `${sync} ${kind} ${status}`)).toEqual([
      'talks run success',
      'talks run success',
      'talks run success',
      'people run success',
    ]);
    expect(all[1]).toMatchObject({ run: changing?.run, counts: { updated: 1 }, durationMs: expect.any(Number) });
    expect(await runs(site, 'talks', '--changed', '--limit', '1')).toEqual([all[1]]);

    const undone = await runHere(['undo', '--last', 'talks', '--json'], site.variables);
    expect(undone.json()).toMatchObject({ runs: [{ undoes: changing?.run, counts: { updated: 1 } }] });
    expect(await titles(site)).toEqual(['Maps', 'Ships', 'Tides']);
    expect(await runs(site, 'talks', '--limit', '1')).toMatchObject([{ kind: 'undo', counts: { updated: 1 } }]);
    // Given again, it does not reach further back.
    const again = await runHere(['undo', '--last', 'talks', '--json'], site.variables);
    expect(again).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/FF_UNDO_NOTHING .* is undone already/) });
    expect(await titles(site)).toEqual(['Maps', 'Ships', 'Tides']);
  });

  test('Explain finds a record by words, e-mail address, CMS id and CMS address', async () => {
    await using site = await talksSite();
    writeTalks(site, [...threeTalks, 'T4,Café über Maps,2027-03-04,10:00', 'T5,,2027-03-05,10:00']);
    writePeopleSync(site);
    writePeople(site, { email: 'ada@example.edu', login: 'ada' }, { email: 'grace@example.edu', login: 'grace' });
    await site.sync();
    const [ships] = (await site.items('calendar/events')).filter(({ title }) => title === 'Ships');
    const found = async (sync: string, ...words: string[]) => {
      const { exitCode, json } = await runHere(['explain', sync, ...words, '--json'], site.variables);
      return exitCode === 0 ? json().key : json().matches;
    };
    expect(await found('talks', 'ship')).toBe('T2');
    expect(await found('talks', 'MAPS', 'cafe')).toBe('T4');
    expect(await found('talks', `${ships?.id}`)).toBe('T2');
    expect(await found('talks', `${site.sandbox.url}${ships?.url}`)).toBe('T2');
    expect(await found('talks', `${ships?.editUrl}`)).toBe('T2');
    expect(await found('people', 'grace@')).toBe('grace@example.edu');
    // A rejected record is found by its source: it has no title.
    expect(await found('talks', '2027-03-05')).toBe('T5');
    expect(await found('talks', 'maps')).toMatchObject([
      { key: 'T1', name: 'Maps', cmsId: expect.any(Number) },
      { key: 'T4', name: 'Café über Maps', cmsId: expect.any(Number) },
    ]);
  });
});

test('The exact key wins, records that only the ledger has are found, and similar keys are offered', async () => {
  await using site = await talksSite();
  writeTalks(site, ['2027,Maps,2027-03-01,18:00', '2027-10,Ships,2027-03-02,10:00']);
  await site.sync();
  writeTalks(site, ['2027,Maps,2027-03-01,18:00']);
  expect((await runHere(['explain', 'talks', '2027', '--json'], site.variables)).json()).toMatchObject({
    key: '2027',
  });
  const absent = await runHere(['explain', 'talks', 'ships', '--json'], site.variables);
  expect(absent.json()).toMatchObject({ key: '2027-10', source: { verdict: { is: 'absent' } } });

  const several = await runHere(['explain', 'talks', '202'], site.variables);
  expect(several).toMatchObject({
    exitCode: 2,
    stdout: expect.stringMatching(/several.*2027: "Maps" \(item.*2027-10/s),
  });
  const none = await runHere(['explain', 'talks', '2027-11'], site.variables);
  expect(none).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/FF_RECORD_UNKNOWN.*similar keys: 2027-10/s),
  });
});

test('Runs of a sync without a file are listed; unknown names and limits are refused', async () => {
  await using site = await talksSite();
  expect((await runHere(['runs'], site.variables)).stdout).toContain('Nothing has run yet.\n');
  await site.sync();
  writeTalksSync(site, '', { name: 'lectures' });
  rmSync(join(site.dir, 'config/syncs/talks.yaml'));
  expect(await runs(site, 'talks')).toMatchObject([{ sync: 'talks', counts: { created: 3 } }]);
  expect(await runs(site, 'lectures')).toEqual([]);
  const unknown = await runHere(['runs', 'talk'], site.variables);
  expect(unknown).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('FF_SYNC_UNKNOWN') });
  expect(await runHere(['runs', '--limit', 'ten'], site.variables)).toMatchObject({ exitCode: 2 });
  const nothing = await runHere(['undo', '--last', 'lectures'], site.variables);
  expect(nothing).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('FF_UNDO_NOTHING') });
  expect(await runHere(['undo'], site.variables)).toMatchObject({ exitCode: 2 });
  expect(await runHere(['undo', 'RUN', '--last', 'lectures'], site.variables)).toMatchObject({ exitCode: 2 });
});

test('Status shows when each sync ran and runs next, what it changed, and what needs a person', async () => {
  await using site = await talksSite();
  writeTalksSync(site, 'schedule: { every: 1h }');
  const before = (await runHere(['status', '--json'], site.variables)).json<{ syncs: Array<{ nextRunAt: string }> }>();
  expect(Date.parse(before.syncs[0]?.nextRunAt ?? '')).toBeLessThanOrEqual(Date.now());
  expect((await runHere(['status'], site.variables)).stdout).toMatch(/talks +never run +due now/);
  writeTalks(site, [...threeTalks, 'T4,,2027-03-04,10:00']);
  const [report] = await site.sync();
  const { syncs } = (await runHere(['status', '--json'], site.variables)).json<{
    syncs: Array<{ nextRunAt: string; lastRun: { run: string; startedAt: string } }>;
  }>();
  expect(syncs[0]?.lastRun.run).toBe(report?.run);
  const sinceStart = Date.parse(syncs[0]?.nextRunAt ?? '') - Date.parse(syncs[0]?.lastRun.startedAt ?? '');
  expect(Math.abs(sinceStart - 3_600_000)).toBeLessThan(5_000);
  const { stdout } = await runHere(['status'], { ...site.variables, COLUMNS: '80' });
  expect(stdout).toMatch(
    /talks +partial( +[A-Z][a-z]{2} \d\d \d\d:\d\d){2} +3 +0 +1\nTimes are in America.New_York\.\n/,
  );
  const wide = await runHere(['status', '--wide'], site.variables);
  expect(wide.stdout).toMatch(new RegExp(`${report?.run} .* \\d+\\.\\d +4 read, 3 created, 1 rejected\n`));
  expect(stdout).toContain('talks: 1 of 4 records was rejected.\n  → List them: `feedferry rejects talks`.');
  expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

test('The history says who approved a plan, and why', async () => {
  const { site, held } = await openHeldSite();
  await using _ = site;
  const approved = await runHere(['approve', held, '--yes', '--reason', 'the term is over', '--json'], site.variables);
  expect(approved.exitCode).toBe(0);
  const { runs: reports } = approved.json<{ runs: Array<{ run: string }> }>();
  const deeds = await site.withApp((app) => app.ledger.history.deeds({ run: held }));
  expect(deeds).toEqual([
    {
      ...{ at: expect.any(String), deed: 'approve', by: userInfo().username, via: 'cli', sync: 'talks' },
      ...{ run: reports[0]?.run, about: held, reason: 'the term is over' },
    },
  ]);
  expect((await runs(site, 'talks', '--limit', '2'))[1]).toMatchObject({
    ...{ run: held, status: 'held' },
    decision: { is: 'approved', by: userInfo().username, via: 'cli', appliedBy: reports[0]?.run },
  });
  expect((await runHere(['runs', 'talks'], site.variables)).stdout).toContain('Approved');
  const { stdout } = await runHere(['runs', held], site.variables);
  expect(stdout).toMatch(
    /^Run of talks\nNothing was changed.*\nApproved by .* on the command line. Reason: “the term is over”\n.*\(2\d{7}-/,
  );
  expect(stdout).toMatch(/\nRun: .*\nStatus: Approved\n[\s\S]*It changed nothing in the CMS\./);
  const applied = await runHere(['runs', reports[0]?.run ?? ''], site.variables);
  expect(applied.stdout).toMatch(/2 deleted[\s\S]*\n {2}- removed T2 Ships.*[\s\S]*approved +.*the term is over/);
  const json = (await runHere(['runs', held, '--json'], site.variables)).json();
  expect(json).toMatchObject({ run: held, status: 'held', changes: [], failures: [], deeds: [{ deed: 'approve' }] });
});
