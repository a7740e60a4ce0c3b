import { describe, expect, test } from 'vitest';
import type { RunReport } from '../../../src/core/run.ts';
import type { PastRun } from '../../../src/ledger/runs/run-list.ts';
import { planRun } from '../../../src/sync/runs/plan-run.ts';
import { planPurge, purgeRun } from '../../../src/sync/runs/purge-run.ts';
import { previewUndo, type UndoPreview } from '../../../src/sync/undo/preview-undo.ts';
import { undoRun } from '../../../src/sync/undo/undo-run.ts';
import { healRun } from '../../../src/sync/verify/heal-run.ts';
import { verifySyncs } from '../../../src/sync/verify/verify-syncs.ts';
import { start } from '../feedferry.ts';
import {
  illustratedTalks,
  setFaults,
  writeCsv,
  writeIllustratedSync,
  writeIllustratedTalks,
  writePeopleSync,
  writeTalksSync,
} from '../fixtures.ts';
import { either } from '../in-turn.ts';
import { startRecordingProxy } from '../recording-proxy.ts';
import { runHere } from '../run-here.ts';
import { type Item, openSite, png, type Site, simplest } from '../site.ts';

const talks = illustratedTalks('Old');

/** Three talks, delivered by the run that is answered. */
async function publishedSite(more = '', engines = simplest): Promise<{ site: Site; first: string }> {
  const site = await openSite(engines, { target: '  movedFrom: ${OLD_URL:-https://www.example.edu}\n' });
  site.write('syncs/feeds/a.png', png(1));
  site.write('syncs/feeds/b.png', png(2));
  writeIllustratedSync(site, more);
  writeIllustratedTalks(site, ...talks);
  return { site, first: await synced(site) };
}

/** The id of the run. */
async function synced(site: Site): Promise<string> {
  const [report] = await site.sync();
  expect(report).toMatchObject({ status: 'success' });
  return report?.run ?? '';
}

function undo(site: Site, run: string, options?: Parameters<Site['withContext']>[1]): Promise<RunReport> {
  return site.withContext((context) => undoRun(run, context), options);
}

function planUndo(site: Site, run: string): Promise<UndoPreview> {
  return site.withContext((context) => previewUndo(run, context));
}

function purge(site: Site): Promise<RunReport | undefined> {
  return site.withContext(purgeRun);
}

const events = (site: Site) => site.items('calendar/events', '&sort=+id');
const edit = (site: Site, id: number, body: object) => site.request('PATCH', `api/v1/calendar/events/${id}`, body);

/** What distinguishes events, except their ids. */
function contents(items: readonly Item[]): object[] {
  return items
    .map(({ id, url, icalUrl, editUrl, ...content }) => content)
    .sort((one, other) => String(one.title).localeCompare(String(other.title)));
}

async function idOf(site: Site, title: string): Promise<number> {
  const found = (await events(site)).filter((event) => event.title === title);
  expect(found).toHaveLength(1);
  return found[0]?.id ?? 0;
}

