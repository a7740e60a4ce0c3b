import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { SyncRowView } from '../../../src/queries/views/overview.ts';
import type { RunPageView } from '../../../src/queries/views/sync.ts';
import { explainRecord } from '../../../src/sync/explain/explain-record.ts';
import { planRun } from '../../../src/sync/runs/plan-run.ts';
import { retryRun } from '../../../src/sync/runs/retry-run.ts';
import { start } from '../feedferry.ts';
import { writeTalks, writeTalksSync } from '../fixtures.ts';
import { either } from '../in-turn.ts';
import { runHere } from '../run-here.ts';
import { openSite, type Site } from '../site.ts';

function writeSync(site: Site, name: string, every: string, { title = 'title', more = '' } = {}): void {
  const map = `title: ${title}, date: date, time.start: start`;
  writeTalksSync(site, `schedule: { every: ${every} }\n${more}`, { name, map });
}

const writeTalk = (site: Site, name: string, title: string) =>
  writeTalks(site, [`1,${title},2027-03-01,18:00`], { name });

/** `feedferry start` on a site, with its log. */
async function serving(site: Site) {
  const { child, finished } = start(['start'], { ...site.variables, LOG_LEVEL: 'info', HTTP_PORT: '0' });
  let log = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
  await until(() => log.includes('"health"'));
  const [, url = ''] = /"health":"([^"]+)"/.exec(log) ?? [];
  return {
    url,
    child,
    finished,
    logged: (text: string) => log.split(text).length - 1,
    get: async <T>(path: string) => (await fetch(`${url}${path}`)).json() as Promise<T>,
    /** Does not wait for the next poll of the files. */
    reload: () => child.kill('SIGHUP'),
  };
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(20);
}

const titles = async (site: Site) => (await site.items('calendar/events')).map(({ title }) => title).sort();

describe.each(either(1))('The start command on $ledger with $queue', (engines) => {
  test('The service runs due syncs, follows its config, lets other commands work, and ends cleanly', async () => {
    await using site = await openSite(engines);
    writeSync(site, 'talks', '700ms');
    writeTalk(site, 'talks', 'Old Maps');
    const server = await serving(site);
    expect(await server.get('/healthz')).toEqual({ status: 'ok' });
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    await until(async () => (await titles(site)).includes('Old Maps'));
    writeTalk(site, 'talks', 'New Maps');
    await until(async () => (await titles(site)).includes('New Maps'));

    // One is added, then broken. Both are found by polling: SIGHUP would report the mistake again if a poll came first.
    writeSync(site, 'walks', '1h');
    writeTalk(site, 'walks', 'Harbour');
    await until(async () => (await titles(site)).includes('Harbour'));
    writeSync(site, 'walks', '1h', { more: 'colour: red' });
    await until(() => server.logged('colour is not a known key') > 0);
    writeTalk(site, 'talks', 'Sea Maps');
    await until(async () => (await titles(site)).includes('Sea Maps'));

    // One is changed, one removed.
    writeSync(site, 'walks', '500ms', { title: '{ template: "{{ title }} walk" }' });
    rmSync(join(site.dir, 'config/syncs/talks.yaml'));
    server.reload();
    await until(async () => (await titles(site)).includes('Harbour walk'));
    const { syncs } = await server.get<{ syncs: SyncRowView[] }>('/api/overview');
    expect(syncs.map(({ sync: name, schedule }) => [name, schedule])).toEqual([['walks', 'every 500 milliseconds']]);
    expect(server.logged('colour is not a known key')).toBe(1);

    // Other processes may work on the site, and no two runs of a sync overlap.
    const manual = await runHere(['sync', '--json'], site.variables);
    expect(manual.json()).toMatchObject({ runs: [{ sync: 'walks', status: 'success', counts: { read: 1 } }] });
    await site.withApp(async (app) => {
      const { signal } = new AbortController();
      for (const each of app.config.syncs) {
        const context = app.contextOf(each, { signal });
        expect(await planRun(context)).toMatchObject({ status: 'planned', counts: { unchanged: 1 } });
        expect(await retryRun(undefined, context)).toBeUndefined();
        expect(await explainRecord('1', context)).toMatchObject({ key: '1' });
        expect(await app.ledger.runs.lastReading(each.name)).toMatchObject({ sync: each.name });
      }
    });

    const { runs } = await server.get<RunPageView>('/api/runs?sync=walks&limit=200');
    const times = runs.filter(({ kind, finishedAt }) => kind === 'run' && finishedAt).reverse();
    for (const [index, { startedAt }] of times.entries()) {
      const before = times[index - 1]?.finishedAt ?? startedAt;
      expect(before <= startedAt).toBe(true);
    }

    server.child.kill('SIGTERM');
    const { exitCode, stderr } = await server.finished;
    expect([exitCode, stderr.includes('FF_BUG')], stderr).toEqual([143, false]);
    expect(site.sandbox.stats().requests['POST /calendar/events']).toBe(2);
  });
});
