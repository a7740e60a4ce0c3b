import { describe, expect, test } from 'vitest';
import { approveRun, rejectPlan } from '../../../src/sync/runs/approve-run.ts';
import { start } from '../feedferry.ts';
import { setFaults, writeTalks, writeTalksSync } from '../fixtures.ts';
import { either } from '../in-turn.ts';
import { startRecordingProxy } from '../recording-proxy.ts';
import { runHere } from '../run-here.ts';
import { openSite, type Site, simplest } from '../site.ts';

const row = (id: string) => `${id},Talk ${id},2031-03-01,18:00`;
const EVENTS = 'api/v1/calendar/events';
const DELETES = 'missing: { policy: delete, after: 1 run }\n';

/** Delivers four talks, and holds a run because two of them are missing and `more` is new. */
async function holdRun(site: Site, more = 'NEW') {
  writeTalksSync(site, DELETES);
  writeTalks(site, ['A', 'B', 'C', 'D'].map(row));
  await site.sync();
  writeTalks(site, ['A', 'B', more].map(row));
  const [held] = await site.sync();
  expect(held).toMatchObject({ status: 'held', error: { code: 'FF_GUARD_MISSING' } });
  site.writes();
  return String(held?.run);
}

const titles = async (site: Site) => (await site.items('calendar/events')).map(({ title }) => title).sort();
const applied = { status: 'success', counts: { created: 1, deleted: 2, unchanged: 2 } };

describe.each(either(0))('A held plan is kept until its changes are applied, on $ledger with $queue', (engines) => {
  test('if the approval is cancelled', async () => {
    await using site = await openSite(engines);
    const held = await holdRun(site);
    await site.withApp(async (elsewhere) => {
      const onHold = await setFaults(site, { kind: 'hold', method: 'GET' });
      const ended = site.approve('talks', held);
      await onHold();
      const [running] = await elsewhere.ledger.runs.underWay();
      const answer = site.withContext((context) => approveRun(held, context));
      await expect(answer).rejects.toMatchObject({ code: 'FF_RUN_BUSY' });
      expect(await elsewhere.ledger.runs.cancel(String(running?.run), { by: 'Ann', via: 'cli' })).toBe(true);
      await setFaults(site);
      expect(await ended).toMatchObject({ status: 'failed', error: { code: 'FF_RUN_CANCELLED' } });
      expect(await elsewhere.ledger.plans.heldPlans()).toMatchObject([{ run: held }]);
    });
    expect(site.writes()).toEqual({});
    expect(await site.approve('talks', held)).toMatchObject(applied);
    await expect(site.approve('talks', held)).rejects.toMatchObject({ code: 'FF_APPROVE_STALE' });
  });

  test('if the process of the approval is killed', async () => {
    await using site = await openSite(engines);
    const held = await holdRun(site);
    const onHold = await setFaults(site, { kind: 'hold', method: 'GET' });
    const killed = start(['approve', held, '--yes'], site.variables);
    await onHold();
    killed.child.kill('SIGKILL');
    await killed.finished;
    await setFaults(site);
    expect(await runHere(['approve', held, '--yes'], site.variables)).toMatchObject({ exitCode: 0 });
    expect(await titles(site)).toEqual(['Talk A', 'Talk B', 'Talk NEW']);
  });
});

test('A held plan is kept if the CMS does not respond, or the plan cannot be applied', async () => {
  await using site = await openSite(simplest);
  const held = await holdRun(site);
  await setFaults(site, { kind: 'unauthorized' });
  expect(await site.approve('talks', held)).toMatchObject({ status: 'failed' });
  await setFaults(site);
  const failing = site.withContext((context) => {
    const apply = () => Promise.reject(new Error('The disk is full.'));
    const plans = { ...context.ledger.plans, apply };
    return approveRun(held, { ...context, ledger: { ...context.ledger, plans } });
  });
  expect(await failing).toMatchObject({ status: 'failed' });
  expect(site.writes()).toEqual({});
  expect(await site.approve('talks', held)).toMatchObject(applied);
});

test('A run that is cancelled while it is about to be held leaves the plan of an earlier run', async () => {
  await using site = await openSite(simplest);
  const held = await holdRun(site);
  await site.withContext(async (context) => {
    const { ledger } = context;
    const next = await ledger.runs.begin('talks', 'run');
    await ledger.plans.keepHeld(next, ['delete']);
    await ledger.runs.cancel(next, { by: 'Ann', via: 'cli' });
  });
  expect(await site.approve('talks', held)).toMatchObject(applied);
});

