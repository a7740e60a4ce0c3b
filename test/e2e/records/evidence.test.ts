import { describe, expect, test } from 'vitest';
import { setFaults, threeTalks, writeTalks, writeTalksSync } from '../fixtures.ts';
import { either } from '../in-turn.ts';
import { runHere } from '../run-here.ts';
import { openSite, type Site, simplest } from '../site.ts';

const TARGET = { target: '  maxAttempts: 2\n  maxBackoff: 201ms\n' };
const LATER = ['T1,Old maps,2027-03-01,18:00', 'T2,Old ships,2027-03-02,10:00', 'T3,Tides,2027-03-03,10:00'];
const COLUMNS = 'id,title,date,start,place';
const MAP = 'title: title, date: date, time.start: start, location: place';
const withPlaces = (rows: readonly string[]) => rows.map((row) => `${row},Hall of ${row.slice(0, 2)}`);

function writePlaces(site: Site, rows: readonly string[] = threeTalks): void {
  writeTalksSync(site, '', { map: MAP });
  writeTalks(site, withPlaces(rows), { columns: COLUMNS });
}

function writesOf(site: Site): Record<string, number> {
  return site.sandbox.stats().requests;
}

describe.each(either(1))('With $ledger and $queue', (engines) => {
  test('A PATCH that the CMS answers and does not apply is tried again, and then fails', async () => {
    await using site = await openSite(engines, TARGET);
    writeTalksSync(site);
    writeTalks(site, threeTalks);
    await site.sync();
    await setFaults(site, { kind: 'unapplied', method: 'PATCH' });
    writeTalks(site, LATER);
    const [run] = await site.sync();
    expect(run).toMatchObject({ status: 'partial', counts: { updated: 0, failed: 2, unchanged: 1 } });
    expect(run?.problems).toMatchObject([
      { key: 'T1', code: 'FF_CMS_NOT_TAKEN', reason: expect.stringMatching(/did not take title of "T1"/) },
      {},
    ]);
    expect((await site.explain('talks', 'T1')).verdict.is).toBe('update');
    const [again] = await site.sync();
    expect(again).toMatchObject({ status: 'partial', counts: { failed: 2 } });
    await setFaults(site);
    const [fixed] = await site.sync();
    expect(fixed).toMatchObject({ status: 'success', counts: { updated: 2 } });
  });
});

test('A PATCH whose answer shows the sent values, but that is not applied, is found by verify', async () => {
  await using site = await openSite(simplest, TARGET);
  writeTalksSync(site);
  writeTalks(site, threeTalks);
  await site.sync();
  await setFaults(site, { kind: 'unapplied', shows: 'sent', method: 'PATCH' });
  writeTalks(site, LATER);
  await site.sync();
  const verified = await runHere(['verify', '--json'], site.variables);
  expect(verified.exitCode).toBe(3);
});

test('A PATCH that is applied, but answered with the old item, is read once and counts', async () => {
  await using site = await openSite(simplest, TARGET);
  writeTalksSync(site);
  writeTalks(site, threeTalks);
  await site.sync();
  await setFaults(site, { kind: 'staleAnswer', method: 'PATCH' });
  writeTalks(site, LATER);
  const [run] = await site.sync();
  expect(run).toMatchObject({ status: 'success', counts: { updated: 2 } });
  expect(site.writes()).toMatchObject({ 'PATCH /calendar/events/:id': 2 });
});

test('Answers that have only the id are completed by a look at the item', async () => {
  await using site = await openSite(simplest, { ...TARGET, switches: { answers: 'id' } });
  writeTalksSync(site);
  writeTalks(site, threeTalks);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 3 } }]);
  writeTalks(site, LATER);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 2, unchanged: 1 } }]);
  expect((await runHere(['verify'], site.variables)).exitCode).toBe(0);
});

