import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { machineUser } from '../../../src/app/machine-user.ts';
import type { DayRange } from '../../../src/core/dates/iso-date.ts';
import { messageOf } from '../../../src/core/errors.ts';
import type { RunReport } from '../../../src/core/run.ts';
import type { RunContext } from '../../../src/sync/context/run-context.ts';
import { retryRun } from '../../../src/sync/runs/retry-run.ts';
import { syncRun } from '../../../src/sync/runs/sync-run.ts';
import { start, untilPrinted } from '../feedferry.ts';
import { setFaults, threeTalks, writeCsv, writePeopleSync, writeTalks, writeTalksSync } from '../fixtures.ts';
import { either } from '../in-turn.ts';
import { runHere } from '../run-here.ts';
import { type Engines, openSite, type Site, simplest } from '../site.ts';

const OLD = 160;

const oldTalks = Array.from({ length: OLD }, (_, index) => `old ${index},Old talk ${index},2026-02-03,18:00`);

/** A site with a sync that is about the talks from 2027 on, and a feed that has older ones, too. */
async function siteOfTalks(engines: Engines): Promise<Site> {
  const site = await openSite(engines);
  writeTalksSync(site, 'window: { from: 2027-01-01 }');
  writeTalksSync(site, '', { name: 'news' });
  writeTalks(site, [...oldTalks, ...threeTalks]);
  const news = ['1,News,2027-05-01,10:00', '2,More,2027-05-02,10:00', '3,Last,2027-05-03,10:00'];
  writeTalks(site, news, { name: 'news' });
  return site;
}

function backfill(site: Site, days: DayRange = {}): Promise<RunReport> {
  return site.withContext((context) => syncRun(context, days), { sync: 'talks' });
}

const posts = (site: Site) => site.sandbox.stats().requests['POST /calendar/events'] ?? 0;

async function titlesOf(site: Site): Promise<unknown[]> {
  const pages = await Promise.all([1, 2, 3].map((page) => site.items('calendar/events', `&page=${page}`)));
  return pages.flat().map(({ title }) => title);
}

function expectBalance({ counts }: Pick<RunReport, 'counts'>): void {
  const { read, created, updated, unchanged, rejected, failed, held, skipped, notSent = 0 } = counts;
  expect(read).toBe(created + updated + unchanged + rejected + failed + held + skipped + notSent);
}

describe.each(either(1))('Backfills on $ledger and $queue', (engines) => {
  test('A killed backfill is run again: nothing is doubled, and what was delivered is unchanged', async () => {
    await using site = await siteOfTalks(engines);
    const held = await setFaults(site, { kind: 'hold', method: 'POST', skip: 30 });
    const killed = start(['backfill', 'talks'], site.variables);
    await held();
    // Results are written in groups: some are there before the end.
    const delivered = () => site.withContext(({ ledger }) => ledger.plans.countDelivered('talks'));
    await expect.poll(delivered, { timeout: 20_000 }).toBeGreaterThan(3);
    killed.child.kill('SIGKILL');
    expect((await killed.finished).signal).toBe('SIGKILL');
    await setFaults(site);

    writeTalks(site, [...oldTalks, ...threeTalks.with(0, 'T1,New maps,2027-03-01,18:00')]);
    expect(await site.sync(['talks'])).toMatchObject([{ status: 'success', counts: { skipped: OLD, missing: 0 } }]);
    const report = await backfill(site);
    expect(report).toMatchObject({
      status: 'success',
      complete: true,
      counts: { read: OLD + 3, failed: 0, skipped: 0 },
    });
    expectBalance(report);
    expect(report.counts.unchanged).toBeGreaterThan(3);
    const talks = oldTalks.map((_, index) => `Old talk ${index}`);
    expect((await titlesOf(site)).sort()).toEqual([...talks, 'New maps', 'Ships', 'Tides'].sort());
    site.writes();

    expect(await site.sync(['talks'])).toMatchObject([{ counts: { unchanged: 3, skipped: OLD, missing: 0 } }]);
    expect(await backfill(site)).toMatchObject({ status: 'success', counts: { unchanged: OLD + 3 } });
    expect(site.writes()).toEqual({});
  });
});

