import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { onDatabase } from '../../support/postgres-database.ts';
import type { Finished } from '../feedferry.ts';
import { setFaults, threeTalks, writeTalks, writeTalksSync } from '../fixtures.ts';
import { runHere } from '../run-here.ts';
import { combinations, openSite, type Site, simplest } from '../site.ts';

const engines = combinations.filter(({ queue }) => queue === 'in-process');
const DELETES = 'missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }';

const events = async (site: Site) =>
  (await site.items('calendar/events', '&sort=+id')).map(({ id, title, source_key }) => ({ id, title, source_key }));

const backUp = async (site: Site, ...args: string[]) => {
  const { exitCode, stderr } = await runHere(['backup', ...args], site.variables);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
};

describe.each(engines)('A backup of $ledger', (on) => {
  test('is restored: nothing is doubled or deleted wrongly, what differs is found, and the previous ledger is kept', async () => {
    await using site = await openSite(on);
    const a = 'A,Maps,2027-03-01,18:00';
    const g = 'G,Winds,2027-03-05,12:00';
    const earlier = ['B,Ships,2027-03-02,10:00', 'C,Tides,2027-03-03,10:00', 'D,Moons,2027-03-04,11:00'];
    writeTalksSync(site, DELETES);
    writeTalks(site, [a, ...earlier, g]);
    await site.sync();
    const file = join(site.dir, 'backup');
    await backUp(site, file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const copy = `${file}-2`;
    copyFileSync(file, copy);

    // B changes, C is deleted, D gets another key, E is created, and G is deleted and created again.
    const later = [a, 'B,Ships of Old,2027-03-02,10:00', 'D2,Moons,2027-03-04,11:00', 'E,Stars,2027-03-06,11:00'];
    writeTalks(site, later);
    await site.sync();
    writeTalks(site, [...later, g]);
    await site.sync();
    const before = await events(site);
    const [lastRun] = await runsOf(site);

    // A run in progress uses the ledger.
    const reached = await setFaults(site, { kind: 'hold', method: 'POST' });
    writeTalks(site, [...later, g, 'H,Clouds,2027-03-07,11:00']);
    const running = site.sync();
    await reached();
    const refused = await runHere(['restore', file], site.variables);
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('FF_LEDGER_IN_USE') });
    // A backup does not mind, and replaces the earlier one.
    await backUp(site, file);
    await setFaults(site);
    expect(await running).toMatchObject([{ status: 'success', counts: { created: 1 } }]);
    const withClouds = await events(site);

    const restored = await runHere(['restore', copy, '--json'], site.variables);
    expect(restored.json()).toEqual({ restored: { file: copy, previous: expect.any(String) } });
    expect((await runsOf(site)).map(({ run }) => run)).not.toContain(lastRun?.run);
    site.writes();
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 0, updated: 1 } }]);
    expect(site.writes()).toEqual({ 'PATCH /calendar/events/:id': 1 });
    expect(await events(site)).toEqual(withClouds);
    expect(withClouds).toEqual([...before, expect.objectContaining({ title: 'Clouds' })]);

    // The item that was deleted and created again is the only one that the ledger does not know. The remedies lead to the end.
    const verified = await runHere(['verify'], site.variables);
    expect(verified).toMatchObject({ exitCode: 3, stdout: expect.stringContaining('1 deleted, 1 doubled') });
    expect(await runHere(['verify', '--heal'], site.variables)).toMatchObject({ exitCode: 0 });
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 0, updated: 0, deleted: 0 } }]);
    expect(await events(site)).toEqual(withClouds);

    // The previous ledger is a backup, too.
    const { previous } = restoredIn(restored);
    expect(statSync(previous).mode & 0o777).toBe(0o600);
    expect(await runHere(['restore', previous], site.variables)).toMatchObject({ exitCode: 0 });
    expect((await runsOf(site)).map(({ run }) => run)).toContain(lastRun?.run);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 6 } }]);
  });

  test('in a folder is one file a day, of which the last are kept', async () => {
    await using site = await openSite(on);
    writeTalksSync(site);
    const folder = join(site.dir, 'backups');
    mkdirSync(folder);
    const extension = on.ledger === 'sqlite' ? 'sqlite' : 'dump';
    for (const day of ['2026-01-01', '2026-01-02']) writeFileSync(join(folder, `ledger-${day}.${extension}`), '');
    writeFileSync(join(folder, 'notes.txt'), 'mine');
    mkdirSync(join(site.dir, 'data/uploads'), { recursive: true });
    writeFileSync(join(site.dir, 'data/uploads/2026-01-01-walks.csv'), '');
    await backUp(site, folder, '--keep', '2');
    const today = expect.stringMatching(new RegExp(`^ledger-\\d{4}-\\d\\d-\\d\\d\\.${extension}$`));
    expect(readdirSync(folder).sort()).toEqual([`ledger-2026-01-02.${extension}`, today, 'notes.txt', 'uploads']);
    expect(readdirSync(join(folder, 'uploads'))).toEqual(['2026-01-01-walks.csv']);
    expect(await site.withApp(({ ledger }) => ledger.turns.lastTurn('backup'))).toBeGreaterThan(1_700_000_000_000);
  });

  test('leaves other files and the ledger as they are, and says what to do', async () => {
    await using site = await openSite(on);
    writeTalksSync(site);
    writeTalks(site, threeTalks);
    await site.sync();
    const file = join(site.dir, 'backup');
    await backUp(site, file);
    const fails = async (command: string, path: string, code: string) => {
      const { exitCode, stderr } = await runHere([command, path], site.variables);
      expect({ exitCode, stderr }).toEqual({
        exitCode: expect.toBeOneOf([1, 2]),
        stderr: expect.stringContaining(code),
      });
    };
    const config = join(site.dir, 'config/feedferry.yaml');
    const yaml = readFileSync(config, 'utf8');
    for (const command of ['backup', 'restore']) await fails(command, config, 'FF_BACKUP_FILE');
    expect(readFileSync(config, 'utf8')).toBe(yaml);
    await fails('backup', join(site.dir, 'nowhere/backup'), 'FF_BACKUP_FAILED');
    await fails('restore', join(site.dir, 'nothing'), 'FF_BACKUP_FILE');
    const damaged = join(site.dir, 'damaged');
    copyFileSync(file, damaged);
    truncateSync(damaged, Math.floor(statSync(file).size / 2));
    await fails('restore', damaged, on.ledger === 'sqlite' ? 'FF_LEDGER_DAMAGED' : 'FF_BACKUP_FAILED');
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 3 } }]);
  });
});

