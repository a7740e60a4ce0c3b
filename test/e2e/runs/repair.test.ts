import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createActions } from '../../../src/app/actions/create-actions.ts';
import { createQueries } from '../../../src/queries/create-queries.ts';
import { verificationView } from '../../../src/queries/views/verification.ts';
import { threeTalks, writeTalks, writeTalksSync } from '../fixtures.ts';
import { either } from '../in-turn.ts';
import { runHere } from '../run-here.ts';
import { type Engines, openSite, type Site, simplest } from '../site.ts';

const ANN = { name: 'Ann', via: 'console' } as const;
const log = pino({ level: 'silent' });

/** A site with three talks, of which editors have renamed one and deleted one. @param rows talks besides these */
async function siteThatDiffers(on: Engines, more = '', rows: readonly string[] = []): Promise<Site> {
  const site = await openSite(on);
  writeTalksSync(site, more);
  writeTalks(site, [...threeTalks, ...rows]);
  await site.sync();
  const ids = new Map((await site.items('calendar/events')).map(({ id, title }) => [title, id]));
  await site.request('PATCH', `api/v1/calendar/events/${ids.get('Maps')}`, { title: 'Old Maps' });
  await site.request('DELETE', `api/v1/calendar/events/${ids.get('Ships')}`);
  return site;
}

test.each(either(1))('What differs is listed, planned and repaired as reviewed, on $ledger with $queue', async (on) => {
  await using site = await siteThatDiffers(on, 'onDeletedInCms: recreate');

  await site.withApp(async (app) => {
    const environment = site.environment();
    const { signal } = new AbortController();
    const actions = createActions(app, { environment, log, signal, onFinished: () => {} });
    const queries = createQueries(() => app, { environment, log });
    const verified = async () => verificationView.strict().parse(await queries.verification('talks', { limit: 9 }));
    expect(await verified()).toEqual({ sync: 'talks', total: 0, open: 0, differences: [] });

    await actions.act('verify', { sync: 'talks' }, ANN);
    await actions.close();
    const found = await verified();
    expect(found).toMatchObject({ askedBy: 'Ann', proven: true, total: 2, counts: { records: 3, inSync: 1 } });
    expect(found.differences).toMatchObject([
      { key: 'T1', cause: 'edited', attributes: ['title'], title: expect.stringContaining('Maps') },
      { key: 'T2', cause: 'deleted', title: expect.stringContaining('Ships') },
    ]);
    const states = async () =>
      (await queries.records({ sync: 'talks', limit: 9 })).records.map(({ differs }) => differs?.cause);
    expect(await states()).toEqual(['edited', 'deleted', undefined]);
    expect((await queries.record('talks', 'T2')).differs).toMatchObject({ cause: 'deleted' });
    expect((await queries.overview()).attention).toMatchObject([{ is: 'drift' }]);

    await actions.act('acknowledge', { sync: 'talks', keys: ['T1', 'T2'], note: 'known' }, ANN);
    expect((await queries.overview()).attention).toEqual([]);
    expect((await verified()).differences).toMatchObject([{ acknowledged: { by: 'Ann' } }, {}]);

    // What a person has acknowledged stays as it is.
    await expect(actions.act('repair', { sync: 'talks' }, ANN)).rejects.toMatchObject({ code: 'FF_NOTHING_TO_DO' });
    await actions.act('takeBack', { sync: 'talks', keys: ['T1', 'T2'] }, ANN);

    // Nothing is changed before the plan is approved.
    const { run } = await actions.act('repair', { sync: 'talks' }, ANN);
    await actions.close();
    expect(await queries.run(run)).toMatchObject({ status: 'held', error: { code: 'FF_REPAIR_HELD' }, heldPlan: run });
    expect(await site.items('calendar/events')).toHaveLength(2);
    const { set, ops } = await queries.heldPlan(run);
    expect(ops).toMatchObject({ update: 1, createAgain: 1 });
    const { items } = await queries.plannedItems(run, { limit: 9 });
    expect(items).toMatchObject([
      // What the verification saw in the item, because the repair overwrites it.
      { key: 'T1', op: 'update', differences: [{ attribute: 'title', from: 'Old Maps', to: 'Maps' }] },
      { key: 'T2', op: 'createAgain' },
    ]);
    expect((await queries.record('talks', 'T2')).waiting).toEqual({ run, op: 'createAgain' });
    const { stdout } = await runHere(['approve', '--list'], site.variables);
    expect(stdout).toContain('title: "Old Maps" → "Maps"');
    expect(stdout).toMatch(/\+ create again T2 Ships.*: It was deleted in the CMS\./);
    const approved = await actions.act('approve', { run, set, reason: 'as reviewed' }, ANN);
    await actions.close();
    expect(await queries.run(approved.run)).toMatchObject({ status: 'success' });
    // Delivered since: the differences are no longer the state of the records.
    expect(await states()).toEqual([undefined, undefined, undefined]);

    await actions.act('verify', { sync: 'talks' }, ANN);
    await actions.close();
    expect(await verified()).toMatchObject({ proven: true, total: 0, differences: [], counts: { inSync: 3 } });
    await expect(actions.act('repair', { sync: 'talks' }, ANN)).rejects.toMatchObject({ code: 'FF_NOTHING_TO_DO' });
  });
  const titles = (await site.items('calendar/events')).map(({ title }) => title);
  expect(titles.toSorted()).toEqual(['Maps', 'Ships', 'Tides']);
});

