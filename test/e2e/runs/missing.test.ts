import { describe, expect, test } from 'vitest';
import { systemRuntime } from '../../../src/core/runtime/runtime.ts';
import { syncRun } from '../../../src/sync/runs/sync-run.ts';
import { setFaults, writeTalks, writeTalksSync } from '../fixtures.ts';
import { either } from '../in-turn.ts';
import { runHere } from '../run-here.ts';
import { type Engines, openSite, type Site, simplest } from '../site.ts';

const ROWS = ['1,Old Maps', '2,Tea', '3,Choir', '4,Ruins', '5,Chess'];

describe.each(either(1))('Missing records on $ledger with $queue', (engines) => {
  test('Missing records are deleted after the configured number of complete readings, and come back as new items', async () => {
    await using site = await openTalks('{ policy: delete, after: 2 runs }', { engines });
    await site.sync();

    writeRows(site, ROWS.slice(1));
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { read: 4, missing: 1, deleted: 0 } }]);
    // What could not be read whole counts for nothing.
    site.write('syncs/feeds/talks.csv', 'id,title,date,start\n2,"Tea,2031-03-01,18:00\n');
    await site.sync();
    writeRows(site, ROWS.slice(1));
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { missing: 1, deleted: 1, unchanged: 4 } }]);
    expect(await titles(site)).toEqual(['Chess', 'Choir', 'Ruins', 'Tea']);
    expect(site.writes()).toMatchObject({ 'DELETE /calendar/events/:id': 1 });
    expect((await site.explain('talks', '2')).verdict.is).toBe('unchanged');

    expect(await site.sync()).toMatchObject([{ counts: { missing: 0, deleted: 0, unchanged: 4 } }]);
    expect(site.writes()).toEqual({});
    writeRows(site, ROWS);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1, unchanged: 4 } }]);
    expect(await titles(site)).toEqual(['Chess', 'Choir', 'Old Maps', 'Ruins', 'Tea']);
  });

  test('Missing records are marked, and come back under the same id, as they were before', async () => {
    await using site = await openTalks('{ policy: set, set: { notice: Cancelled, isFeatured: true } }', { engines });
    await site.sync();
    const before = await named(site, 'Old Maps');
    await site.request('PATCH', `api/v1/calendar/events/${before?.id}`, { notice: 'Bring a pen' });

    writeRows(site, ROWS.slice(1));
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { missing: 1, marked: 1, deleted: 0 } }]);
    expect(await named(site, 'Old Maps')).toMatchObject({ id: before?.id, notice: 'Cancelled', isFeatured: true });
    expect((await site.explain('talks', '1')).verdict.next).toContain('stays marked as missing');
    site.writes();
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { missing: 0, marked: 0 } }]);
    expect(site.writes()).toEqual({});

    writeRows(site, ROWS);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 1, unchanged: 4 } }]);
    expect(await named(site, 'Old Maps')).toMatchObject({ id: before?.id, notice: 'Bring a pen', isFeatured: false });
    expect(await site.sync()).toMatchObject([{ counts: { unchanged: 5 } }]);
  });

  test('A mark that was not sent leaves nothing if the record returns before', async () => {
    await using site = await openTalks('{ policy: set, set: { notice: Cancelled }, after: 1 run }', { engines });
    await site.sync();
    const desired = () =>
      site.withApp(({ ledger }) => ledger.records.content('talks', '1').then((all) => all?.desired));
    const wanted = await desired();
    writeRows(site, ROWS.slice(1));
    await setFaults(site, { kind: 'error', status: 400, method: 'GET', route: '/calendar/events/:id' });
    expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { marked: 0, unremoved: 1 } }]);
    expect(await desired()).toMatchObject({ notice: 'Cancelled' });
    await setFaults(site);
    writeRows(site, ROWS);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 5 } }]);
    expect(await desired()).toEqual(wanted);
    expect(await named(site, 'Old Maps')).not.toHaveProperty('notice', 'Cancelled');
  });

  test('Too many missing records hold the run until exactly that set is approved', async () => {
    await using site = await openTalks('{ policy: delete, after: 1 run }', { engines });
    await site.sync();
    site.writes();

    writeRows(site, ROWS.slice(2));
    const [first] = await site.sync();
    expect(first).toMatchObject({ status: 'held', counts: { missing: 2 }, error: { code: 'FF_GUARD_MISSING' } });
    expect(site.writes()).toEqual({});

    // Another set: the first approval is void.
    writeRows(site, ROWS.slice(3));
    const [second] = await site.sync();
    await expect(site.approve('talks', String(first?.run))).rejects.toMatchObject({ code: 'FF_APPROVE_STALE' });
    // The same set once more, and something new beside it.
    writeRows(site, [...ROWS.slice(3), '6,Dance']);
    expect(await site.sync()).toMatchObject([{ status: 'held' }]);
    expect(await site.approve('talks', String(second?.run))).toMatchObject({
      status: 'success',
      counts: { read: 3, created: 1, unchanged: 2, missing: 3, deleted: 3 },
    });
    expect(await titles(site)).toEqual(['Chess', 'Dance', 'Ruins']);
    await expect(site.approve('talks', String(second?.run))).rejects.toMatchObject({ code: 'FF_APPROVE_STALE' });
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 3, missing: 0 } }]);
  });
});

