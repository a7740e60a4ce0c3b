import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { feedferry } from '../feedferry.ts';
import { writeTalks, writeTalksSync } from '../fixtures.ts';
import { runHere } from '../run-here.ts';
import { openSite, type Site, simplest } from '../site.ts';

async function siteWithTalks(): Promise<Site> {
  const site = await openSite(simplest);
  writeTalksSync(site);
  writeTalks(site, ['T1,Old Maps,2027-03-01,18:00', 'T2,Ships,2027-03-02,10:00']);
  return site;
}

describe('Commands', () => {
  test('Preview, plan and sync report the same records, each in its own form', async () => {
    await using site = await siteWithTalks();
    const previewed = await runHere(['preview', 'talks', '--json'], site.variables);
    expect(previewed.exitCode).toBe(0);
    const records = previewed.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(records).toMatchObject([
      {
        at: 'line 2',
        key: 'T1',
        resource: 'events',
        payload: { title: 'Old Maps', date: '2027-03-01' },
        attachments: [],
      },
      { at: 'line 3', key: 'T2' },
    ]);

    const planned = await runHere(['plan', 'talks', '--json'], site.variables);
    expect(planned.exitCode).toBe(0);
    expect(planned.json()).toMatchObject({
      creates: 2,
      updates: 0,
      changes: [
        { op: 'create', key: 'T1' },
        { op: 'create', key: 'T2' },
      ],
    });
    expect(site.writes()).toEqual({});

    const synced = await feedferry(['sync', 'talks', '--json'], site.variables);
    expect(synced.exitCode).toBe(0);
    expect(synced.stderr).toBe('');
    expect(synced.json()).toMatchObject({
      runs: [{ sync: 'talks', status: 'success', complete: true, counts: { read: 2, created: 2 } }],
    });

    const again = await runHere(['sync'], site.variables);
    expect(again.exitCode).toBe(0);
    expect(again.stdout).toMatch(/talks.*success.*2/);
    expect(site.writes()).toEqual({ 'POST /calendar/events': 2 });
  });

  test('A rejected record makes the run partial, and its place, code and reason are printed', async () => {
    await using site = await siteWithTalks();
    site.write('syncs/feeds/talks.csv', 'id,title,date,start\nT1,,2027-03-01,18:00\nT2,Ships,2027-03-02,10:00\n');
    const synced = await runHere(['sync'], site.variables);
    expect(synced.exitCode).toBe(3);
    expect(synced.stdout).toMatch(/line 2: FF_RECORD_REQUIRED title/);
    expect((await runHere(['preview', 'talks'], site.variables)).exitCode).toBe(3);
    expect((await runHere(['plan', 'talks'], site.variables)).exitCode).toBe(3);
  });

  test('Validate lists every mistake of all files with file, line and column', async () => {
    await using site = await siteWithTalks();
    site.write('syncs/broken.yaml', 'resource: events\nsource: { connector: csv, url: [\n');
    site.write('syncs/wrong.yaml', 'resource: events\nsource: { connector: csv, url: a.csv }\nkey: id\nwindwo: {}\n');
    const { exitCode, stderr, stdout } = await runHere(['validate'], site.variables);
    expect(exitCode).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/broken\.yaml:\d+:\d+: /);
    expect(stderr).toMatch(/wrong\.yaml:4:1: .*windwo.*did you mean "window"/i);
  });
});

