import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { createActions } from '../../../src/app/actions/create-actions.ts';
import type { App } from '../../../src/app/app.ts';
import type { RunReport } from '../../../src/core/run.ts';
import { setFaults, threeTalks, writeTalks, writeTalksSync } from '../fixtures.ts';
import { either } from '../in-turn.ts';
import { openSite, type Site, simplest } from '../site.ts';

const ANN = { name: 'Ann', via: 'console' } as const;

interface Desk {
  app: App;
  actions: ReturnType<typeof createActions>;
  reports: RunReport[];
  /** Waits for the end of what was begun, and returns the report of that run. */
  ended(run: string): Promise<RunReport | undefined>;
}

function atDesk(site: Site, work: (desk: Desk) => Promise<void>): Promise<void> {
  return site.withApp(async (app) => {
    const reports: RunReport[] = [];
    const { signal } = new AbortController();
    const log = pino({ level: 'silent' });
    const environment = site.environment();
    const actions = createActions(app, { environment, log, signal, onFinished: (report) => reports.push(report) });
    const ended = async (run: string) => {
      await actions.close();
      return reports.find((report) => report.run === run);
    };
    await work({ app, actions, reports, ended });
    await actions.close();
  });
}

/** A site whose last run is held because most of its feed is missing. */
async function openHeld(engines = simplest): Promise<{ site: Site; held: string }> {
  const site = await openSite(engines);
  writeTalksSync(site, 'missing: { policy: delete, after: 1 run, threshold: { percent: 25, absolute: 1 } }');
  writeTalks(site, threeTalks);
  await site.sync();
  writeTalks(site, threeTalks.slice(0, 1));
  const [report] = await site.sync();
  if (report?.status !== 'held') throw new Error(`the run is ${report?.status}`);
  return { site, held: report.run };
}