test('A feed that breaks, empties, halves and recovers deletes nothing', async () => {
  await using site = await openTalks('{ policy: delete, after: 1 run }');
  await site.sync();
  site.writes();

  site.write('syncs/feeds/talks.csv', 'this is no feed of talks');
  expect(await site.sync()).toMatchObject([{ status: 'failed' }]);
  writeRows(site, []);
  expect(await site.sync()).toMatchObject([{ status: 'held', error: { code: 'FF_GUARD_EMPTY' } }]);
  const [empty] = await site.withApp((app) => app.ledger.runs.newest({ limit: 1 }));
  await expect(site.approve('talks', String(empty?.run))).rejects.toMatchObject({ code: 'FF_APPROVE_NOT_HELD' });
  writeRows(site, ROWS.slice(3));
  const [halved] = await site.sync();
  expect(halved).toMatchObject({ status: 'held', error: { code: 'FF_GUARD_MISSING' } });
  writeRows(site, ROWS);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 5, missing: 0 } }]);
  await expect(site.approve('talks', String(halved?.run))).rejects.toMatchObject({ code: 'FF_APPROVE_STALE' });
  expect(site.writes()).toEqual({});
});

test('An approval is busy, not stale, while another run is about to be held for the same records', async () => {
  await using site = await openTalks('{ policy: delete, after: 1 run }');
  await site.sync();
  writeRows(site, ROWS.slice(2));
  const [held] = await site.sync();
  await site.withApp(async ({ ledger }) => {
    const next = await ledger.runs.begin('talks', 'run');
    await ledger.plans.keepHeld(next, ['delete']);
    await expect(site.approve('talks', String(held?.run))).rejects.toMatchObject({ code: 'FF_RUN_BUSY' });
    await ledger.runs.finish(next, { status: 'failed', code: 'FF_RUN_INTERRUPTED', message: '' });
  });
  // The other run was not held: the plan is still that of the first one.
  expect(await site.approve('talks', String(held?.run))).toMatchObject({ counts: { deleted: 2 } });
});

test.each(either(0))(
  'Only records within the window of the feed can be missing, and past events cannot, on $ledger with $queue',
  async (engines) => {
    await using site = await openTalks('{ policy: delete, after: 1 run, threshold: { percent: 100 } }', {
      engines,
      window: '{ from: 2020-01-01, to: 2031-12-31 }',
    });
    writeRows(site, ['1,Over,2021-03-01', '2,Coming,2031-03-01', '3,Far,2031-12-30']);
    await site.sync();
    writeSync(
      site,
      '{ policy: delete, after: 1 run, threshold: { percent: 100 } }',
      '{ from: 2020-01-01, to: 2031-06-30 }',
    );
    writeRows(site, ['4,New,2031-04-01']);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { missing: 1, deleted: 1, created: 1 } }]);
    expect(await titles(site)).toEqual(['Far', 'New', 'Over']);

    writeSync(
      site,
      '{ policy: delete, after: 1 run, pastEvents: include, threshold: { percent: 100 } }',
      '{ to: 2031-06-30 }',
    );
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { missing: 1, deleted: 1 } }]);
    expect(await titles(site)).toEqual(['Far', 'New']);
  },
);

