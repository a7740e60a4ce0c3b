import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { SyncRowView } from '../../../src/queries/views/overview.ts';
import { type RunDetailView, runDetail } from '../../../src/queries/views/run.ts';
import type { RunPageView } from '../../../src/queries/views/sync.ts';
import { parseMetrics } from '../../support/prometheus.ts';
import { start } from '../feedferry.ts';
import { setFaults, writeTalks, writeTalksSync } from '../fixtures.ts';
import { either } from '../in-turn.ts';
import { runHere } from '../run-here.ts';
import { serveConsole } from '../serve-console.ts';
import { combinations, type Engines, openSite, type Site, simplest } from '../site.ts';

async function talks(on: Engines): Promise<Site> {
  const site = await openSite(on);
  writeTalksSync(site);
  writeTalks(site, ['1,Old Maps,2027-03-01,18:00', '2,,2027-03-02,18:00']);
  return site;
}

/** Starts a process that serves HTTP, and answers how to ask it. */
async function serving(command: string, site: Site, variables: Record<string, string> = {}) {
  const { child } = start([command], { ...site.variables, LOG_LEVEL: 'info', HTTP_PORT: '0', ...variables });
  const url = await addressOf(child);
  return { child, url, ...askAt(url, variables.HTTP_TOKEN) };
}

function askAt(url: string, token = '') {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  return {
    get: async <T>(path: string) => (await fetch(`${url}${path}`, { headers })).json() as Promise<T>,
    begin: (sync: string) => fetch(`${url}/api/runs`, { method: 'POST', headers, body: JSON.stringify({ sync }) }),
    metrics: async () => parseMetrics(await (await fetch(`${url}/metrics`, { headers })).text()),
  };
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let log = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      const [, url] = /"health":"([^"]+)"/.exec(log) ?? [];
      if (url) resolve(url);
    });
    child.once('exit', () => reject(new Error(`it ended:\n${log}`)));
  });
}

async function ended(server: Awaited<ReturnType<typeof serving>>, run: string): Promise<RunDetailView> {
  for (;;) {
    const view = await server.get<RunDetailView>(`/api/runs/${run}`);
    if (view.status !== 'running') return view;
    await sleep(20);
  }
}

describe.each(either(1))('Runs started over HTTP on $ledger with $queue', (on) => {
  test('A program can start a sync once, read its result, and see it counted', async () => {
    await using site = await talks(on);
    await setFaults(site, { kind: 'hold', method: 'POST' });
    const server = await serving('start', site);
    // A request during a run returns that run.
    const answers = await Promise.all(Array.from({ length: 4 }, () => server.begin('talks')));
    const bodies = await Promise.all(answers.map((answer) => answer.json() as Promise<{ run: string }>));
    const { run = '' } = bodies[0] ?? {};
    expect(answers.map(({ status, headers }) => [status, headers.get('location')])).toEqual(
      answers.map(() => [202, `/api/runs/${run}`]),
    );
    const begun = [true, false, false, false].map((started) => ({ sync: 'talks', run, started }));
    expect(bodies).toEqual(expect.arrayContaining(begun));
    expect(await server.get(`/api/runs/${run}`)).toMatchObject({ status: 'running' });
    expect((await server.get<{ syncs: SyncRowView[] }>('/api/overview')).syncs[0]?.underWay).toBe(run);
    expect((await server.metrics()).value('feedferry_runs_under_way', { sync: 'talks' })).toBe(1);

    await setFaults(site);
    const end = await ended(server, run);
    expect(runDetail.parse(end)).toEqual(end);
    expect(end).toMatchObject({
      run,
      sync: 'talks',
      kind: 'run',
      status: 'partial',
      counts: expect.objectContaining({ read: 2, created: 1, rejected: 1 }),
      complete: true,
      durationMs: expect.any(Number),
      startedAt: expect.stringMatching(/Z$/),
      finishedAt: expect.stringMatching(/Z$/),
      deeds: [{ deed: 'run', by: expect.any(String), via: 'api', run }],
    });
    expect((await server.get<RunPageView>('/api/runs?sync=talks')).runs.map((each) => each.run)).toEqual([run]);
    // All see the same overview for two seconds.
    const overview = async () => (await server.get<{ syncs: SyncRowView[] }>('/api/overview')).syncs;
    const row = { sync: 'talks', schedule: null, underWay: null, lastSuccessAt: expect.any(String) };
    await expect.poll(overview).toMatchObject([{ ...row, lastRun: { run, status: 'partial' } }]);

    // Another process ran it, too.
    writeTalks(site, ['1,New Maps,2027-03-01,18:00']);
    expect((await runHere(['sync', '--json'], site.variables)).exitCode).toBe(0);
    const scraped = await server.metrics();
    expect(scraped.value('feedferry_runs_total', { sync: 'talks', status: 'partial' })).toBe(1);
    expect(scraped.value('feedferry_runs_total', { sync: 'talks', status: 'success' })).toBe(1);
    expect(scraped.value('feedferry_records_total', { sync: 'talks', outcome: 'created' })).toBe(1);
    expect(scraped.value('feedferry_records_total', { sync: 'talks', outcome: 'updated' })).toBe(1);
    const lastSuccess = scraped.value('feedferry_last_success_timestamp_seconds', { sync: 'talks' });
    expect(lastSuccess).toBeGreaterThan(Date.parse(end.startedAt) / 1000);
    expect(scraped.value('feedferry_destination_state', { state: 'open' })).toBe(1);
    expect(scraped.value('feedferry_queue_jobs')).toBe(0);
    expect(scraped.value('feedferry_part_up')).toBe(2);
    // This one is of the process alone.
    const posts = { operation: 'events.create', status: '201' };
    expect(scraped.value('feedferry_cms_request_duration_seconds_count', posts)).toBe(1);
  });
});

