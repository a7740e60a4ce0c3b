import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { machineUser } from '../../../src/app/machine-user.ts';
import { startScheduler } from '../../../src/app/service/scheduler.ts';
import type { RunReport } from '../../../src/core/run.ts';
import { setFaults, threeTalks, writeTalks, writeTalksSync } from '../fixtures.ts';
import { either } from '../in-turn.ts';
import { runHere } from '../run-here.ts';
import { openSite, type Site, simplest } from '../site.ts';

const REASON = 'the calendar is moving';
const PAUSE = { by: machineUser(), via: 'cli', reason: REASON };
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);

const run = (site: Site, ...args: string[]) => runHere(args, site.variables);
const pause = (site: Site) => run(site, 'pause', 'talks', '--reason', REASON);

describe.each(either(0))('A paused sync, on $ledger with $queue', (engines) => {
  test('No run begins at a tick until the sync is resumed', async () => {
    await using site = await openSite(engines);
    writeTalksSync(site, 'schedule: { every: 200ms }');
    writeTalks(site, threeTalks);
    await site.withApp(async (app) => {
      const skipped: string[] = [];
      const write = (line: string) => void (line.includes('Skipped a scheduled run: ') && skipped.push(line));
      const reports: RunReport[] = [];
      const stopping = new AbortController();
      const scheduler = await startScheduler(app, {
        log: pino({ level: 'info' }, { write }),
        signal: new AbortController().signal,
        waiting: stopping.signal,
        onFinished: (report) => reports.push(report),
      });
      const nextSkip = async () => {
        skipped.length = 0;
        const isPaused = expect.stringContaining(`${PAUSE.by} paused \\"talks\\": ${REASON}`);
        await expect.poll(() => skipped, { interval: 10 }).toContainEqual(isPaused);
      };
      const begun = async () => (await app.ledger.runs.newest({ limit: 99 })).length;
      await expect.poll(() => reports.length, { interval: 10 }).toBeGreaterThan(0);

      expect(await pause(site)).toMatchObject({ exitCode: 0 });
      // A run that the pause came too late for has ended when a tick is skipped for the pause.
      await nextSkip();
      const before = await begun();
      await nextSkip();
      expect(await begun()).toBe(before);

      expect(await run(site, 'resume', 'talks')).toMatchObject({ exitCode: 0, stdout: 'talks: resumed\n' });
      await expect.poll(begun, { interval: 10 }).toBeGreaterThan(before);
      stopping.abort();
      await scheduler.stop();
    });
  });

  test('`sync` skips it without names, and refuses it if it is named', async () => {
    await using site = await openSite(engines);
    for (const name of ['talks', 'walks']) {
      writeTalksSync(site, '', { name });
      writeTalks(site, threeTalks, { name });
    }
    await pause(site);

    const all = await run(site, 'sync', '--json');
    expect(all).toMatchObject({ exitCode: 0, stderr: `talks: skipped. ${PAUSE.by} paused it: ${REASON}\n` });
    expect(all.json()).toMatchObject({ runs: [{ sync: 'walks', status: 'success', counts: { created: 3 } }] });

    const named = await run(site, 'sync', 'talks', 'walks');
    expect(named).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(/^walks +success/m) });
    expect(named.stderr).toContain(`FF_SYNC_PAUSED ${PAUSE.by} paused "talks": ${REASON}\n`);
    expect(named.stderr).toContain('→ Resume it: `feedferry resume talks`.\n');
    const backfill = await run(site, 'backfill', 'talks', '--json');
    expect([backfill.exitCode, backfill.stdout]).toEqual([1, expect.stringContaining('FF_SYNC_PAUSED')]);
    expect(await site.items('calendar/events')).toHaveLength(3);
  });

  test('`approve`, `retry` and `undo` work', async () => {
    await using site = await openSite(engines);
    writeTalksSync(site, 'missing: { policy: delete, after: 1 run, threshold: { percent: 25, absolute: 1 } }');
    writeTalks(site, threeTalks);
    await site.sync();
    await setFaults(site, { kind: 'error', status: 422, method: 'PATCH' });
    writeTalks(site, ['T1,Old Maps,2027-03-01,18:00', ...threeTalks.slice(1)]);
    await site.sync();
    writeTalks(site, ['T1,Old Maps,2027-03-01,18:00']);
    const [held] = await site.sync();
    expect(held).toMatchObject({ status: 'held' });
    await pause(site);

    const approved = await run(site, 'approve', held?.run ?? '', '--yes', '--json');
    expect(approved.json()).toMatchObject({ runs: [{ counts: { deleted: 2, failed: 1 } }] });
    await setFaults(site);
    const retried = await run(site, 'retry', 'talks', '--json');
    expect(retried.json()).toMatchObject({ runs: [{ status: 'success', counts: { updated: 1 } }] });
    const { runs } = approved.json<{ runs: RunReport[] }>();
    const undone = await run(site, 'undo', runs[0]?.run ?? '', '--yes', '--json');
    expect(undone.json()).toMatchObject({ runs: [{ status: 'success', counts: { created: 2 } }] });
    const titles = (await site.items('calendar/events')).map(({ title }) => title);
    expect(titles.sort()).toEqual(['Old Maps', 'Ships', 'Tides']);
  });

  test('The pause outlives the process, and `status` shows who paused, why and since when', async () => {
    await using site = await openSite(engines);
    writeTalksSync(site, 'schedule: { every: 1h }');
    const paused = await runHere(['pause', 'talks', '--reason', REASON, '--json'], site.variables);
    expect(paused.json()).toEqual({ paused: [{ sync: 'talks', ...PAUSE, since: TIME }] });
    const [{ sync, ...shown } = {}] = paused.json<{ paused: Array<{ sync?: string }> }>().paused;

    const status = (await run(site, 'status', '--json')).json();
    expect(status).toMatchObject({ syncs: [{ sync, nextRunAt: null, paused: shown }] });
    const { stdout } = await run(site, 'status');
    expect(stdout).toMatch(/^talks +never run +paused/m);
    expect(stdout).toMatch(new RegExp(`^talks: paused by ${PAUSE.by} since .* E[SD]T: ${REASON}$`, 'm'));
  });
});

test('`sync` without names skips a sync that is paused while another one runs', async () => {
  await using site = await openSite(simplest);
  for (const name of ['talks', 'walks']) {
    writeTalksSync(site, '', { name });
    writeTalks(site, threeTalks, { name });
  }
  const held = await setFaults(site, { kind: 'hold', method: 'POST' });
  const ended = run(site, 'sync', '--json');
  await held();
  await site.withApp(({ ledger }) => ledger.pauses.pause('walks', { by: 'Ann', via: 'console', reason: REASON }));
  await setFaults(site);
  const { exitCode, stderr, json } = await ended;
  expect([exitCode, stderr]).toEqual([0, `walks: skipped. Ann paused it: ${REASON}\n`]);
  expect(json()).toMatchObject({ runs: [{ sync: 'talks', status: 'success' }] });
});
