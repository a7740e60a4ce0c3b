import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createLedgerQueries, createQueries } from '../../../src/queries/create-queries.ts';
import { openHeldSite } from '../console/held-site.ts';
import { threeTalks, writeTalks, writeTalksSync } from '../fixtures.ts';
import { runHere } from '../run-here.ts';
import { serveConsole } from '../serve-console.ts';
import { openSite, type Site, simplest } from '../site.ts';

const overview = (site: Site) =>
  site.withApp((app) =>
    createQueries(() => app, { environment: site.environment(), log: pino({ level: 'silent' }) }).overview(),
  );

test('`reject` drops a held plan with a reason; what the feed has besides then asks again', async () => {
  const { site, held } = await openHeldSite();
  await using _ = site;
  const rejected = await runHere(['reject', held, '--reason', 'the feed is wrong', '--json'], site.variables);
  expect(rejected).toMatchObject({ exitCode: 0 });
  expect(rejected.json()).toEqual({ run: held, sync: 'talks' });
  expect(await site.items('calendar/events')).toHaveLength(3);
  expect((await runHere(['status'], site.variables)).stdout).toMatch(/plan rejected by .*: the feed is wrong/);
  expect(await runHere(['reject', held], site.variables)).toMatchObject({ exitCode: 1 });
  expect(await runHere(['approve', held, '--yes'], site.variables)).toMatchObject({ exitCode: 1 });

  // The same plan was rejected.
  await site.sync();
  expect((await overview(site)).attention).toEqual([]);
  // A new talk is in the same plan, and would never be published.
  writeTalks(site, [...threeTalks.slice(0, 1), 'T9,Night Sky,2027-03-09,20:00']);
  const [again] = await site.sync();
  expect((await overview(site)).attention).toMatchObject([{ is: 'held', sync: 'talks', run: again?.run }]);
});

test('`status --check` is one line with the exit code of a plugin, judged as in the console', async () => {
  await using site = await openSite(simplest);
  writeTalksSync(site);
  writeTalks(site, threeTalks);
  const check = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await runHere(['status', '--check', ...args], site.variables);
    return { exitCode, stdout, stderr };
  };
  await site.sync();
  expect(await check()).toEqual({ exitCode: 0, stdout: 'OK: 1 sync, nothing needs attention\n', stderr: '' });
  writeTalks(site, [...threeTalks, 'T4,Odd,not a day,18:00']);
  await site.sync();
  expect(await check()).toMatchObject({ exitCode: 1, stdout: 'WARNING: talks: 1 of 4 records was rejected.\n' });
  expect(await runHere(['status'], site.variables)).toMatchObject({ exitCode: 0 });
  await runHere(['acknowledge', 'talks', 'T4'], site.variables);
  expect(await check()).toMatchObject({ exitCode: 0 });
  expect((await runHere(['status'], site.variables)).stdout).not.toContain('feedferry rejects');
  const json = (await runHere(['status', '--json'], site.variables)).json();
  expect(json).toMatchObject({ attention: [], syncs: [{ lastSuccessAt: expect.any(String) }] });
  site.write('syncs/talks.yaml', 'resource: events\nsource: { connector: csv, url: "./gone|x.csv" }\nkey: id\n');
  await site.sync();
  await site.sync();
  const failing = /^CRITICAL: talks: [^|\n]*gone\/x\.csv[^|\n]* All 2 runs since 20[^|\n]* have failed\.\n$/;
  expect(await check()).toMatchObject({ exitCode: 2, stdout: expect.stringMatching(failing) });
  const { stdout } = await runHere(['status'], site.variables);
  expect(stdout).toMatch(/talks: last good run 20\d\d-/);
  expect(stdout).toMatch(/talks: FF_.* All 2 runs since 20.* have failed\.\n {2}→ /);
  expect(await check('nothing')).toMatchObject({
    exitCode: 3,
    stdout: expect.stringContaining('UNKNOWN: FF_SYNC_UNKNOWN'),
  });
  expect(await check('--json')).toMatchObject({ exitCode: 2, stdout: expect.stringContaining('{"is":"CRITICAL"') });
});

