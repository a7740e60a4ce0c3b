import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { planRun } from '../../../src/sync/runs/plan-run.ts';
import { ledgerTables } from '../../support/ledger-tables.ts';
import { either } from '../in-turn.ts';
import { runHere } from '../run-here.ts';
import { openSite, type Site, simplest } from '../site.ts';

const TALKS = [
  { id: 'T1', title: 'Maps', day: '2027-03-01' },
  { id: 'T2', title: 'Ships', day: '2027-03-02' },
];

function writeTalks(site: Site, name: string, talks: readonly object[] = TALKS, more = ''): void {
  site.write(
    `syncs/${name}.yaml`,
    `resource: events
source: { connector: json, url: ./feeds/talks.json }
key: id
map: { title: title, date: day, time.start: { value: "18:00" } }
${more}`,
  );
  site.write('syncs/feeds/talks.json', JSON.stringify(talks));
}

/** The file of the sync "old" is gone; there is another sync. */
async function siteWithOrphans(engines = simplest): Promise<Site> {
  const site = await openSite(engines);
  writeTalks(site, 'old');
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 2 } }]);
  rmSync(join(site.dir, 'config/syncs/old.yaml'));
  site.write(
    'syncs/people.yaml',
    'resource: accounts\nsource: { connector: json, url: ./feeds/people.json }\nkey: id\nmap: { email: email }\n',
  );
  site.write('syncs/feeds/people.json', '[]');
  site.writes();
  return site;
}

const events = (site: Site) => site.items('calendar/events', '&sort=+id');
const marks = async (site: Site) => (await events(site)).map(({ source_key }) => source_key);

describe.each(either(0))('A sync without a file on $ledger and $queue', (engines) => {
  test('Its items are listed by status and deleted by purge', async () => {
    await using site = await siteWithOrphans(engines);
    const status = await runHere(['status', '--json'], site.variables);
    expect(status.json()).toMatchObject({ syncs: [{ sync: 'people' }], orphans: [{ sync: 'old', items: 2 }] });
    const shown = await runHere(['status'], site.variables);
    expect(shown.stdout).toContain('old: There is no sync file, but 2 items are in the CMS.');
    expect(shown.stdout).toContain('feedferry purge old');
    expect(shown.stdout).toContain('feedferry release old');

    const listed = await runHere(['purge', 'old', '--dry-run', '--json'], site.variables);
    expect(listed.json()).toMatchObject({ sync: 'old', deletes: 2, adopted: 0, items: [{ key: 'T1' }, { key: 'T2' }] });
    const purged = await runHere(['purge', 'old', '--json'], site.variables);
    expect(purged).toMatchObject({ exitCode: 0 });
    expect(purged.json()).toMatchObject({ runs: [{ sync: 'old', status: 'success', counts: { deleted: 2 } }] });
    expect(await events(site)).toEqual([]);
    expect((await runHere(['status', '--json'], site.variables)).json()).toMatchObject({ orphans: [] });
    expect(await runHere(['purge', 'old'], site.variables)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('FF_SYNC_UNKNOWN'),
    });
  });

  test('Release forgets its records and leaves the items', async () => {
    await using site = await siteWithOrphans(engines);
    const listed = await runHere(['release', 'old', '--dry-run', '--json'], site.variables);
    expect(listed.json()).toMatchObject({ sync: 'old', releases: [{ key: 'T1' }, { key: 'T2' }] });
    const released = await runHere(['release', 'old', '--json'], site.variables);
    expect(released).toMatchObject({ exitCode: 0 });
    expect(released.json()).toMatchObject({ runs: [{ sync: 'old', status: 'success', released: ['T1', 'T2'] }] });
    expect(await events(site)).toHaveLength(2);
    expect(site.writes()).toEqual({});
    expect((await runHere(['status', '--json'], site.variables)).json()).toMatchObject({ orphans: [] });
    expect(await runHere(['release', 'old'], site.variables)).toMatchObject({ exitCode: 2 });
  });
});

describe('A renamed sync', () => {
  test.each(either(1))(
    'It takes over the records, and rewrites each mark with the next change of its item, on $ledger with $queue',
    async (engines) => {
      await using site = await siteWithOrphans(engines);
      writeTalks(site, 'new', TALKS, 'renamedFrom: old\n');
      const before = await ledgerTables(site.variables);
      const plan = await site.withContext(planRun, { sync: 'new' });
      expect(plan).toMatchObject({ sync: 'new', status: 'planned', creates: 0, updates: 0, counts: { unchanged: 2 } });
      expect(await ledgerTables(site.variables, { without: plan.run })).toEqual(before);
      expect(await site.sync(['new'])).toMatchObject([{ status: 'success', counts: { unchanged: 2 } }]);
      expect(site.writes()).toEqual({});
      expect(await marks(site)).toEqual(['old:T1', 'old:T2']);
      expect((await runHere(['status', '--json'], site.variables)).json()).toMatchObject({ orphans: [] });

      writeTalks(site, 'new', [{ ...TALKS[0], title: 'New Maps' }, ...TALKS.slice(1)], 'renamedFrom: old\n');
      expect(await site.sync(['new'])).toMatchObject([{ status: 'success', counts: { updated: 1, unchanged: 1 } }]);
      expect(await marks(site)).toEqual(['new:T1', 'old:T2']);
      expect(await events(site)).toHaveLength(2);
      expect((await site.explain('new', 'T1')).history).toHaveLength(2);
    },
  );

  test('What an unconfirmed create of the old name has left is found', async () => {
    await using site = await openSite(simplest, {
      faults: { faults: [{ kind: 'reset', rate: 1, when: 'after', method: 'POST', times: 1 }] },
      target: '  maxAttempts: 1\n',
    });
    writeTalks(site, 'old', TALKS.slice(0, 1));
    expect(await site.sync()).toMatchObject([{ counts: { created: 0 } }]);
    expect(await marks(site)).toEqual(['old:T1']);
    rmSync(join(site.dir, 'config/syncs/old.yaml'));
    writeTalks(site, 'new', TALKS.slice(0, 1), 'renamedFrom: [old, older]\n');
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1 } }]);
    expect(await marks(site)).toEqual(['new:T1']);
  });
});

test('A plan does not take over records that would have other keys, and says so', async () => {
  await using site = await siteWithOrphans();
  site.write(
    'syncs/all.yaml',
    `resource: events
sources:
  talks: { connector: json, url: ./feeds/talks.json, renamedFrom: old }
  more: { connector: json, url: ./feeds/people.json }
key: id
map: { title: title, date: day, time.start: { value: "18:00" } }
`,
  );
  const before = await ledgerTables(site.variables);
  const plan = await site.withContext(planRun, { sync: 'all' });
  expect(plan).toMatchObject({ status: 'failed', error: { code: 'FF_PLAN_RENAMED' } });
  expect(await ledgerTables(site.variables, { without: plan.run })).toEqual(before);
  expect(await site.sync(['all'])).toMatchObject([{ status: 'success', counts: { unchanged: 2 } }]);
  expect(await site.withContext(planRun, { sync: 'all' })).toMatchObject({ status: 'planned', creates: 0 });
});

test('A sync cannot take over the records of one that still has a file', async () => {
  await using site = await siteWithOrphans();
  writeTalks(site, 'old');
  writeTalks(site, 'new', TALKS, 'renamedFrom: old\n');
  const { exitCode, stderr, stdout } = await runHere(['validate'], site.variables);
  expect(exitCode).toBe(2);
  expect(stdout + stderr).toMatch(/new\.yaml:5:\d+: .*"old"/);
});