describe('Bad input ends with a coded error, a place and a remedy, and writes nothing', () => {
  const cases: Array<{ name: string; arrange(site: Site): void; exitCode: number; code: string; says: RegExp }> = [
    {
      name: 'a missing feed file',
      arrange: (site) =>
        site.write('syncs/talks.yaml', 'resource: events\nsource: { connector: csv, url: ./gone.csv }\nkey: id\n'),
      exitCode: 1,
      code: 'FF_FEED_MISSING',
      says: /syncs\/gone\.csv/,
    },
    {
      name: 'an unreachable CMS',
      arrange: (site) => {
        site.variables.CMS_BASE_URL = 'http://127.0.0.1:1';
      },
      exitCode: 1,
      code: 'FF_CMS_UNREACHABLE',
      says: /127\.0\.0\.1:1/,
    },
    {
      name: 'a wrong token',
      arrange: (site) => {
        site.variables.CMS_API_TOKEN = 'not-the-token';
      },
      exitCode: 1,
      code: 'FF_CMS_UNAUTHORIZED',
      says: /401|token/,
    },
    {
      name: 'broken YAML',
      arrange: (site) => site.write('syncs/talks.yaml', 'resource: events\nkey: "id\n'),
      exitCode: 2,
      code: 'FF_CONFIG_YAML',
      says: /talks\.yaml:\d+:\d+/,
    },
    {
      name: 'an unknown key of a sync file',
      arrange: (site) =>
        site.write(
          'syncs/talks.yaml',
          'resource: events\nsource: { connector: csv, url: a.csv }\nkey: id\nmapp: { title: t }\n',
        ),
      exitCode: 2,
      code: 'FF_CONFIG_INVALID',
      says: /talks\.yaml:4:1.*mapp.*did you mean "map"/is,
    },
    {
      name: 'an attribute that is nearly one',
      arrange: (site) =>
        site.write(
          'syncs/talks.yaml',
          'resource: events\nsource: { connector: csv, url: a.csv }\nkey: id\nmap: { titel: title }\n',
        ),
      exitCode: 2,
      code: 'FF_CONFIG_INVALID',
      says: /talks\.yaml:4:8.*titel.*title/is,
    },
    {
      name: 'an unknown sync',
      arrange: (site) => {
        site.variables.SYNC = 'talk';
      },
      exitCode: 2,
      code: 'FF_SYNC_UNKNOWN',
      says: /talk.*did you mean "talks"/is,
    },
    {
      name: 'a data directory that cannot be written',
      arrange: (site) => {
        // A file where the folder should be: root may write everywhere else.
        writeFileSync(join(site.dir, 'file'), '');
        site.variables.FEEDFERRY_DATA = join(site.dir, 'file', 'data');
      },
      exitCode: 2,
      code: 'FF_DATA_DIR',
      says: /file\/data/,
    },
    {
      name: 'a column that the feed does not have',
      arrange: (site) => site.write('syncs/feeds/talks.csv', 'id,titel,date,start\nT1,Old Maps,2027-03-01,18:00\n'),
      exitCode: 1,
      code: 'FF_FEED_COLUMNS',
      says: /title.*titel/is,
    },
    {
      name: 'a Redis that is not there',
      arrange: (site) => {
        site.variables.REDIS_URL = 'redis://127.0.0.1:1';
      },
      exitCode: 1,
      code: 'FF_QUEUE_UNAVAILABLE',
      says: /REDIS_URL/,
    },
    {
      name: 'a PostgreSQL that is not there',
      arrange: (site) => {
        site.variables.DATABASE_URL = 'postgresql://someone:hidden-password@127.0.0.1:1/nowhere';
      },
      exitCode: 1,
      code: 'FF_LEDGER_UNAVAILABLE',
      says: /127\.0\.0\.1:1\/nowhere/,
    },
  ];

  test.for(cases)('$name', async ({ arrange, exitCode, code, says }) => {
    await using site = await siteWithTalks();
    arrange(site);
    const { SYNC: sync = 'talks', ...variables } = site.variables;
    const finished = await runHere(['sync', sync, '--json'], variables);
    expect(finished.exitCode).toBe(exitCode);
    const { error, runs } = finished.json<{ error?: RunError; runs: Array<{ error?: RunError }> }>();
    const reported = error ?? runs[0]?.error;
    expect(reported?.code).toBe(code);
    expect(reported?.message).toMatch(says);
    expect(reported?.remedy).not.toBe('');
    expect(finished.stdout + finished.stderr).not.toMatch(/hidden-password|not-the-token/);
    expect(site.writes()).toEqual({});
  });

  test('An unknown command or option is a usage error', async () => {
    for (const args of [['snyc'], ['sync', '--jsno'], ['preview']]) expect((await runHere(args, {})).exitCode).toBe(2);
    expect((await feedferry(['--help'], {})).exitCode).toBe(0);
  });
});

interface RunError {
  code: string;
  message: string;
  remedy: string;
}