describe.each(either(0))('Backfills on $ledger and $queue', (engines) => {
  test('A cancelled backfill ends what is in flight, and is run again', async () => {
    await using site = await siteOfTalks(engines);
    const held = await setFaults(site, { kind: 'hold', method: 'POST', skip: 8 });
    const running = start(['backfill', 'talks', '--to', '2026-12-31', '--json'], site.variables);
    await held();
    const { stdout } = await runHere(['runs', 'talks', '--json'], site.variables);
    const [{ run, kind, asked }] = JSON.parse(stdout).runs;
    expect({ kind, asked }).toEqual({ kind: 'backfill', asked: { by: machineUser(), via: 'cli' } });
    const cancel = () => runHere(['cancel', run, '--reason', 'the wrong days'], site.variables);
    expect(await cancel()).toMatchObject({ exitCode: 0 });
    await setFaults(site);

    const { exitCode, json } = await running.finished;
    const [report] = json<{ runs: RunReport[] }>().runs;
    const message = `${machineUser()} cancelled the run: the wrong days`;
    expect(exitCode).toBe(1);
    expect(report).toMatchObject({ run, status: 'failed', error: { code: 'FF_RUN_CANCELLED', message } });
    const { created = 0, notSent = 0, failed } = report?.counts ?? {};
    expect({ failed, all: created + notSent }).toEqual({ failed: 0, all: OLD });
    expect(posts(site)).toBe(created);
    expect(await cancel()).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('is not in progress') });

    const again = await backfill(site, { to: '2026-12-31' });
    expect(again).toMatchObject({
      status: 'success',
      counts: { created: OLD - created, unchanged: created, failed: 0 },
    });
    expect(posts(site)).toBe(OLD);
  });
});