test('An attribute that the CMS ignores is a warning of the run, and unverified', async () => {
  await using site = await openSite(simplest, { ...TARGET, switches: { attributes: ['source_key'] } });
  const rows = Array.from({ length: 12 }, (_, index) => `T${index + 10},Talk ${index},2027-03-01,${index + 10}:00`);
  writePlaces(site, rows);
  const [run] = await site.sync();
  expect(run).toMatchObject({ status: 'success', counts: { created: 12 } });
  const warning = { message: expect.stringContaining('`location` is ignored by the CMS: 12 of 12') };
  expect(run?.warnings).toMatchObject([warning]);

  site.writes();
  writePlaces(site, rows.toReversed());
  expect(await site.sync()).toMatchObject([{ counts: { unchanged: 12 }, warnings: [warning] }]);
  expect(site.writes()).toEqual({});

  const verified = await runHere(['verify', '--json'], site.variables);
  expect(verified.exitCode).toBe(3);
  expect(verified.json()).toMatchObject({
    verified: [
      {
        inSync: 0,
        drift: [],
        unverified: [{ attribute: 'location', items: 12 }],
        certificate: { proven: false, reason: expect.stringContaining('location'), counts: { unverified: 12 } },
      },
    ],
  });
  expect((await site.explain('talks', 'T10')).verdict.why).toMatch(
    /^The last delivery \(.*\) matches the source, except location/,
  );
  const doctor = await runHere(['doctor', '--json'], site.variables);
  const { findings: all } = doctor.json() as { findings: Array<{ check: string }> };
  const findings = all.filter(({ check }) => check === 'cms.habits');
  expect(findings).toMatchObject([
    { check: 'cms.habits', is: 'warning', message: expect.stringContaining('location') },
  ]);
});

test('An attribute that one item lacks and others have is not taken', async () => {
  await using site = await openSite(simplest, TARGET);
  writePlaces(site);
  await site.sync();
  await setFaults(site, { kind: 'unapplied', method: 'PATCH' });
  writePlaces(site, ['T1,Maps,2027-03-01,19:00', 'T4,Winds,2027-03-04,10:00']);
  const [run] = await site.sync();
  expect(run).toMatchObject({ status: 'partial', counts: { created: 1, failed: 1 } });
  expect(run?.problems).toMatchObject([{ code: 'FF_CMS_NOT_TAKEN', reason: expect.stringContaining('time.start') }]);
});

test('An update that adds the first text of all is not taken, rather than ignored', async () => {
  await using site = await openSite(simplest, TARGET);
  const map = 'title: title, date: date, time.start: start, description: place';
  writeTalksSync(site, '', { map });
  writeTalks(
    site,
    threeTalks.map((row) => `${row},`),
    { columns: COLUMNS },
  );
  await site.sync();
  await setFaults(site, { kind: 'unapplied', method: 'PATCH' });
  writeTalks(site, withPlaces(threeTalks), { columns: COLUMNS });
  expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { failed: 3 } }]);
});

test('A CMS that empties what a PATCH does not send is stopped, and its item restored', async () => {
  await using site = await openSite(simplest, { ...TARGET, switches: { patchUnsent: 'clears' } });
  writePlaces(site);
  await site.sync();
  const before = await site.items('calendar/events');
  const changed = threeTalks.map((row) => row.replace('2027-03-0', '2027-04-0'));
  writePlaces(site, changed);
  const [run] = await site.sync();
  expect(run).toMatchObject({
    status: 'failed',
    error: { code: 'FF_CMS_PATCH_REPLACES', message: expect.stringMatching(/title.*They were restored/) },
  });
  expect(writesOf(site)['PATCH /calendar/events/:id']).toBe(2);
  expect(await site.sync()).toMatchObject([{ status: 'failed', error: { code: 'FF_CMS_PATCH_REPLACES' } }]);
  // The update of the same item is tried again, which shows that nothing has changed. No other item is touched.
  expect(writesOf(site)['PATCH /calendar/events/:id']).toBe(4);
  const after = await site.items('calendar/events');
  expect(after.map(({ title, location }) => [title, location])).toEqual(
    before.map(({ title, location }) => [title, location]),
  );
});

test('What a PATCH in doubt has emptied is sent again', async () => {
  await using site = await openSite(simplest, { ...TARGET, switches: { patchUnsent: 'clears' } });
  writePlaces(site, threeTalks.slice(0, 1));
  await site.sync();
  // The PATCH is applied and answered, but the item cannot be read after it.
  await setFaults(site, { kind: 'error', method: 'GET', route: '/calendar/events/:id', skip: 1 });
  writePlaces(site, ['T1,Old maps,2027-03-01,18:00']);
  expect(await site.sync()).toMatchObject([{ counts: { updated: 0 } }]);
  await setFaults(site);
  await site.sync();
  expect(await site.items('calendar/events')).toMatchObject([{ title: 'Old maps', location: 'Hall of T1' }]);
});