test('A repair leaves a deleted item that the sync does not create again, and plans only the rest', async () => {
  await using site = await siteThatDiffers(simplest);
  await site.withApp(async (app) => {
    const environment = site.environment();
    const { signal } = new AbortController();
    const actions = createActions(app, { environment, log, signal, onFinished: () => {} });
    const queries = createQueries(() => app, { environment, log });
    const { run } = await actions.act('repair', { sync: 'talks' }, ANN);
    await actions.close();
    const { set, ops } = await queries.heldPlan(run);
    expect(ops).toEqual({ create: 0, createAgain: 0, update: 1, delete: 0, mark: 0 });
    await actions.act('approve', { run, set, reason: 'as reviewed' }, ANN);
    await actions.close();
    const { differences, open } = await queries.verification('talks', { limit: 9 });
    expect(differences).toMatchObject([
      { key: 'T1', cause: 'edited', since: 'repaired' },
      { key: 'T2', cause: 'deleted', isLeft: true },
    ]);
    expect(open).toBe(1);
    const attention = [{ is: 'drift', text: 'The CMS differs from what was delivered: 1 deleted.' }];
    expect((await queries.overview()).attention).toMatchObject(attention);
    await expect(actions.act('repair', { sync: 'talks' }, ANN)).rejects.toMatchObject({ code: 'FF_NOTHING_TO_DO' });
  });
});

test('After a repair, the rejects of the last reading still ask for attention', async () => {
  await using site = await siteThatDiffers(simplest, '', ['T4,Winds,soon,10:00']);
  await site.withApp(async (app) => {
    const environment = site.environment();
    const { signal } = new AbortController();
    const actions = createActions(app, { environment, log, signal, onFinished: () => {} });
    const queries = createQueries(() => app, { environment, log });
    const { run } = await actions.act('repair', { sync: 'talks' }, ANN);
    await actions.close();
    const { set } = await queries.heldPlan(run);
    await actions.act('approve', { run, set, reason: 'as reviewed' }, ANN);
    await actions.close();
    expect(await queries.rejects('talks')).toMatchObject({ read: 4, total: 1 });
    const text = '1 of 4 records was rejected.';
    expect((await queries.overview()).attention).toContainEqual(expect.objectContaining({ is: 'rejected', text }));
  });
});