describe.each(either(1))('Undo on $ledger and $queue', (engines) => {
  test("Undo reverts creates and updates, can be undone itself, and the next run sends the source's values", async () => {
    const published = await publishedSite('', engines);
    await using site = published.site;
    await edit(site, await idOf(site, 'Ships'), { description: 'Written by an editor' });
    const before = await events(site);

    writeIllustratedTalks(
      site,
      'T1,New maps,2027-03-01,19:00,,b.png',
      'T2,Boats,2027-03-02,10:00,From the source,',
      talks[2]!,
      'T4,Winds,2027-03-04,10:00,,a.png',
    );
    const run = await synced(site);
    const after = await events(site);
    site.writes();

    const undone = await undo(site, run);
    expect(undone).toMatchObject({
      status: 'success',
      counts: { read: 2, updated: 2, created: 0, skipped: 0, failed: 0, missing: 1, deleted: 1, unremoved: 0 },
    });
    expect(site.writes()).toEqual({ 'PATCH /calendar/events/:id': 2, 'DELETE /calendar/events/:id': 1 });
    expect(await events(site)).toEqual(before);

    expect(await undo(site, undone.run)).toMatchObject({
      status: 'success',
      counts: { read: 3, updated: 2, created: 1, skipped: 0, failed: 0 },
    });
    expect(contents(await events(site))).toEqual(contents(after));

    // The change is in force again, so it can be undone again.
    expect(await undo(site, run)).toMatchObject({ status: 'success', counts: { updated: 2, deleted: 1 } });
    expect(await events(site)).toEqual(before);

    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1, updated: 2, unchanged: 1 } }]);
    expect(contents(await events(site))).toEqual(contents(after));
    site.writes();
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 4 } }]);
    expect(site.writes()).toEqual({});
  });

  test('Undoing a purge recreates the items under the same records', async () => {
    const published = await publishedSite('', engines);
    await using site = published.site;
    await edit(site, await idOf(site, 'Ships'), { description: 'Written by an editor', room: { floor: 2 } });
    const before = await events(site);

    const isOverwritten = () => site.withApp(({ ledger }) => ledger.history.isOverwritten(published.first));
    expect(await isOverwritten()).toBe(false);
    const purged = await purge(site);
    expect(purged).toMatchObject({ status: 'success', counts: { read: 0, missing: 3, deleted: 3, unremoved: 0 } });
    expect(await isOverwritten()).toBe(true);
    expect(await events(site)).toEqual([]);
    expect(await purge(site)).toBeUndefined();

    expect(await undo(site, purged?.run ?? '')).toMatchObject({ status: 'success', counts: { read: 3, created: 3 } });
    expect(contents(await events(site))).toEqual(contents(before));
    expect(await isOverwritten()).toBe(false);
    // The edit is still there, and the first run can be undone for the items without an edit.
    expect(await undo(site, published.first)).toMatchObject({
      status: 'partial',
      counts: { read: 1, skipped: 1, deleted: 2 },
      rejections: [{ key: 'T2', code: 'FF_UNDO_EDITED', reason: expect.stringMatching(/description, room/) }],
    });
  });
});

test('Undo keeps and lists items that editors or later runs have changed, also in a dry run', async () => {
  const { site: opened, first } = await publishedSite();
  await using site = opened;
  writeIllustratedTalks(site, 'T1,Maps,2027-03-01,18:00,New,a.png', ...talks.slice(1), 'T4,Winds,2027-03-04,10:00,,');
  const second = await synced(site);
  const [maps, ships, tides] = [await idOf(site, 'Maps'), await idOf(site, 'Ships'), await idOf(site, 'Tides')];
  await edit(site, ships, { isFeatured: true });
  await edit(site, await idOf(site, 'Winds'), { title: 'Storms' });
  await site.request('DELETE', `api/v1/calendar/events/${tides}`);

  const skipped = [
    { key: 'T1', code: 'FF_UNDO_LATER', reason: `run ${second} updated the item later` },
    { key: 'T2', code: 'FF_UNDO_EDITED', reason: `item ${ships} was edited in the CMS since: isFeatured` },
    { key: 'T3', code: 'FF_UNDO_GONE', reason: `item ${tides} is no longer in the CMS` },
  ];
  const before = await events(site);
  site.writes();
  expect(await planUndo(site, first)).toMatchObject({ run: first, sync: 'talks', changes: [], skipped });
  expect(await planUndo(site, second)).toMatchObject({
    changes: [
      { op: 'restore', key: 'T1', cmsId: maps, differences: [{ attribute: 'description', from: 'New', to: 'Old' }] },
    ],
    skipped: [{ key: 'T4', code: 'FF_UNDO_EDITED' }],
  });

  const report = await undo(site, first);
  expect(report).toMatchObject({ status: 'partial', counts: { read: 3, skipped: 3, deleted: 0 }, rejections: skipped });
  expect(site.writes()).toEqual({});
  expect(await events(site)).toEqual(before);

  // Once the later run is undone, the earlier one can be.
  expect(await undo(site, second)).toMatchObject({ status: 'partial', counts: { read: 2, updated: 1, skipped: 1 } });
  expect(await undo(site, first)).toMatchObject({ status: 'partial', counts: { read: 2, deleted: 1, skipped: 2 } });
  expect((await events(site)).map(({ title }) => title).sort()).toEqual(['Ships', 'Storms']);
});