describe.each(either(0))('Events that are over on $ledger with $queue', (engines) => {
  test.each(['delete, after: 1 run', 'set, set: { notice: Gone }, after: 1 run', 'keep'])(
    'An event that is over is not missing, to the minute by the clock of the site (%s)',
    async (policy) => {
      await using site = await openSite(engines);
      const missing = `missing: { policy: ${policy}${policy === 'keep' ? '' : ', threshold: { percent: 100 }'} }`;
      writeTalksSync(site, missing, { map: 'title: title, start: start, end: end' });
      const write = (rows: string[]) => writeTalks(site, rows, { columns: 'id,title,start,end' });
      const [concert, party, fair, lasting] = [
        '1,Concert,2031-03-01 16:00,2031-03-01 18:00',
        '2,Party,2031-03-01 22:00,2031-03-02 02:00',
        '3,Fair,2031-03-01,',
        '4,Show,2031-02-20 10:00,2031-03-01 17:00',
      ];
      write([concert, party, fair, lasting, '5,Later,2031-04-01 10:00,2031-04-01 11:00']);
      await syncAt(site, '2031-03-01T12:00:00-05:00');
      const left = ['5,Later,2031-04-01 10:00,2031-04-01 11:00'];
      write([...left, party, fair]);
      expect(await syncAt(site, '2031-03-01T20:00:00-05:00')).toMatchObject({ counts: { missing: 0, deleted: 0 } });
      write(left);
      expect(await syncAt(site, '2031-03-02T03:00:00-05:00')).toMatchObject({ counts: { missing: 0, deleted: 0 } });
      expect(await titles(site)).toEqual(['Concert', 'Fair', 'Later', 'Party', 'Show']);
      expect(site.writes()).toEqual({ 'POST /calendar/events': 5 });
    },
  );

  test('An event that is not over yet is missing, to the minute by the clock of the site', async () => {
    await using site = await openSite(engines);
    writeTalksSync(site, 'missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }', {
      map: 'title: title, date: day, time.start: start, time.end: end',
    });
    const write = (rows: string[]) => writeTalks(site, rows, { columns: 'id,title,day,start,end' });
    const later = '5,Later,2031-04-01,10:00,11:00';
    // One ends after midnight, although its source names only the day of its start.
    write([later, '1,Concert,2031-03-01,16:00,18:00', '2,Party,2031-03-01,22:00,02:00']);
    await syncAt(site, '2031-03-01T12:00:00-05:00');
    write([later, '2,Party,2031-03-01,22:00,02:00']);
    expect(await syncAt(site, '2031-03-01T17:59:00-05:00')).toMatchObject({ counts: { missing: 1, deleted: 1 } });
    write([later]);
    expect(await syncAt(site, '2031-03-02T01:59:00-05:00')).toMatchObject({ counts: { missing: 1, deleted: 1 } });
    expect(await titles(site)).toEqual(['Later']);
  });
});

test('A failed delete is tried again, and reported if it keeps failing', async () => {
  await using site = await openTalks('{ policy: delete, after: 1 run, threshold: { percent: 50 } }', {
    maxAttempts: 2,
  });
  await site.sync();
  writeRows(site, ROWS.slice(1));
  // Applied, and answered with an error: the second try finds it gone.
  await strikeDeletes(site, [{ when: 'after', times: 1 }]);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { deleted: 1, unremoved: 0 } }]);

  writeRows(site, ROWS.slice(2));
  await strikeDeletes(site, [{ when: 'before', times: 9 }]);
  const [refused] = await site.sync();
  expect(refused).toMatchObject({ status: 'partial', counts: { missing: 1, deleted: 0, unremoved: 1, failed: 0 } });
  expect(refused?.problems).toMatchObject([{ key: '2', code: 'FF_CMS_SERVER' }]);
  await strikeDeletes(site, []);
  expect(await site.retry('talks')).toMatchObject({ status: 'success', counts: { read: 0, missing: 1, deleted: 1 } });
  expect(await titles(site)).toEqual(['Chess', 'Choir', 'Ruins']);
});

test('A record that comes back while its delete is unconfirmed exists once in the end', async () => {
  await using site = await openTalks('{ policy: delete, after: 1 run }', { maxAttempts: 1 });
  await site.sync();
  writeRows(site, ROWS.slice(1));
  await strikeDeletes(site, [{ when: 'before', times: 9 }]);
  expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { unremoved: 1 } }]);
  // One of them was applied after all.
  await strikeDeletes(site, []);
  await site.request('DELETE', `api/v1/calendar/events/${(await named(site, 'Old Maps'))?.id}`);
  writeRows(site, ROWS);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { read: 5, unchanged: 4, created: 1 } }]);
  expect(await titles(site)).toEqual(['Chess', 'Choir', 'Old Maps', 'Ruins', 'Tea']);
});

