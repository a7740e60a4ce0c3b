import { describe, expect, test } from 'vitest';
import { planRun } from '../../../src/sync/runs/plan-run.ts';
import { setFaults, writeTalks, writeTalksSync } from '../fixtures.ts';
import { runHere } from '../run-here.ts';
import { type Item, openSite, type Site, simplest } from '../site.ts';

// No event is on the site twice, whichever syncs and editors bring it.

const talk = (id: number | string, day = id) => `T${id},Talk ${id},2027-03-${String(day).padStart(2, '0')},18:00`;
const talks = (...ids: number[]) => ids.map((id) => talk(id));
const copies = (rows: readonly string[]) => rows.map((row) => row.replace(/^T/, 'C'));

const events = (site: Site) => site.items('calendar/events', '&sort=+id');

/** Two syncs with the same talks under other keys; the first has delivered. */
async function siteWithTalks(rows: readonly string[], more = ''): Promise<Site> {
  const site = await openSite(simplest);
  writeTalksSync(site);
  writeTalks(site, rows);
  await site.sync();
  writeTalksSync(site, more, { name: 'zcopy' });
  writeTalks(site, copies(rows), { name: 'zcopy' });
  return site;
}

async function post(site: Site, title: string, date: string, more: object = {}): Promise<Item> {
  const time = { start: '18:00:00', type: 'timed' };
  return site.request('POST', 'api/v1/calendar/events', { title, date, endDate: date, time, ...more });
}

const remove = (site: Site, id: number) => site.request('DELETE', `api/v1/calendar/events/${id}`);
const alike = { code: 'FF_RECORD_ALIKE', reason: expect.stringContaining('"T1" of the sync "talks"') };

describe('A second sync with the same events', () => {
  test.each(['', 'adopt: { match: [title, date] }\n'])(
    'Each record is held by itself and named, with "%s"',
    async (more) => {
      await using site = await siteWithTalks(talks(1, 2, 3, 4), more);
      writeTalks(site, [...copies(talks(1, 2, 3, 4)), 'N1,New,2027-03-09,10:00'], { name: 'zcopy' });
      const plan = await site.withContext(planRun, { sync: 'zcopy' });
      expect(plan).toMatchObject({ creates: 1, updates: 0, problems: { length: 4, 0: alike } });
      expect(plan.cost.reads).toBe(2);
      const [report] = await site.sync(['zcopy']);
      expect(report).toMatchObject({
        status: 'partial',
        counts: { read: 5, created: 1, held: 4 },
        problems: { length: 4, 0: alike },
      });
      expect(await site.sync(['zcopy'])).toMatchObject([{ counts: { unchanged: 1, held: 4 } }]);
      expect(await events(site)).toHaveLength(5);
      const { stdout } = await runHere(['status'], site.variables);
      expect(stdout).toMatch(/Talk 1, 2027-03-01 18:00 \(C1\): held FF_RECORD_ALIKE/);
      const { verdict } = await site.explain('zcopy', 'C1');
      expect(verdict.next).toMatch(/retry SYNC KEY --distinct/);
    },
  );

  test('A CMS that shows nothing does not prove that an event is gone', async () => {
    await using site = await siteWithTalks(talks(1, 2));
    await setFaults(site, { kind: 'emptyList' }, { kind: 'itemMissing' });
    expect(await site.sync(['zcopy'])).toMatchObject([{ counts: { held: 2, created: 0 } }]);
    await setFaults(site);
    await remove(site, 1);
    // The list shows the other one.
    expect(await site.sync(['zcopy'])).toMatchObject([{ counts: { held: 1, created: 1 } }]);
  });

  test('A few records are held, too, also after the first run', async () => {
    await using site = await siteWithTalks(talks(1));
    expect(await site.sync(['zcopy'])).toMatchObject([{ status: 'partial', counts: { held: 1, created: 0 } }]);
    const own = Array.from({ length: 9 }, (_, index) => talk(`9${index}`, 20));
    writeTalks(site, [...talks(1), ...own]);
    await site.sync(['talks']);
    writeTalks(site, copies([...talks(1), ...own]), { name: 'zcopy' });
    expect(await site.sync(['zcopy'])).toMatchObject([{ counts: { held: 10, created: 0 } }]);
    expect(await events(site)).toHaveLength(10);
  });

  test('The answer "distinct" creates them, and "same" skips them until one of them changes', async () => {
    await using site = await siteWithTalks(talks(1, 2, 3));
    await site.sync(['zcopy']);
    const distinct = await runHere(
      ['retry', 'zcopy', 'C1', '--distinct', '--note', 'two halls', '--json'],
      site.variables,
    );
    expect(distinct.json()).toMatchObject({ runs: [{ status: 'success', counts: { read: 1, created: 1 } }] });
    const same = await runHere(['retry', 'zcopy', '--same', '--json'], site.variables);
    expect(same.json()).toMatchObject({ runs: [{ status: 'success', counts: { read: 2, skipped: 2 } }] });
    expect(await site.sync(['zcopy'])).toMatchObject([
      { status: 'success', counts: { read: 3, unchanged: 1, skipped: 2, held: 0 }, problems: [] },
    ]);
    const story = await site.explain('zcopy', 'C2');
    expect(story).toMatchObject({ verdict: { is: 'skipped' }, answer: { answer: 'same', person: expect.any(String) } });

    // The source of the second sync renames one, that of the first drops the other.
    writeTalks(site, [talk(1), talk(2)].concat('T3,Third talk,2027-03-03,18:00'));
    await site.sync(['talks']);
    writeTalks(site, copies([talk(1), 'T2,Second talk,2027-03-02,18:00', talk(3)]), { name: 'zcopy' });
    expect(await site.sync(['zcopy'])).toMatchObject([{ status: 'success', counts: { unchanged: 1, created: 2 } }]);
    expect(await events(site)).toHaveLength(6);
  });

  test('A held record is created once its twin is gone', async () => {
    await using site = await siteWithTalks(talks(1, 2));
    await site.sync(['zcopy']);
    const [first] = await events(site);
    await remove(site, first?.id ?? 0);
    expect(await site.sync(['zcopy'])).toMatchObject([{ counts: { created: 1, held: 1 } }]);
    await runHere(['purge', 'talks', '--yes'], site.variables);
    expect(await site.sync(['zcopy'])).toMatchObject([{ counts: { created: 1, unchanged: 1 } }]);
    expect(await events(site)).toHaveLength(2);
  });

  test('Another place is another event, and "alike: allow" creates all', async () => {
    await using site = await openSite(simplest);
    const map = 'title: title, date: date, time.start: start, location: place';
    const columns = 'id,title,date,start,place';
    const row = (id: string, place: string) => `${id},Story time,2027-03-01,10:00,${place}`;
    writeTalksSync(site, '', { name: 'main', map });
    writeTalks(site, [row('M', 'Main library')], { name: 'main', columns });
    writeTalksSync(site, '', { name: 'north', map });
    writeTalks(site, [row('N1', 'North library'), row('N2', '"Main library, second floor"')], {
      name: 'north',
      columns,
    });
    await site.sync(['main']);
    expect(await site.sync(['north'])).toMatchObject([{ counts: { created: 1, held: 1 }, problems: [{ key: 'N2' }] }]);
    writeTalksSync(site, 'alike: allow', { name: 'north', map });
    expect(await site.sync(['north'])).toMatchObject([{ status: 'success', counts: { created: 1, unchanged: 1 } }]);
  });
});