test('An edit between two runs prevents the undo of the first, although the second was undone', async () => {
  const { site: opened, first } = await publishedSite();
  await using site = opened;
  await edit(site, await idOf(site, 'Maps'), { description: 'Written by an editor' });
  writeIllustratedTalks(site, 'T1,Maps,2027-03-01,18:00,New,a.png', ...talks.slice(1));
  await undo(site, await synced(site));
  expect(await undo(site, first)).toMatchObject({
    counts: { deleted: 2, skipped: 1 },
    rejections: [{ key: 'T1', code: 'FF_UNDO_EDITED', reason: expect.stringMatching(/: description$/) }],
  });
});

test('An edit between the read of an item and its write is kept', async () => {
  const { site: opened } = await publishedSite();
  await using site = opened;
  writeIllustratedTalks(site, 'T1,Maps,2027-03-01,18:00,New,a.png', ...talks.slice(1), 'T4,Winds,2027-03-04,10:00,,');
  const run = await synced(site);
  await using proxy = await startRecordingProxy(site.sandbox.url);
  const looks = new Map<string, number>();
  proxy.intercept = async ({ operation }) => {
    const id = Number(/^GET .*events\/(\d+)$/.exec(operation)?.[1] ?? 0);
    looks.set(operation, (looks.get(operation) ?? 0) + 1);
    if (id && looks.get(operation) === 2) await edit(site, id, { description: 'Written by an editor' });
    return undefined;
  };
  site.variables.CMS_BASE_URL = proxy.url;
  site.variables.OLD_URL = site.sandbox.url;

  const report = await undo(site, run);
  expect(report).toMatchObject({
    status: 'partial',
    counts: { read: 1, held: 1, updated: 0, missing: 1, deleted: 0, unremoved: 1 },
    problems: [
      { key: 'T1', code: 'FF_UNDO_EDITED' },
      { key: 'T4', code: 'FF_UNDO_EDITED' },
    ],
  });
  expect(await site.retry('talks')).toMatchObject({ status: 'partial', counts: { held: 1, unremoved: 1 } });
  const edited = async () => (await events(site)).filter((event) => event.description === 'Written by an editor');
  expect(await edited()).toHaveLength(2);
  // The next run has no reason to overwrite it either: the source says what it said.
  proxy.intercept = async () => undefined;
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 4, updated: 0 } }]);
  expect(await edited()).toHaveLength(2);
});

test('An edit of an item whose create had no response is kept, and counts as an edit', async () => {
  const { site: opened } = await publishedSite();
  await using site = opened;
  await edit(site, await idOf(site, 'Ships'), { room: { floor: 2 } });
  const before = await events(site);
  const purged = await purge(site);
  await using proxy = await startRecordingProxy(site.sandbox.url);
  const edited = { description: 'Written by an editor', room: { floor: 3 } };
  let edits = 0;
  let reads = 0;
  proxy.intercept = async ({ operation }) => {
    // What was found cannot be read at once.
    if (/events\/\d+$/.test(operation) && reads++ < 3) return { status: 503, body: '{}' };
    const ships = operation.startsWith('GET') && (await events(site)).find(({ title }) => title === 'Ships');
    if (ships && edits++ === 0) await edit(site, ships.id, edited);
    return undefined;
  };
  site.variables.CMS_BASE_URL = proxy.url;
  site.variables.OLD_URL = site.sandbox.url;
  await setFaults(site, { kind: 'error', method: 'POST', when: 'after', times: 3 });

  const report = await undo(site, purged?.run ?? '');
  expect(report).toMatchObject({ status: 'success', counts: { read: 3, created: 3 } });
  const wanted = before.map((event) => (event.title === 'Ships' ? { ...event, ...edited } : event));
  expect(contents(await events(site))).toEqual(contents(wanted));
  expect(proxy.requests.map(({ operation }) => operation)).not.toContainEqual(expect.stringMatching(/^PATCH/));
  expect(await planUndo(site, report.run)).toMatchObject({
    changes: [{ key: 'T1' }, { key: 'T3' }],
    skipped: [{ key: 'T2', code: 'FF_UNDO_EDITED', reason: expect.stringMatching(/: description, room$/) }],
  });
  // The next run has no reason to overwrite it either: the source says what it said.
  proxy.intercept = async () => undefined;
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 3 } }]);
  // Whoever wants it overwritten has it healed.
  const healed = await site.withContext(async (context) => {
    const [verified] = await verifySyncs([context]);
    return verified && healRun(verified);
  });
  expect(healed).toMatchObject({ status: 'success', counts: { updated: 1 } });
  expect(await events(site)).toContainEqual(expect.objectContaining({ title: 'Ships', description: '' }));
});

