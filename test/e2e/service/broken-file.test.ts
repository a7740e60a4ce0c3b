import { describe, expect, test } from 'vitest';
import type { RunResult } from '../../../src/core/run.ts';
import { startWebhookServer } from '../../support/alert-servers.ts';
import { feedferry, start } from '../feedferry.ts';
import { writeTalks, writeTalksSync } from '../fixtures.ts';
import { runHere } from '../run-here.ts';
import { openSite, type Site, simplest } from '../site.ts';

const SCHEDULE = 'schedule: { every: 500ms }';

function publish(site: Site, name: string, titles: readonly string[], more = SCHEDULE): void {
  writeTalksSync(site, more, { name });
  writeTalks(
    site,
    titles.map((title, index) => `${name}${index},${title},2027-03-0${index + 1},18:00`),
    { name },
  );
}

/** Two syncs with published items. Then the file of one gets a typo in its third line. */
async function brokenSite(alerts = ''): Promise<Site> {
  const site = await openSite(simplest, { target: alerts });
  publish(site, 'campus', ['Open Day']);
  publish(site, 'museum', ['Maps', 'Ships']);
  expect(await site.sync()).toMatchObject([{ status: 'success' }, { status: 'success' }]);
  breakCampus(site);
  return site;
}

function breakCampus(site: Site): void {
  site.write('syncs/campus.yaml', 'resource: events\nsource: { connector: csv, url: a.csv }\ncolour: red\nkey: id\n');
}

const MISTAKE = /campus\.yaml:3:1: colour is not a known key/;
const titles = async (site: Site) => (await site.items('calendar/events')).map(({ title }) => String(title)).sort();

describe('A sync file with mistakes', () => {
  test('A named sync needs only its own file, and sync runs all others', async () => {
    await using site = await brokenSite();
    writeTalks(site, ['museum0,New Maps,2027-03-01,18:00', 'museum1,Ships,2027-03-02,18:00'], { name: 'museum' });
    const named = await runHere(['sync', 'museum', '--json'], site.variables);
    expect(named).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(MISTAKE) });
    expect(named.json()).toMatchObject({ runs: [{ sync: 'museum', status: 'success', counts: { updated: 1 } }] });

    writeTalks(site, ['museum0,Maps,2027-03-01,18:00', 'museum1,Ships,2027-03-02,18:00'], { name: 'museum' });
    const all = await runHere(['sync', '--json'], site.variables);
    expect(all.exitCode).toBe(2);
    expect(all.json<{ runs: RunResult[] }>().runs).toMatchObject([
      {
        sync: 'campus',
        status: 'failed',
        error: { code: 'FF_CONFIG_INVALID', message: expect.stringMatching(MISTAKE) },
      },
      { sync: 'museum', status: 'success', counts: { updated: 1 } },
    ]);
    expect(await titles(site)).toEqual(['Maps', 'Open Day', 'Ships']);
  });

  test('The start command runs the others, alerts about it, and runs it again once it is fixed', async () => {
    await using hook = await startWebhookServer();
    await using site = await brokenSite(`alerts: { on: [failed], webhook: { url: "${hook.url}" }, every: 1s }\n`);
    publish(site, 'museum', ['Maps', 'Ships', 'Tides']);
    const { child, finished } = start(['start'], { ...site.variables, LOG_LEVEL: 'info' });
    const [alert] = await hook.received.arrived(1);
    expect(alert?.json).toMatchObject({
      type: 'alert',
      sync: 'campus',
      kinds: ['failed'],
      title: 'campus: its sync file has mistakes',
      text: expect.stringMatching(
        /campus\.yaml:3:1: FF_CONFIG_INVALID colour is not a known key.*[.?]\n {2}Correct each line/,
      ),
      problems: [{ code: 'FF_CONFIG_INVALID', at: expect.stringContaining('campus.yaml:3:1') }],
      commands: ['feedferry status campus', 'feedferry validate'],
    });
    await expect.poll(() => titles(site), { timeout: 10_000 }).toEqual(['Maps', 'Open Day', 'Ships', 'Tides']);

    publish(site, 'campus', ['Open Day', 'Summer School']);
    child.kill('SIGHUP');
    await expect.poll(() => titles(site), { timeout: 15_000 }).toContain('Summer School');
    const [, recovery] = await hook.received.arrived(2);
    expect(recovery?.json).toMatchObject({ type: 'recovery', sync: 'campus', kinds: ['failed'] });

    // A file that breaks while the service runs: its previous version stays in force.
    breakCampus(site);
    child.kill('SIGHUP');
    expect((await hook.received.arrived(3))[2]?.json).toMatchObject({
      type: 'alert',
      sync: 'campus',
      kinds: ['failed'],
    });
    writeTalks(site, ['campus0,Open Night,2027-03-01,18:00'], { name: 'campus' });
    await expect.poll(() => titles(site), { timeout: 10_000 }).toContain('Open Night');
    child.kill('SIGTERM');
    const { exitCode, stderr } = await finished;
    expect(exitCode).toBe(143);
    expect(stderr).toContain('It does not run until they are fixed.');
    expect(stderr).toContain('Its previous version stays in force.');
  });
});

test('Every command for a sync works while the file of another one has mistakes', async () => {
  await using site = await brokenSite();
  for (const args of [
    ['plan', 'museum'],
    ['preview', 'museum'],
    ['explain', 'museum', 'ships'],
    ['retry', 'museum'],
    ['rejects', 'museum'],
    ['runs', 'museum'],
    ['test', 'museum'],
    ['backfill', 'museum'],
    ['undo', '--last', 'museum'],
    ['purge', 'museum'],
    ['status', 'museum'],
  ]) {
    const { exitCode, stderr } = await runHere(args, site.variables);
    expect({ args, exitCode, stderr }).toEqual({ args, exitCode: 0, stderr: expect.stringMatching(MISTAKE) });
  }
  // In a process of its own: it ends.
  const { exitCode, stderr } = await feedferry(['verify', 'museum'], site.variables);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringMatching(MISTAKE) });
  expect(await titles(site)).toEqual(['Open Day']);
});

test('Commands for the sync itself report its mistakes, and its items are not taken for orphans', async () => {
  await using site = await brokenSite();
  for (const args of [
    ['sync', 'campus'],
    ['purge', 'campus'],
    ['release', 'campus'],
    ['undo', '--last', 'campus'],
    ['validate'],
  ]) {
    const { exitCode, stderr } = await runHere(args, site.variables);
    expect({ args, exitCode, stderr }).toEqual({ args, exitCode: 2, stderr: expect.stringMatching(MISTAKE) });
  }
  const { exitCode, json } = await runHere(['status', '--json'], site.variables);
  expect(exitCode).toBe(0);
  expect(json()).toMatchObject({
    syncs: [
      {
        sync: 'campus',
        mistakes: [expect.stringMatching(MISTAKE)],
        lastRun: { status: 'success' },
      },
      { sync: 'museum', mistakes: [] },
    ],
    orphans: [],
  });
  const { stdout } = await runHere(['status', 'campus'], site.variables);
  expect(stdout).toMatch(/campus +success .* cannot run +1 +0 +0\nTimes .*\n\ncampus: its file has mistakes/);
  expect(stdout).toMatch(MISTAKE);
  const doctor = await runHere(['doctor', '--json'], site.variables);
  expect(doctor.exitCode).toBe(2);
  expect(doctor.json<{ findings: Array<{ check: string; is: string }> }>().findings).toContainEqual(
    expect.objectContaining({ check: 'feed.museum', is: 'ok' }),
  );
  expect(await titles(site)).toEqual(['Maps', 'Open Day', 'Ships']);
});