test("A record that looks like an editor's item is held in every run, and can take it over", async () => {
  await using site = await openSite(simplest);
  writeTalksSync(site);
  writeTalks(site, talks(1));
  await site.sync();
  const item = await post(site, 'TALK 2', '2027-03-02');
  await post(site, 'Talk 5', '2027-03-05');
  writeTalks(site, talks(1, 2, 3));
  expect(await site.sync()).toMatchObject([
    {
      counts: { created: 1, held: 1 },
      problems: [{ key: 'T2', reason: expect.stringContaining(`--adopt ${item.id}`) }],
    },
  ]);
  await site.adopt('talks', 'T2', item.id);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 3 } }]);
});

test('A first run of three copied records is held', async () => {
  await using site = await openSite(simplest);
  for (const id of [1, 2, 3]) await post(site, `Talk ${id}`, `2027-03-0${id}`);
  writeTalksSync(site);
  writeTalks(site, talks(1, 2, 3));
  expect(await site.sync()).toMatchObject([{ counts: { held: 3, created: 0 } }]);
  expect((await runHere(['sync'], site.variables)).exitCode).toBe(3);
});

interface Found {
  verified: Array<{ sync: string; drift: Array<{ key: string; cmsId: number; remedy: string }> }>;
}

describe('Verify', () => {
  /** The copies are made while the sync allows that. */
  async function doubledSite(): Promise<Site> {
    const site = await siteWithTalks(talks(1, 2, 3), 'alike: allow');
    await site.sync(['zcopy']);
    expect(await events(site)).toHaveLength(6);
    return site;
  }
  const verify = (site: Site, ...options: string[]) => runHere(['verify', ...options, '--json'], site.variables);

  test('Items that look like those of another sync are named, and a repair leaves them to a person', async () => {
    await using site = await doubledSite();
    expect((await verify(site)).exitCode).toBe(0);
    writeTalksSync(site, '', { name: 'zcopy' });
    const [first, second] = await events(site);
    const own = (await site.explain('zcopy', 'C2')).record?.cmsId ?? 0;
    await site.request('PATCH', `api/v1/calendar/events/${own}`, { description: 'Added by an editor' });
    const { verified } = (await verify(site)).json<{ verified: Array<{ sync: string; drift: object[] }> }>();
    const doubled = (key: string, twin: string, cmsId: number | undefined) => ({
      ...{ key, cmsId: expect.any(Number), cause: 'doubled', attributes: [] },
      with: { sync: 'talks', key: twin, cmsId },
    });
    expect(verified.find(({ sync }) => sync === 'zcopy')?.drift).toMatchObject([
      doubled('C1', 'T1', first?.id),
      doubled('C2', 'T2', second?.id),
      doubled('C3', 'T3', expect.any(Number) as unknown as number),
    ]);
    expect(verified.find(({ sync }) => sync === 'talks')?.drift).toEqual([]);
    expect((await verify(site, 'talks')).json()).toMatchObject({ verified: [{ drift: { length: 3 } }] });

    const healed = await verify(site, '--heal');
    expect(healed.exitCode).toBe(3);
    expect(healed.json()).toMatchObject({ runs: [], remaining: [{ drift: [] }, { drift: { length: 3 } }] });
    expect(await events(site)).toHaveLength(6);

    // What the remedies say.
    const drift = verified.find(({ sync }) => sync === 'zcopy')?.drift as Array<{ cmsId: number; remedy: string }>;
    for (const { cmsId, remedy } of [drift[0], drift[2]].filter((each) => each !== undefined)) {
      expect(remedy).toContain(`delete item ${cmsId} in the CMS, then use \`feedferry verify zcopy --heal\``);
      await remove(site, cmsId);
    }
    const remaining = [{ drift: [{ key: 'C2', cause: 'doubled' }] }];
    expect((await verify(site, 'zcopy', '--heal')).json()).toMatchObject({ remaining });
    expect(await site.sync()).toMatchObject([{ counts: { unchanged: 3 } }, { counts: { unchanged: 1, skipped: 2 } }]);
    expect(drift[1]?.remedy).toContain('feedferry acknowledge zcopy "C2"');
    expect((await runHere(['acknowledge', 'zcopy', 'C2', '--note', 'two halls'], site.variables)).exitCode).toBe(0);
    expect((await verify(site)).json()).toMatchObject({ verified: [{ drift: [] }, remaining[0]] });
    expect(await events(site)).toHaveLength(4);
  });

  test('Records that a person calls distinct stay so when both change alike, and when they get other keys', async () => {
    await using site = await siteWithTalks(talks(1, 2, 3));
    await site.sync(['zcopy']);
    await runHere(['retry', 'zcopy', '--distinct'], site.variables);
    for (const [title, prefix] of [
      ['Lecture', 'C'],
      ['Reading', 'C'],
      ['Reading', 'D'],
    ] as const) {
      const rows = talks(1, 2, 3).map((row) => row.replace('Talk', title).replace('18:00', '19:00'));
      writeTalks(site, rows);
      writeTalks(
        site,
        copies(rows).map((row) => row.replace(/^C/, prefix)),
        { name: 'zcopy' },
      );
      expect(await site.sync()).toMatchObject([{ status: 'success' }, { status: 'success' }]);
      expect((await verify(site)).json()).toMatchObject({ verified: [{ drift: [] }, { drift: [] }] });
    }
    expect(await events(site)).toHaveLength(6);
  });

  test('If deleted items are created again, the remedy ends that first', async () => {
    await using site = await doubledSite();
    writeTalksSync(site, 'onDeletedInCms: recreate\n', { name: 'zcopy' });
    const [first] = (await verify(site, 'zcopy')).json<Found>().verified[0]?.drift ?? [];
    expect(first?.remedy).toContain(`write \`onDeletedInCms: leave\` in the sync file, delete item ${first?.cmsId}`);
    writeTalksSync(site, 'onDeletedInCms: leave\n', { name: 'zcopy' });
    await remove(site, first?.cmsId ?? 0);
    const { remaining } = (await verify(site, 'zcopy', '--heal')).json<{ remaining: Found['verified'] }>();
    expect(remaining[0]?.drift).toMatchObject([{ key: 'C2' }, { key: 'C3' }]);
    expect(await site.sync(['zcopy'])).toMatchObject([{ counts: { unchanged: 2, skipped: 1 } }]);
    expect(await events(site)).toHaveLength(5);
  });
});