test.each([
  ['delete, after: 1 run', []],
  ['set, set: { notice: Gone }', ['Gone']],
])(
  'The item of an unconfirmed create is found and removed or marked when its record is missing (%s)',
  async (policy, notices) => {
    await using site = await openTalks(`{ policy: ${policy} }`, { maxAttempts: 1 });
    await site.sync();
    await setFaults(site, { kind: 'reset', method: 'POST', when: 'after' });
    writeRows(site, [...ROWS, '6,Opera']);
    expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { held: 1 } }]);
    await setFaults(site);
    expect(await named(site, 'Opera')).toBeDefined();

    writeRows(site, ROWS);
    expect(await site.sync()).toMatchObject([
      { status: 'success', counts: { missing: 1, unremoved: 0, unchanged: 5 } },
    ]);
    const left = (await site.items('calendar/events')).filter(({ title }) => title === 'Opera');
    expect(left.map(({ notice }) => notice)).toEqual(notices);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { missing: 0, unchanged: 5 } }]);
    writeRows(site, [...ROWS, '6,Opera']);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 5 } }]);
    expect((await named(site, 'Opera'))?.notice ?? '').toBe('');
  },
);

async function openTalks(
  missing: string,
  { window, maxAttempts, engines = simplest }: { window?: string; maxAttempts?: number; engines?: Engines } = {},
): Promise<Site> {
  const site = await openSite(engines, maxAttempts ? { target: `  maxAttempts: ${maxAttempts}\n` } : {});
  writeSync(site, missing, window);
  writeRows(site, ROWS);
  return site;
}

function writeSync(site: Site, missing: string, window?: string): void {
  writeTalksSync(site, `missing: ${missing}\n${window ? `window: ${window}` : ''}`);
}

/** `id,title`, and a date where it is not the usual one. */
function writeRows(site: Site, rows: readonly string[]): void {
  const lines = rows.map((row) => (row.split(',').length > 2 ? `${row},18:00` : `${row},2031-03-01,18:00`));
  writeTalks(site, lines);
}

/** Runs the only sync while the clock shows this instant. */
function syncAt(site: Site, instant: string) {
  return site.withApp(
    async (app) => {
      const [sync] = app.config.syncs;
      return sync && syncRun(app.contextOf(sync, { signal: new AbortController().signal }));
    },
    { runtime: { ...systemRuntime, now: () => Date.parse(instant) } },
  );
}

async function titles(site: Site): Promise<unknown[]> {
  return (await site.items('calendar/events')).map(({ title }) => title).sort();
}

async function named(site: Site, title: string) {
  return (await site.items('calendar/events')).find((item) => item.title === title);
}

/** Deletes meet these errors, one after the other: before or after they were applied. */
async function strikeDeletes(site: Site, faults: Array<{ when: 'before' | 'after'; times: number }>): Promise<void> {
  await setFaults(site, ...faults.map((fault) => ({ kind: 'error', method: 'DELETE', ...fault })));
}

test('The command line lists pending approvals, shows them in the status, and approves them', async () => {
  await using site = await openTalks('{ policy: delete, after: 1 run }');
  await site.sync();
  writeRows(site, ROWS.slice(2));
  const [held] = await site.sync();

  const listed = await runHere(['approve', '--list', String(held?.run), '--json'], site.variables);
  expect(listed.json()).toMatchObject({
    plans: [
      {
        run: held?.run,
        sync: 'talks',
        error: { code: 'FF_GUARD_MISSING' },
        items: [
          { key: '1', op: 'delete', cmsId: expect.any(Number), title: expect.stringContaining('Old Maps') },
          { key: '2', op: 'delete', title: expect.stringContaining('Tea') },
        ],
      },
    ],
  });
  const approved = await runHere(['approve', String(held?.run), '--json'], site.variables);
  expect(approved).toMatchObject({ exitCode: 0 });
  expect(approved.json()).toMatchObject({ runs: [{ sync: 'talks', status: 'success', counts: { deleted: 2 } }] });
  expect((await runHere(['approve', String(held?.run)], site.variables)).stderr).toContain('FF_APPROVE_STALE');
  expect((await runHere(['approve', '--list'], site.variables)).stdout).toBe('No plan waits for approval.\n');
});