describe('Actions', () => {
  test('An answer about look-alikes is stored with its person, and delivers the records', async () => {
    await using site = await openSite(simplest);
    for (const name of ['talks', 'copies']) {
      writeTalksSync(site, '', { name });
      writeTalks(site, threeTalks, { name });
      await site.sync([name]);
    }
    await atDesk(site, async ({ app, actions, ended }) => {
      const answer = { answer: 'distinct', note: 'two halls' } as const;
      const { run } = await actions.act('retry', { sync: 'copies', keys: ['T1'], ...answer }, ANN);
      expect(await ended(run)).toMatchObject({ status: 'success', counts: { read: 1, created: 1 } });
      const reason = 'they are different from what they look like: two halls';
      expect(await app.ledger.history.deeds({ run: run })).toMatchObject([{ deed: 'retry', by: 'Ann', reason }]);
    });
    const { answer } = await site.explain('copies', 'T1');
    expect(answer).toMatchObject({ answer: 'distinct', person: 'Ann', note: 'two halls' });
  });

  test('Neither an active retry nor a finished run covers a new request', async () => {
    await using site = await openSite(simplest);
    writeTalksSync(site);
    writeTalks(site, ['1,Old Maps,2027-03-01,18:00']);
    await atDesk(site, async ({ app, actions, reports }) => {
      const retry = await app.ledger.runs.begin('talks', 'retry');
      await expect(actions.act('start', { sync: 'talks' }, ANN)).rejects.toMatchObject({ code: 'FF_RUN_BUSY' });
      await app.ledger.runs.finish(retry);

      const { run, started } = await actions.act('start', { sync: 'talks' }, ANN);
      expect(started).toBe(true);
      await actions.close();
      expect(reports).toMatchObject([{ run, status: 'success' }]);
      const next = await actions.act('start', { sync: 'talks' }, ANN);
      expect(next).toMatchObject({ run: expect.not.stringMatching(run), started: true });
      await actions.close();
      const kinds = (await app.ledger.runs.newest({ limit: 9 })).map(({ kind, status }) => [kind, status]);
      expect(kinds.sort()).toEqual([
        ['retry', 'success'],
        ['run', 'success'],
        ['run', 'success'],
      ]);
      expect(await app.ledger.history.deeds({ run: run })).toEqual([
        { at: expect.stringMatching(/Z$/), deed: 'run', by: 'Ann', via: 'console', sync: 'talks', run },
      ]);
    });
  });

  test.each(either(0))(
    'An approval applies the set that was looked at, and says who approved it and why, on $ledger with $queue',
    async (engines) => {
      const { site, held } = await openHeld(engines);
      await using _ = site;
      await atDesk(site, async ({ app, actions, ended }) => {
        const set = (await app.ledger.plans.heldSet(held)) ?? '';
        const reason = 'the term is over';
        await expect(actions.act('approve', { run: held, set: 'another', reason }, ANN)).rejects.toMatchObject({
          code: 'FF_APPROVE_STALE',
        });
        const { run } = await actions.act('approve', { run: held, set, reason }, ANN);
        expect(await ended(run)).toMatchObject({ status: 'success', counts: { deleted: 2 } });
        const [deed] = await app.ledger.history.deeds({ run: held });
        expect(deed).toMatchObject({ deed: 'approve', by: 'Ann', run, about: held, reason });
        const { decision } = await app.ledger.runs.get(held);
        expect(decision).toMatchObject({ is: 'approved', by: 'Ann', via: 'console', reason, appliedBy: run });
        await expect(actions.act('approve', { run: held, set, reason }, ANN)).rejects.toMatchObject({
          code: 'FF_APPROVE_STALE',
        });
      });
      expect(await site.items('calendar/events')).toHaveLength(1);
    },
  );

  test.each(either(1))('A rejected plan is dropped and changes nothing, on $ledger with $queue', async (engines) => {
    const { site, held } = await openHeld(engines);
    await using _ = site;
    await atDesk(site, async ({ app, actions }) => {
      const set = (await app.ledger.plans.heldSet(held)) ?? '';
      await actions.act('reject', { run: held, set, reason: 'the feed is broken' }, ANN);
      expect(await app.ledger.plans.heldPlans()).toEqual([]);
      expect(await app.ledger.history.deeds({ run: held })).toMatchObject([
        { deed: 'reject', run: held, reason: 'the feed is broken' },
      ]);
      expect(await app.ledger.runs.get(held)).toMatchObject({
        status: 'held',
        decision: { is: 'rejected', by: 'Ann' },
      });
      expect(await app.ledger.alerts.health('talks')).toMatchObject({ latest: { run: held, decision: { by: 'Ann' } } });
      await expect(actions.act('approve', { run: held, set }, ANN)).rejects.toMatchObject({ code: 'FF_APPROVE_STALE' });
    });
    // The same changes are not asked about again; others are.
    expect(await site.sync()).toMatchObject([{ status: 'held' }]);
    const waits = () =>
      site.withApp(async ({ ledger }) => (await ledger.plans.heldPlans()).map(({ decision }) => decision));
    expect(await waits()).toMatchObject([{ is: 'rejected', by: 'Ann', reason: 'the feed is broken' }]);
    writeTalks(site, threeTalks.slice(1, 2));
    expect(await site.sync()).toMatchObject([{ status: 'held' }]);
    expect(await waits()).toEqual([undefined]);
    expect(await site.items('calendar/events')).toHaveLength(3);
  });

  test('Records are retried, items purged, and the purge undone', async () => {
    await using site = await openSite(simplest);
    writeTalksSync(site);
    writeTalks(site, threeTalks);
    await setFaults(site, { kind: 'error', status: 422, method: 'POST' });
    await atDesk(site, async ({ app, actions, ended }) => {
      const first = await actions.act('start', { sync: 'talks' }, ANN);
      expect(await ended(first.run)).toMatchObject({ counts: { failed: 3 } });
      await expect(actions.act('undo', { run: first.run }, ANN)).rejects.toMatchObject({ code: 'FF_UNDO_NOTHING' });
      await setFaults(site);
      const retry = await actions.act('retry', { sync: 'talks' }, ANN);
      expect(await ended(retry.run)).toMatchObject({ status: 'success', counts: { created: 3 } });
      await expect(actions.act('retry', { sync: 'talks' }, ANN)).rejects.toMatchObject({ code: 'FF_NOTHING_TO_DO' });

      const purge = await actions.act('purge', { sync: 'talks', reason: 'the sync is retired' }, ANN);
      expect(await ended(purge.run)).toMatchObject({ counts: { deleted: 3 } });
      await expect(actions.act('purge', { sync: 'talks', reason: 'the sync is retired' }, ANN)).rejects.toMatchObject({
        code: 'FF_NOTHING_TO_DO',
      });
      await expect(actions.act('purge', { sync: 'walks', reason: 'the sync is retired' }, ANN)).rejects.toMatchObject({
        code: 'FF_SYNC_UNKNOWN',
      });

      const undo = await actions.act('undo', { run: purge.run, reason: 'the wrong sync' }, ANN);
      expect(await ended(undo.run)).toMatchObject({ counts: { created: 3 } });
      expect((await app.ledger.history.deeds({ run: purge.run })).toReversed()).toMatchObject([
        { deed: 'purge', run: purge.run, by: ANN.name, reason: 'the sync is retired' },
        { deed: 'undo', run: undo.run, about: purge.run, reason: 'the wrong sync' },
      ]);
    });
    expect(await site.items('calendar/events')).toHaveLength(3);
  });

  test('An undo pauses its sync; days are imported once; released items stay', async () => {
    await using site = await openSite(simplest);
    writeTalksSync(site);
    writeTalks(site, threeTalks);
    await atDesk(site, async ({ app, actions, ended }) => {
      const first = await actions.act('start', { sync: 'talks' }, ANN);
      await ended(first.run);
      const undo = await actions.act('undo', { run: first.run, pause: true, reason: 'the wrong feed' }, ANN);
      expect(await ended(undo.run)).toMatchObject({ counts: { deleted: 3 } });
      expect(await app.ledger.pauses.pauses()).toMatchObject(
        new Map([['talks', { by: ANN.name, via: ANN.via, reason: 'the wrong feed' }]]),
      );
      await expect(actions.act('start', { sync: 'talks' }, ANN)).rejects.toMatchObject({ code: 'FF_SYNC_PAUSED' });
      // An undo that has nothing to do pauses nothing.
      await actions.act('resume', { sync: 'talks' }, ANN);
      const again = actions.act('undo', { run: first.run, pause: true }, ANN);
      await expect(again).rejects.toMatchObject({ code: 'FF_UNDO_NOTHING' });
      expect(await app.ledger.pauses.pauses()).toEqual(new Map());

      const days = { from: '2027-03-02', to: '2027-03-02' };
      const backfill = await actions.act('backfill', { sync: 'talks', ...days }, ANN);
      expect(await ended(backfill.run)).toMatchObject({ counts: { created: 1 } });
      const release = await actions.act('release', { sync: 'talks', reason: 'by hand from now on' }, ANN);
      expect(await ended(release.run)).toMatchObject({ status: 'success', released: expect.arrayContaining(['T2']) });
      expect(await app.ledger.history.deeds({ run: release.run })).toMatchObject([
        { deed: 'release', by: ANN.name, reason: 'by hand from now on' },
      ]);
    });
    expect(await site.items('calendar/events')).toHaveLength(1);
  });

  test('The items of a sync that has no file can be purged', async () => {
    await using site = await openSite(simplest);
    writeTalksSync(site, '', { name: 'walks' });
    writeTalks(site, threeTalks, { name: 'walks' });
    await site.sync();
    writeTalksSync(site);
    rmSync(join(site.dir, 'config/syncs/walks.yaml'));
    await atDesk(site, async ({ actions, ended }) => {
      const { run } = await actions.act('purge', { sync: 'walks', reason: 'the sync is retired' }, ANN);
      expect(await ended(run)).toMatchObject({ sync: 'walks', counts: { deleted: 3 } });
    });
    expect(await site.items('calendar/events')).toHaveLength(0);
  });
});