test('A damaged ledger is replaced, and kept', async () => {
  await using site = await openSite(simplest);
  writeTalksSync(site);
  writeTalks(site, threeTalks);
  await site.sync();
  const file = join(site.dir, 'backup');
  await backUp(site, file);
  const ledger = join(site.dir, 'data/ledger.sqlite');
  truncateSync(ledger, 5_000);
  const broken = await runHere(['status'], site.variables);
  expect(broken.stderr).toContain('feedferry restore FILE');
  const { previous } = restoredIn(await runHere(['restore', file, '--json'], site.variables));
  expect(statSync(previous).size).toBe(5_000);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 3 } }]);
});

const onPostgres = engines.filter(({ ledger }) => ledger === 'postgresql');

describe.each(onPostgres)('On a machine without pg_dump', (on) => {
  test('the printed command writes a backup', async () => {
    await using site = await openSite(on);
    writeTalksSync(site);
    writeTalks(site, threeTalks);
    await site.sync();
    const file = join(site.dir, 'backup');
    const { PATH = '' } = process.env;
    process.env.PATH = site.dir;
    const missing = await runHere(['backup', file], site.variables).finally(() => {
      process.env.PATH = PATH;
    });
    expect(missing.stderr).toContain('FF_BACKUP_TOOL');
    expect(existsSync(file)).toBe(false);
    const [, command = ''] = /`(pg_dump .*)`/.exec(missing.stderr.replaceAll(/\s+/g, ' ')) ?? [];
    const env = { PATH, DATABASE_URL: site.variables.DATABASE_URL };
    execFileSync('sh', ['-c', command.replace('=FILE', `=${file}`)], { env });
    expect(await runHere(['restore', file], site.variables)).toMatchObject({ exitCode: 0 });
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 3 } }]);
  });

  test('a schema with tables of other programs is left to its administrator', async () => {
    await using site = await openSite(on);
    await onDatabase(site.variables.DATABASE_URL ?? '', 'create table invoices (id int)');
    const refused = await runHere(['backup', join(site.dir, 'backup')], site.variables);
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('invoices') });
  });
});

function restoredIn(finished: Finished): { previous: string } {
  return (finished.json() as { restored: { previous: string } }).restored;
}

async function runsOf(site: Site): Promise<Array<{ run: string }>> {
  return ((await runHere(['runs', '--json'], site.variables)).json() as { runs: Array<{ run: string }> }).runs;
}