test('Undo restores items that were deleted or marked as missing', async () => {
  const { site: opened } = await publishedSite(
    'missing: { policy: set, set: { title: Cancelled }, threshold: { percent: 50 } }',
  );
  await using site = opened;
  const before = await events(site);
  writeIllustratedTalks(site, ...talks.slice(0, 2));
  const marked = await synced(site);
  await idOf(site, 'Cancelled');
  expect(await undo(site, marked)).toMatchObject({ status: 'success', counts: { read: 1, updated: 1, marked: 0 } });
  expect(await events(site)).toEqual(before);

  // It is missing as before, and once more marked; that mark goes with what it says.
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 2, missing: 1, marked: 1 } }]);
  writeIllustratedTalks(site, ...talks);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 2, updated: 1 } }]);
  expect(await events(site)).toEqual(before);
});

test('Records whose items are marked, then deleted, keep title and day in lists', async () => {
  const { site: opened } = await publishedSite(
    'missing: { policy: set, set: { title: Cancelled }, threshold: { percent: 50 } }',
  );
  await using site = opened;
  writeIllustratedTalks(site, ...talks.slice(0, 2));
  await synced(site);
  const names = () =>
    site.withContext(async ({ ledger: { records } }) => ({
      title: (await records.titles('talks', ['T3'])).get('T3'),
      listed: await records.named(['talks'], 'T3'),
    }));
  const named = {
    title: expect.stringMatching(/^Cancelled, 2027-03/),
    listed: [{ payload: { title: 'Cancelled', date: expect.stringMatching(/^2027-03/) } }],
  };
  expect(await names()).toMatchObject(named);
  expect(await purge(site)).toMatchObject({ status: 'success' });
  expect(await names()).toMatchObject(named);
});

test('Retry finishes an undo whose process was killed', async () => {
  const { site: opened } = await publishedSite();
  await using site = opened;
  const rows = Array.from({ length: 8 }, (_, index) => `X${index},Talk ${index},2027-05-01,1${index}:00,,`);
  writeIllustratedTalks(site, ...talks, ...rows.slice(4));
  await synced(site);
  const before = await events(site);
  writeIllustratedTalks(site, ...talks, ...rows.map((row) => row.replace('2027-05', '2027-06')));
  const run = await synced(site);

  // Of eight requests, two are served before the process is killed, and at most four after it.
  const held = await setFaults(site, { kind: 'hold', method: 'PATCH', skip: 2 }, { kind: 'hold', method: 'DELETE' });
  const { child, finished } = start(['undo', run], site.variables);
  await held();
  child.kill('SIGKILL');
  await finished;
  await setFaults(site);
  expect(await events(site)).not.toEqual(before);
  const retried = await site.retry('talks');
  expect(retried).toMatchObject({ status: 'success', counts: { failed: 0, unremoved: 0 } });
  expect(await events(site)).toEqual(before);
});

test('A purge keeps adopted items, and looks up unconfirmed creates', async () => {
  await using site = await openSite(simplest, { target: '  maxAttempts: 1\n' });
  const body = { title: 'Maps', date: '2027-03-01', endDate: '2027-03-01', time: { start: '18:00:00', type: 'timed' } };
  const { id } = await site.request('POST', 'api/v1/calendar/events', body);
  writeTalksSync(site, 'adopt: { match: [title, date] }');
  writeIllustratedTalks(site, ...talks);
  await setFaults(site, { kind: 'error', method: 'POST', when: 'after', times: 1 });
  expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { held: 1, created: 1, updated: 1 } }]);

  expect(await site.withContext(planPurge)).toMatchObject({
    deletes: [{ key: 'T2' }, { key: 'T3' }],
    adopted: [{ key: 'T1', cmsId: id }],
  });
  const purged = await runHere(['purge', 'talks', '--json'], site.variables);
  expect(purged).toMatchObject({ exitCode: 0 });
  expect(purged.json()).toMatchObject({
    runs: [{ status: 'success', counts: { missing: 2, deleted: 2, skipped: 1 }, adopted: ['T1'] }],
  });
  expect(await events(site)).toMatchObject([{ id, title: 'Maps' }]);
  expect(await purge(site)).toBeUndefined();
});

