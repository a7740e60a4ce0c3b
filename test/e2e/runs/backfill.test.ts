import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { machineUser } from '../../../src/app/machine-user.ts';
import type { RunReport } from '../../../src/core/run.ts';
import { type BackfillOptions, backfillSync } from '../../../src/sync/backfill/backfill.ts';
import type { RunProgress } from '../../../src/sync/context/run-context.ts';
import { start } from '../feedferry.ts';
import {
  setFaults,
  setLatency,
  threeTalks,
  writeCsv,
  writePeopleSync,
  writeTalks,
  writeTalksSync,
} from '../fixtures.ts';
import { runHere } from '../run-here.ts';
import { combinations, type Engines, farthest, openSite, type Site, simplest } from '../site.ts';

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

function backfill(
  site: Site,
  asked: BackfillOptions = {},
  options: { signal?: AbortSignal; onProgress?: (progress: RunProgress) => void } = {},
): Promise<RunReport> {
  return site.withContext((context) => backfillSync(asked, context), { sync: 'talks', ...options });
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

describe.each(farthest)('Backfills on $ledger and $queue', (engines) => {
  test('A killed backfill resumes where it stopped, yields to a run, and overwrites nothing newer', async () => {
    await using site = await siteOfTalks(engines);
    const held = await setFaults(site, { kind: 'hold', method: 'POST', skip: 30 });
    const killed = start(['backfill', 'talks'], site.variables);
    await held();
    killed.child.kill('SIGKILL');
    expect((await killed.finished).signal).toBe('SIGKILL');

    await setLatency(site, 30);
    writeTalks(site, [...oldTalks, ...threeTalks.with(0, 'T1,New maps,2027-03-01,18:00')]);
    let synced: Promise<RunReport[]> | undefined;
    let done = 0;
    let doneWhenSynced: number | undefined;
    const onProgress = (progress: RunProgress) => {
      if (progress.phase !== 'backfilling') return;
      done = progress.done;
      synced ??= site.sync(['talks']).finally(() => {
        doneWhenSynced = done;
      });
    };
    const report = await backfill(site, {}, { onProgress });

    expect(await synced).toMatchObject([{ status: 'success', counts: { created: 3, skipped: OLD, missing: 0 } }]);
    expect(doneWhenSynced).toBeLessThan(OLD);
    expect(report).toMatchObject({
      status: 'success',
      complete: true,
      counts: { read: OLD + 3, skipped: 3, failed: 0 },
    });
    expectBalance(report);
    const talks = oldTalks.map((_, index) => `Old talk ${index}`);
    expect((await titlesOf(site)).sort()).toEqual([...talks, 'New maps', 'Ships', 'Tides'].sort());
    expect(posts(site)).toBe(OLD + 3);
    site.writes();

    expect(await site.sync(['talks'])).toMatchObject([{ counts: { unchanged: 3, skipped: OLD, missing: 0 } }]);
    expect(await backfill(site)).toMatchObject({ status: 'success', counts: { unchanged: OLD + 3 } });
    expect(site.writes()).toEqual({});
  });
});

describe.each(farthest)('A cancelled backfill, on $ledger with $queue', (engines) => {
  test('What is in flight ends, the rest is not sent yet, and the next call resumes it', async () => {
    await using site = await siteOfTalks(engines);
    const held = await setFaults(site, { kind: 'hold', method: 'POST', skip: 8 });
    const running = start(['backfill', 'talks', '--to', '2026-12-31', '--json'], site.variables);
    await held();
    const found = async () => {
      const { stdout } = await runHere(['runs', 'talks', '--json'], site.variables);
      return JSON.parse(stdout).runs.find(({ kind }: { kind: string }) => kind === 'backfill');
    };
    const { run, asked } = await found();
    expect(asked).toEqual({ by: machineUser(), via: 'cli' });
    const cancel = () => runHere(['cancel', run, '--reason', 'the wrong days'], site.variables);
    expect(await cancel()).toMatchObject({ exitCode: 0 });
    await setFaults(site);

    const { exitCode, json } = await running.finished;
    const [report] = json<{ runs: RunReport[] }>().runs;
    const message = `${machineUser()} cancelled the run: the wrong days`;
    expect(exitCode).toBe(1);
    expect(report).toMatchObject({ run, status: 'failed', error: { code: 'FF_RUN_CANCELLED' } });
    expect(report?.error?.message).toContain(message);
    const { created = 0, notSent = 0, failed } = report?.counts ?? {};
    expect({ failed, all: created + notSent }).toEqual({ failed: 0, all: OLD });
    expect(posts(site)).toBe(created);
    expect(await found()).toMatchObject({ cancelled: message });
    expect(await cancel()).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('is not in progress') });

    expect(await backfill(site)).toMatchObject({ run, status: 'success', counts: { created: OLD, failed: 0 } });
    expect(posts(site)).toBe(OLD);
    expect(await found()).not.toHaveProperty('cancelled');
  });
});