describe('An approval covers what was seen', () => {
  /** A site whose lists lack the items of the title `hidden`, but count them. */
  async function openHidingSite() {
    const site = await openSite(simplest);
    const proxy = await startRecordingProxy(site.sandbox.url);
    site.variables.CMS_BASE_URL = proxy.url;
    proxy.intercept = async ({ operation, url, headers }) => {
      if (operation !== 'GET /api/v1/calendar/events') return undefined;
      const { authorization = '' } = headers;
      const request = { headers: { authorization, accept: 'application/json', 'user-agent': 'proxy' } };
      const list = (await (await fetch(`${site.sandbox.url}${url}`, request)).json()) as {
        data: Array<{ title: string }>;
      };
      const body = { ...list, data: list.data.filter((item) => item.title !== hiding.hidden) };
      return { status: 200, body: JSON.stringify(body) };
    };
    const dispose = site[Symbol.asyncDispose];
    const disposeAll = async () => {
      await dispose();
      await proxy[Symbol.asyncDispose]();
    };
    const hiding = Object.assign(site, { hidden: '', [Symbol.asyncDispose]: disposeAll });
    return hiding;
  }
  const item = (id: string) => {
    const time = { start: '18:00:00', type: 'timed' };
    const days = { date: '2031-03-01', endDate: '2031-03-01' };
    return { title: `Talk ${id}`, ...days, time, source_key: `talks:${id}` };
  };
  const added = ['N1', 'N2', 'N3', 'N4', 'N5'];

  test('A plan that was held for other changes is held again if the CMS counts items that it does not show', async () => {
    await using site = await openHidingSite();
    writeTalksSync(site, DELETES);
    writeTalks(site, ['A', 'B', 'C', 'D'].map(row));
    await site.sync();
    // Another ledger has created them, and was lost.
    site.hidden = 'Talk N1';
    for (const id of added) await site.request('POST', EVENTS, item(id));
    writeTalks(site, ['A', 'B', ...added].map(row));
    const [first] = await site.sync();
    expect(first).toMatchObject({ status: 'held', error: { code: 'FF_GUARD_MISSING' } });
    site.writes();
    const second = await site.approve('talks', String(first?.run));
    expect(second).toMatchObject({ status: 'held', error: { code: 'FF_CMS_UNPROVEN' } });
    expect(site.writes()).toEqual({});
    // Now it was seen, and the remedy works to its end.
    const third = await site.approve('talks', second.run);
    expect(third).toMatchObject({ status: 'success', counts: { created: 1, deleted: 2 } });
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 7 } }]);
  });

  test('A retry is held as a run is, and its approval looks its records up', async () => {
    await using site = await openHidingSite();
    writeTalksSync(site);
    writeTalks(site, ['N1', 'N2'].map(row));
    const copies = [await site.request('POST', EVENTS, item('N1')), await site.request('POST', EVENTS, item('N1'))];
    expect(await site.sync()).toMatchObject([{ counts: { created: 1, held: 1 } }]);
    site.hidden = 'Talk N1';
    const retried = await site.retry('talks', ['N1']);
    expect(retried).toMatchObject({ status: 'held', error: { code: 'FF_CMS_UNPROVEN' } });
    expect(await site.approve('talks', String(retried?.run))).toMatchObject({ counts: { created: 0, held: 1 } });
    site.hidden = '';
    await site.request('DELETE', `${EVENTS}/${copies[0]?.id}`);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1, unchanged: 1 } }]);
    expect(await titles(site)).toEqual(['Talk N1', 'Talk N2']);
  });

  test('What a held plan would do is what its approval does: records that wait for another answer do not count', async () => {
    await using site = await openSite(simplest);
    writeTalksSync(site, DELETES);
    writeTalks(site, ['A', 'B', 'C', 'D'].map(row));
    await site.sync();
    const { source_key: _, ...ofEditors } = item('E');
    await site.request('POST', EVENTS, ofEditors);
    writeTalks(site, ['A', 'B', 'E', 'NEW'].map(row));
    const [held] = await site.sync();
    const { stdout } = await runHere(['approve', '--list', '--json'], site.variables);
    const { plans } = JSON.parse(stdout) as { plans: object[] };
    expect(plans).toMatchObject([{ ops: { create: 1, delete: 2 }, asks: 1 }]);
    const { counts } = await site.approve('talks', String(held?.run));
    expect(counts).toMatchObject({ created: 1, deleted: 2, held: 1 });
  });

  test('A plan that is being applied cannot be rejected', async () => {
    await using site = await openSite(simplest);
    const held = await holdRun(site);
    const set = String(await site.withApp(({ ledger }) => ledger.plans.heldSet(held)));
    const reject = () => site.withContext((context) => rejectPlan(held, set, context));
    const onHold = await setFaults(site, { kind: 'hold', method: 'GET' });
    const ended = site.approve('talks', held);
    await onHold();
    await expect(reject()).rejects.toMatchObject({ code: 'FF_RUN_BUSY' });
    await setFaults(site);
    expect(await ended).toMatchObject(applied);
  });
});