describe.each(either(0))('Backfills on $ledger with $queue', (engines) => {
  test('Other runs of the sync wait and say for what, runs of other syncs do not, and Ctrl-C says what to do', async () => {
    await using site = await siteOfTalks(engines);
    await site.sync();
    writeTalks(site, [...oldTalks, ...threeTalks, 'T4,Broken,2027-03-04,10:00']);
    await setFaults(site, { kind: 'error', status: 422, method: 'POST' });
    await site.sync(['talks']);
    const held = await setFaults(site, { kind: 'hold', method: 'POST' });
    const running = start(['backfill', 'talks', '--to', '2026-12-31', '--json'], site.variables);
    await held();
    expect(await site.sync(['news'])).toMatchObject([{ status: 'success' }]);
    const refused = await backfill(site).catch(messageOf);
    const [, run] = /^A backfill of "talks" is under way \((\S+), led by /.exec(String(refused)) ?? [];
    const waiting = start([engines.queue === 'bullmq' ? 'sync' : 'retry', 'talks'], site.variables);
    await untilPrinted(waiting.child.stderr, `talks: waiting for the backfill ${run} to finish\n`);
    running.child.kill('SIGINT');
    await setFaults(site);
    const { exitCode, json, stderr } = await running.finished;
    expect(exitCode).toBe(130);
    const { runs } = json<{ runs: RunReport[] }>();
    expect(runs).toMatchObject([
      {
        status: 'failed',
        error: { code: 'FF_RUN_INTERRUPTED', remedy: expect.stringContaining('feedferry backfill SYNC --from') },
      },
    ]);
    for (const run of runs) expectBalance(run);
    expect(stderr).toMatch(/^talks: 0 of 160 records \(0 %\)/m);
    // The CMS has refused one record, which only a retry tries again.
    expect((await waiting.finished).exitCode).toBe(engines.queue === 'bullmq' ? 3 : 0);
  });
});

describe('Backfills', () => {
  test('A backfill of other days leaves the undelivered records of these days to retries', async () => {
    await using site = await siteOfTalks(simplest);
    await setFaults(site, { kind: 'error', status: 422, method: 'POST' });
    expect(await site.sync(['talks'])).toMatchObject([{ counts: { failed: 3, skipped: OLD } }]);
    await setFaults(site);
    expect(await backfill(site, { to: '2026-02-01' })).toMatchObject({
      status: 'success',
      counts: { skipped: OLD + 3 },
    });
    expect(await site.withContext((context) => retryRun(undefined, context), { sync: 'talks' })).toMatchObject({
      status: 'success',
      counts: { created: 3 },
    });
  });

  test('A backfill of a truncated feed with bad records delivers the good ones and reports the rest', async () => {
    await using site = await siteOfTalks(simplest);
    writeTalks(site, [...threeTalks, 'T4,,2027-03-04,10:00', 'T5,Bad date,2027-02-30,10:00']);
    const report = await backfill(site, { from: '2027-03-02' });
    expect(report).toMatchObject({
      status: 'partial',
      counts: { read: 5, created: 2, skipped: 1, rejected: 2 },
      rejections: [{ key: 'T4' }, { key: 'T5' }],
    });
    writeTalks(site, []);
    expect(await backfill(site)).toMatchObject({ status: 'partial', complete: false, counts: { read: 0, missing: 0 } });
  });

  test('A backfill of accounts keeps their passwords secret until they are sent', async () => {
    await using site = await openSite(simplest);
    writePeopleSync(site, '', {
      name: 'talks',
      source: 'connector: csv, url: ./feeds/staff.csv',
      map: 'email: email, username: email, password: word',
    });
    writeCsv(site, 'staff', 'email,word', ['ada@example.edu,Analytical-1843']);
    const held = await setFaults(site, { kind: 'hold', method: 'POST' });
    const running = backfill(site);
    await held();
    using database = new DatabaseSync(join(site.dir, 'data/ledger.sqlite'));
    const words = database.prepare('select sealed as password from passwords').all();
    expect(words).toEqual([{ password: expect.not.stringContaining('Analytical') }]);
    await setFaults(site);
    expect(await running).toMatchObject({ status: 'success', counts: { created: 1 } });
    expect(await site.items('account/accounts')).toMatchObject([{ email: 'ada@example.edu' }]);
  });

  test('A backfill recognises records whose keys the source has changed', async () => {
    await using site = await siteOfTalks(simplest);
    await site.sync(['talks']);
    writeTalks(site, [...oldTalks.slice(0, 2), 'M1,Maps,2027-03-01,18:00', ...threeTalks.slice(1)]);
    site.writes();
    const report = await backfill(site);
    expect(report).toMatchObject({ status: 'success', counts: { read: 5, created: 2, unchanged: 3 } });
    expect(site.writes()).toEqual({ 'POST /calendar/events': 2 });
    await site.withApp(async ({ ledger }) => expect(await ledger.records.state('talks', 'T1')).toBeUndefined());
  });

  test('A backfill stops when the CMS refuses the token, and delivers when it accepts it again', async () => {
    await using site = await siteOfTalks(simplest);
    const token = site.variables.CMS_API_TOKEN ?? '';
    site.variables.CMS_API_TOKEN = 'wrong';
    const refused = await backfill(site, { from: '2027-01-01' });
    expect(refused).toMatchObject({ status: 'failed', error: { code: 'FF_CMS_UNAUTHORIZED' } });
    expectBalance(refused);
    site.variables.CMS_API_TOKEN = token;
    expect(await backfill(site, { from: '2027-01-01' })).toMatchObject({ status: 'success', counts: { created: 3 } });
  });

  test('The jobs of a backfill wait for those of other runs if they share a queue', async () => {
    await using site = await siteOfTalks(simplest);
    const added: Array<{ background: boolean } | undefined> = [];
    const watched = (context: RunContext): RunContext => {
      const { queue } = context;
      const add: RunContext['queue']['add'] = (jobs, options) => {
        added.push(options);
        return queue.add(jobs, options);
      };
      return { ...context, queue: { ...queue, add } };
    };
    await site.withContext((context) => syncRun(watched(context)), { sync: 'talks' });
    await site.withContext((context) => syncRun(watched(context), {}), { sync: 'talks' });
    expect(added).toEqual([{ background: false }, { background: true }]);
  });

  test('A backfill of invalid dates is a usage error', async () => {
    await using site = await siteOfTalks(simplest);
    const { exitCode, stderr } = await runHere(['backfill', 'talks', '--from', '2027-02-30'], site.variables);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('"2027-02-30" is not a calendar date');
  });
});