test('Restored accounts have no passwords, and the report says so', async () => {
  await using site = await openSite(simplest);
  const source = 'connector: csv, url: ./feeds/staff.csv';
  const map = 'email: email, username: email, firstName: name, password: secret';
  writePeopleSync(site, '', { name: 'staff', source, map });
  writeCsv(site, 'staff', 'email,name,secret', ['a@example.edu,Ada,Lovelace-1815']);
  await synced(site);
  const purged = await purge(site);
  expect(await undo(site, purged?.run ?? '')).toMatchObject({
    status: 'success',
    counts: { created: 1 },
    warnings: [{ message: expect.stringMatching(/^1 are created again without their former passwords/) }],
  });
  expect(await site.items('account/accounts')).toMatchObject([{ email: 'a@example.edu', firstName: 'Ada' }]);
});

test('The undo command prints what was undone, what comes next, and what cannot be undone', async () => {
  const { site: opened, first } = await publishedSite();
  await using site = opened;
  const plan = await site.withContext(planRun);
  await expect(undo(site, plan.run)).rejects.toMatchObject({ code: 'FF_UNDO_NOTHING' });
  await expect(undo(site, 'no-such-run')).rejects.toMatchObject({ code: 'FF_RUN_UNKNOWN' });

  await edit(site, await idOf(site, 'Ships'), { title: 'Boats' });
  const printed = await runHere(['undo', first], site.variables);
  expect(printed.exitCode).toBe(3);
  expect(printed.stdout).toMatch(
    /skipped \(1\)\n {2}Ships, 2027-03-02.* \(T2\): FF_UNDO_EDITED item \d+ was edited in the CMS since: title/,
  );
  expect(printed.stdout).toMatch(/The next run of talks makes these changes again/);
  expect((await runHere(['status'], site.variables)).stdout).toContain('success, partly undone');
  const { runs } = (await runHere(['runs', '--json'], site.variables)).json<{ runs: PastRun[] }>();
  const [undoing, planned, undone] = runs;
  expect(undone).toMatchObject({ run: first, status: 'success', undonePartly: true, undoneBy: undoing?.run });
  // The clock of a plan stops when it was shown.
  expect(planned).toMatchObject({ kind: 'plan', status: 'planned', finishedAt: expect.any(String) });
  // Items that are deleted by now still have their titles.
  const titles = (await planUndo(site, first)).skipped.map(({ title }) => title);
  expect(titles).toEqual([
    expect.stringMatching(/^\w+, 2027-/),
    expect.anything(),
    expect.stringMatching(/^\w+, 2027-/),
  ]);
  const again = await runHere(['undo', first, '--json'], site.variables);
  expect(again.json()).toMatchObject({
    runs: [
      {
        status: 'partial',
        undoes: first,
        counts: { read: 3, skipped: 3 },
        skipped: [
          { key: 'T1', code: 'FF_UNDO_LATER' },
          { key: 'T2', code: 'FF_UNDO_EDITED' },
          { key: 'T3', code: 'FF_UNDO_LATER' },
        ],
      },
    ],
  });
});

test('After the undo of a moved event, the ledger has its former day and asks for the whole event', async () => {
  const { site: opened } = await publishedSite();
  await using site = opened;
  const [maps = '', ships = '', tides = ''] = talks;
  writeIllustratedTalks(site, maps, ships.replace('03-02', '03-09'), tides);
  const content = () => site.withContext(({ ledger }) => ledger.records.content('talks', 'T2'));
  const moved = await synced(site);
  expect(await content()).toMatchObject({ startsOn: '2027-03-09' });
  expect(await undo(site, moved)).toMatchObject({ status: 'success' });
  const desired = { title: 'Ships', date: '2027-03-02' };
  expect(await content()).toMatchObject({ startsOn: '2027-03-02', desired, delivered: desired });
});