describe.each(combinations.filter(({ ledger }) => ledger === 'sqlite'))('Backfills with $queue', (engines) => {
  test('A backfill yields to scheduled runs, and prints how to resume when it is stopped', async () => {
    await using site = await siteOfTalks(engines);
    const struck = await setFaults(site, { kind: 'latency', ms: 60, method: 'POST' });
    const running = start(['backfill', 'talks', '--to', '2026-12-31', '--json'], site.variables);
    await struck(4);
    expect(await site.sync(['news'])).toMatchObject([{ status: 'success', counts: { created: 3 } }]);
    expect(posts(site)).toBeLessThan(OLD);

    const held = await setFaults(site, { kind: 'hold', method: 'POST' });
    await held();
    await expect(backfill(site)).rejects.toMatchObject({ code: 'FF_RUN_BUSY' });
    running.child.kill('SIGTERM');
    await setLatency(site, 60);
    const { exitCode, json, stderr } = await running.finished;
    expect(exitCode).toBe(143);
    const { runs } = json<{ runs: RunReport[] }>();
    expect(runs).toMatchObject([{ status: 'failed', error: { code: 'FF_RUN_INTERRUPTED' } }]);
    expect(runs[0]?.error?.message).toMatch(/ \d+ of 160 records are done\. To continue: `feedferry backfill talks`/);
    for (const run of runs) expectBalance(run);
    expect(stderr).toMatch(/^talks: 0 of 160 records \(0 %\); 3 skipped$/m);
    expect(posts(site)).toBe((runs[0]?.counts.created ?? 0) + 3);
  });
});

describe('Backfills', () => {
  test('An unfinished backfill is replaced only with --restart', async () => {
    await using site = await siteOfTalks(simplest);
    const stopping = new AbortController();
    const onProgress = (progress: RunProgress) => {
      if (progress.phase === 'backfilling' && progress.done >= 100) stopping.abort();
    };
    const stopped = await backfill(site, { to: '2026-12-31' }, { signal: stopping.signal, onProgress });
    expect(stopped).toMatchObject({ status: 'failed', error: { code: 'FF_RUN_INTERRUPTED' } });
    expectBalance(stopped);
    const { stdout } = await runHere(['status', 'talks', '--json'], site.variables);
    const [{ backfill: open }] = JSON.parse(stdout).syncs;
    expect(open).toMatchObject({ run: stopped.run, to: '2026-12-31', total: expect.any(Number) });
    expect(open.done).toBeGreaterThanOrEqual(100);
    expect(open.done).toBeLessThan(open.total);

    await expect(backfill(site, { from: '2027-01-01' })).rejects.toMatchObject({
      code: 'FF_BACKFILL_OPEN',
      message: expect.stringContaining('from the beginning to 2026-12-31 is unfinished: 1'),
    });
    const restarted = await backfill(site, { from: '2027-01-01', restart: true });
    expect(restarted).toMatchObject({ status: 'success', counts: { read: OLD + 3, created: 3, skipped: OLD } });
    await site.withApp(async ({ ledger }) => {
      expect(await ledger.runs.find(stopped.run)).toMatchObject({ kind: 'backfill', status: 'failed' });
      expect(await ledger.runs.lastReading('talks')).toMatchObject({ run: restarted.run });
      const kinds = (await ledger.runs.newest({ limit: 9 })).map(({ kind }) => kind);
      expect(kinds).toEqual(['backfill', 'backfill']);
      expect((await ledger.runs.totals()).map(({ kind, status, runs }) => [kind, status, runs]).sort()).toEqual([
        ['backfill', 'failed', 1],
        ['backfill', 'success', 1],
      ]);
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
    const words = new Set<string | null>();
    const onProgress = () => {
      using database = new DatabaseSync(join(site.dir, 'data/ledger.sqlite'));
      for (const { password } of database.prepare('select password from backfill_work').all())
        words.add(password as string);
    };
    const report = await backfill(site, {}, { onProgress });
    expect(report).toMatchObject({ status: 'success', counts: { created: 1 } });
    expect([...words]).toEqual([expect.not.stringContaining('Analytical')]);
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

  test('A backfill stops when the CMS refuses the token, and resumes when it accepts it again', async () => {
    await using site = await siteOfTalks(simplest);
    const token = site.variables.CMS_API_TOKEN ?? '';
    site.variables.CMS_API_TOKEN = 'wrong';
    const refused = await backfill(site, { from: '2027-01-01' });
    expect(refused).toMatchObject({ status: 'failed', error: { code: 'FF_CMS_UNAUTHORIZED' } });
    expectBalance(refused);
    site.variables.CMS_API_TOKEN = token;
    expect(await backfill(site)).toMatchObject({ run: refused.run, status: 'success', counts: { created: 3 } });
  });

  test('A backfill of invalid dates is a usage error', async () => {
    await using site = await siteOfTalks(simplest);
    const { exitCode, stderr } = await runHere(['backfill', 'talks', '--from', '2027-02-30'], site.variables);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('"2027-02-30" is not a calendar date');
  });
});