describe('The HTTP interface', () => {
  test('An unknown resource is not found', async () => {
    await using site = await talks(simplest);
    const { begin, get } = askAt(await serveConsole(site));
    const unknown = await begin('nothing');
    expect([unknown.status, await unknown.json()]).toMatchObject([404, { error: { code: 'FF_SYNC_UNKNOWN' } }]);
    expect(await get('/api/runs?sync=nothing')).toMatchObject({ error: { code: 'FF_SYNC_UNKNOWN' } });
    expect(await get('/api/runs/20260101-000000-abcdef')).toMatchObject({ error: { code: 'FF_RUN_UNKNOWN' } });
    expect(await get('/api/runs?limit=0')).toMatchObject({ error: { code: 'FF_HTTP_REQUEST' } });
    expect(await get('/api/runs')).toEqual({ runs: [] });
  });

  test('SIGTERM ends a run started over HTTP cleanly', async () => {
    await using site = await talks(simplest);
    const held = await setFaults(site, { kind: 'hold', method: 'POST' });
    const server = await serving('start', site);
    const { run } = (await (await server.begin('talks')).json()) as { run: string };
    const exited = new Promise((resolve) => server.child.once('exit', resolve));
    await held();
    server.child.kill('SIGTERM');
    await setFaults(site);
    expect(await exited).toBe(143);
    const last = await site.withApp((app) => app.ledger.runs.find(run));
    expect(last?.status).not.toBe('running');
  });

  test('Other hosts are served only with a configured token, which is then always required', async () => {
    await using site = await talks(simplest);
    const variables = { ...site.variables, HTTP_PORT: '0', HTTP_HOST: '0.0.0.0' };
    const refused = await runHere(['start'], variables);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('FF_HTTP_OPEN');

    const server = await serving('start', site, { HTTP_HOST: '0.0.0.0', HTTP_TOKEN: 'open-sesame' });
    expect((await server.metrics()).value('feedferry_part_up')).toBe(2);
    for (const path of ['/metrics', '/api/runs', '/api/overview']) {
      const response = await fetch(`${server.url}${path}`);
      expect([path, response.status]).toEqual([path, 401]);
    }
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });
});

describe.runIf(combinations.some(({ queue }) => queue === 'bullmq'))('With Redis', () => {
  const redis = { ledger: 'sqlite', queue: 'bullmq' } as const;

  test('A worker serves its own state and starts no runs', async () => {
    await using site = await talks(redis);
    const server = await serving('worker', site);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    const { value, families } = await server.metrics();
    expect(value('feedferry_cms_requests_in_flight')).toBe(0);
    expect(families.has('feedferry_runs_total')).toBe(false);
    expect((await server.begin('talks')).status).toBe(404);
  });
});