test('The last reading is that of a run: a plan, also of a draft, applies nothing', async () => {
  await using site = await openSite(simplest);
  writeTalksSync(site);
  writeTalks(site, [...threeTalks, 'T4,Odd,not a day,18:00']);
  await site.sync();
  writeTalks(
    site,
    threeTalks.map((row) => row.replace('2027', 'x')),
  );
  await runHere(['plan', 'talks'], site.variables);
  const listed = async () => (await runHere(['rejects', 'talks'], site.variables)).stdout;
  expect(await listed()).toMatch(/1 of 4 records read .* was rejected/);
  // Nor does a backfill, whose days are others; and runs that read nothing change nothing, however many they are.
  await runHere(['backfill', 'talks', '--from', '2027-01-01'], site.variables);
  writeTalks(site, []);
  for (let nth = 0; nth < 6; nth += 1) await site.sync();
  expect(await listed()).toMatch(/1 of 4 records read .* was rejected/);
  const all = await site.withApp((app) => createLedgerQueries(() => app).allRejects());
  expect(all).toMatchObject({ syncs: [{ sync: 'talks', read: 4, total: 1 }] });
});

test('The page of a plan says what a run would do, and advises what works', async () => {
  const { site } = await openHeldSite();
  await using _ = site;
  writeTalks(site, [...threeTalks.slice(0, 1), 'T9,Night Sky,2027-03-09,20:00']);
  const planned = await runHere(['plan', 'talks'], site.variables);
  expect(planned.stderr).not.toContain('feedferry approve');
  expect(planned.stderr.replaceAll('`', '')).toContain('Run the sync: feedferry sync talks');
  const { runs } = (await runHere(['runs', '--json'], site.variables)).json<{
    runs: Array<{ run: string; kind: string }>;
  }>();
  const plan = runs.find(({ kind }) => kind === 'plan')?.run;
  const url = await serveConsole(site);
  const page = await (await fetch(`${url}/runs/${plan}`, { headers: { accept: 'text/html' } })).text();
  expect(page).not.toContain('do not balance');
  expect(page).not.toContain(`/runs/${plan}/plan#decision`);
  expect(page).toContain('Run now');
});

test('An undo of a run that is undone already begins no run, and keeps the plan that waits', async () => {
  await using site = await openSite(simplest);
  writeTalksSync(site, 'missing: { policy: delete, after: 1 run, threshold: { percent: 25, absolute: 1 } }');
  writeTalks(site, threeTalks);
  await site.sync();
  writeTalks(
    site,
    threeTalks.map((row) => row.replace('18:00', '19:00')),
  );
  const [changed] = await site.sync();
  const url = await serveConsole(site);
  const undo = async () => {
    const response = await fetch(`${url}/api/runs/${changed?.run}/undo`, { method: 'POST' });
    return { status: response.status, body: (await response.json()) as { code?: string } };
  };
  expect(await undo()).toMatchObject({ status: 202 });
  const runs = async () => (await runHere(['runs', '--json'], site.variables)).json<{ runs: object[] }>().runs;
  await expect.poll(async () => (await runs())[0]).toMatchObject({ kind: 'undo', status: 'success' });
  writeTalks(site, threeTalks.slice(0, 1));
  const [held] = await site.sync();
  expect(held?.status).toBe('held');
  const before = await runs();
  expect(await undo()).toMatchObject({ status: 409, body: { error: { code: 'FF_UNDO_NOTHING' } } });
  expect(await runs()).toEqual(before);
  // The command says which changes it leaves alone, and leaves the plan alone, too.
  await runHere(['undo', changed?.run ?? '', '--yes'], site.variables);
  expect((await runHere(['approve', '--list'], site.variables)).stdout).toContain(held?.run);
});
