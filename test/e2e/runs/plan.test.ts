import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { planRun } from '../../../src/sync/runs/plan-run.ts';
import { ledgerTables } from '../../support/ledger-tables.ts';
import { writeTalksSync } from '../fixtures.ts';
import { runHere } from '../run-here.ts';
import { openSite, png, type Site, simplest } from '../site.ts';

const LONG = Array.from({ length: 30 }, (_, index) => `Sentence number ${index} of the description.`);

interface Planned {
  changes: Array<{ key: string; op: string; changed: string[]; differences: object[] }>;
  cost: object;
}

async function siteWithTalks(): Promise<Site> {
  const site = await openSite(simplest);
  writeTalksSync(site, 'attachments: { image: picture }', {
    source: 'connector: json, url: ./feeds/talks.json',
    map: 'title: title, date: date, time.start: start, description: text',
  });
  site.write('syncs/feeds/map.png', png(1));
  site.write('syncs/feeds/ship.png', png(2));
  return site;
}

function feed(site: Site, ...talks: object[]): void {
  site.write('syncs/feeds/talks.json', JSON.stringify(talks));
}

const syncFile = (site: Site) => readFileSync(join(site.dir, 'config/syncs/talks.yaml'), 'utf8');

const talk = {
  id: 'T1',
  title: 'Old Maps',
  date: '2027-03-01',
  start: '18:00',
  text: LONG.join('\n'),
  picture: 'map.png',
};

describe('If the CMS cannot be asked, a plan shows its changes and fails, with address, reason and remedy', () => {
  const troubles: Array<[string, Record<string, string>, string, string]> = [
    [
      'is not there',
      { CMS_BASE_URL: 'http://127.0.0.1:1' },
      'FF_CMS_UNREACHABLE',
      'start the CMS there: feedferry sandbox',
    ],
    ['refuses the token', { CMS_API_TOKEN: 'revoked' }, 'FF_CMS_UNAUTHORIZED', 'Create a token'],
  ];

  test.each(troubles)('It %s', async (_, change, code, remedy) => {
    await using site = await siteWithTalks();
    feed(site, talk);
    const variables = { ...site.variables, ...change };
    const created = await runHere(['plan', 'talks'], variables);
    expect(created).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('+ create T1 Old Maps') });
    expect(created.stderr).toContain(`${code} The CMS at ${variables.CMS_BASE_URL} could not be asked`);
    expect(created.stderr.replaceAll('`', '')).toContain(remedy);

    await runHere(['sync'], site.variables);
    feed(site, { ...talk, title: 'New Maps' });
    // A site at another address would be another site.
    if (change.CMS_BASE_URL) await site.sandbox.close();
    const later = change.CMS_BASE_URL ? site.variables : variables;
    const { exitCode, json } = await runHere(['plan', 'talks', '--json'], later);
    expect({ exitCode, plan: json() }).toMatchObject({
      exitCode: 1,
      plan: {
        status: 'failed',
        error: { code },
        changes: [{ key: 'T1', op: 'update' }],
        creates: 0,
        updates: 1,
        cost: {},
      },
    });
    // No change, no question.
    feed(site, talk);
    expect(await runHere(['plan', 'talks'], later)).toMatchObject({ exitCode: 0 });
  });
});

describe('The plan command', () => {
  test('A plan shows the main attributes of new records and the cost', async () => {
    await using site = await siteWithTalks();
    feed(site, talk, { ...talk, id: 'T2', title: 'Ships' });
    const { cost, changes } = (await runHere(['plan', 'talks', '--json'], site.variables)).json<Planned>();
    // Both have the same picture.
    expect(cost).toEqual({ creates: 2, patches: 0, deletes: 0, uploads: 1, reads: 2 });
    expect(changes[0]?.differences).toContainEqual({ attribute: 'title', to: 'Old Maps' });
    expect(changes[0]?.differences).toContainEqual({ attribute: 'image', to: 'map.png' });

    const { stdout } = await runHere(['plan', 'talks'], site.variables);
    expect(stdout).toMatch(/\+ create T1 Old Maps, 2027-03-01 18:00 \(/);
    expect(stdout).toMatch(/A run would send 5 requests: 2 POST, at most 1 for uploads, at least 2 for reads\./);
  });

  test('A plan shows old and new values of changed attributes, the changed part of long texts, and names of files', async () => {
    await using site = await siteWithTalks();
    feed(site, talk, { ...talk, id: 'T2' });
    await runHere(['sync'], site.variables);
    const lines = LONG.with(17, 'Another sentence.');
    feed(site, { ...talk, title: 'New Maps', text: lines.join('\n'), picture: 'ship.png' }, { ...talk, id: 'T2' });

    const { cost, changes } = (await runHere(['plan', 'talks', '--json'], site.variables)).json<Planned>();
    expect(cost).toEqual({ creates: 0, patches: 1, deletes: 0, uploads: 1, reads: 2 });
    expect(changes).toMatchObject([{ key: 'T1', op: 'update', changed: ['title', 'description', 'image'] }]);
    expect(changes[0]?.differences).toMatchObject([
      { attribute: 'title', from: 'Old Maps', to: 'New Maps' },
      { attribute: 'description', from: LONG.join('<br />\n'), to: lines.join('<br />\n') },
      {
        attribute: 'image',
        from: expect.stringMatching(/map.*\.png$/),
        to: 'ship.png',
        files: { from: { src: expect.stringMatching(/map.*\.png$/) } },
      },
    ]);

    const { stdout } = await runHere(['plan', 'talks'], { ...site.variables, FORCE_COLOR: '1' });
    expect(stdout).toContain('title: \u001b[31m"Old Maps"\u001b[39m → \u001b[32m"New Maps"\u001b[39m');
    const plain = (await runHere(['plan', 'talks'], site.variables)).stdout;
    expect(plain).toMatch(/- … .*Sentence number 17 of the description\..*\n +\+ … .* Another sentence\./);
    expect(plain).not.toMatch(/Sentence number (15|19)/);
    expect(plain).not.toContain('\u001b');
  });

  test('A plan never shows the bytes of inline files, and an empty plan costs nothing', async () => {
    await using site = await siteWithTalks();
    const base64 = Buffer.from(png(3)).toString('base64');
    feed(site, { ...talk, picture: { base64, mediaType: 'image/png' } });
    const planned = await runHere(['plan', 'talks', '--json'], site.variables);
    expect(planned.stdout).not.toContain(base64);
    expect(planned.stdout).toContain('image/png of 71 bytes inside the feed');
    await runHere(['sync'], site.variables);
    const { stdout } = await runHere(['plan', 'talks'], site.variables);
    expect(stdout).toMatch(/A run would send no requests\./);
  });

  test('sync --dry-run plans all syncs, and writes nothing', async () => {
    await using site = await siteWithTalks();
    feed(site, talk, { ...talk, id: 'T2' });
    site.write('syncs/more.yaml', syncFile(site));
    const { exitCode, stdout } = await runHere(['sync', '--dry-run'], site.variables);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /\+ create T1 .*\nmore: 2 read, 2 to create\n.*\+ create T1 .*\ntalks: 2 read, 2 to create\n/s,
    );
    const { plans } = (await runHere(['sync', '--dry-run', '--json'], site.variables)).json<{ plans: Planned[] }>();
    expect(plans).toMatchObject([
      { sync: 'more', creates: 2, changes: [{ key: 'T1' }, { key: 'T2' }] },
      { sync: 'talks', creates: 2, changes: [{ key: 'T1' }, { key: 'T2' }] },
    ]);
    expect(site.writes()).toEqual({});
  });

  test('sync --dry-run reports what cannot be planned, and the worst plan decides the exit code', async () => {
    await using site = await siteWithTalks();
    feed(site, talk, { ...talk, id: 'T2', title: '' });
    const dryRun = async () => {
      const finished = await runHere(['sync', '--dry-run', '--json'], site.variables);
      return { exitCode: finished.exitCode, plans: finished.json<{ plans: object[] }>().plans };
    };
    expect(await dryRun()).toMatchObject({ exitCode: 3, plans: [{ sync: 'talks', counts: { rejected: 1 } }] });
    site.write('syncs/gone.yaml', syncFile(site).replace('talks.json', 'gone.json'));
    expect(await dryRun()).toMatchObject({
      exitCode: 1,
      plans: [{ sync: 'gone', status: 'failed' }, { sync: 'talks' }],
    });
    site.write('syncs/wrong.yaml', 'resource: rooms\n');
    const refused = { sync: 'wrong', status: 'failed', error: { code: 'FF_CONFIG_INVALID' } };
    expect(await dryRun()).toMatchObject({ exitCode: 2, plans: [{ sync: 'gone' }, { sync: 'talks' }, refused] });
    expect((await runHere(['sync', '--dry-run'], site.variables)).stderr).toContain('resource must be');
  });

  test('A plan is printed while it is read, so that it may be larger than the memory', async () => {
    await using site = await siteWithTalks();
    feed(site, ...Array.from({ length: 1100 }, (_, index) => ({ ...talk, id: `T${index}`, picture: undefined })));
    const pages: number[] = [];
    const report = await site.withContext((context) => planRun(context, (page) => void pages.push(page.length)));
    expect(pages).toEqual([500, 500, 100]);
    expect(report).toMatchObject({ creates: 1100, cost: { creates: 1100 } });
    expect(report).not.toHaveProperty('changes');
    const { changes } = (await runHere(['plan', 'talks', '--json'], site.variables)).json<Planned>();
    expect(new Set(changes.map(({ key }) => key)).size).toBe(1100);
    expect((await runHere(['plan', 'talks'], site.variables)).stdout).toMatch(/… and 1050 more/);
  });
});

test.each([
  ['another key', ['key: id', 'key: title']],
  ['another field', ['title: title', 'title: text']],
  ['fewer records', ['key: id', 'key: id\nwhen: { field: id, is: T1 }']],
  ['removals', ['key: id', 'key: id\nwindow: { from: 2028-01-01 }\nmissing: { policy: delete, after: 1 run }']],
] as const)('A plan leaves nothing for later runs: %s', async (_, [from, to]) => {
  await using site = await siteWithTalks();
  feed(site, talk, { ...talk, id: 'T2', title: 'Ships', text: 'Sails', picture: 'ship.png' });
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 2 } }]);
  const file = syncFile(site);
  const before = await ledgerTables(site.variables);
  site.write('syncs/talks.yaml', file.replace(from, to));
  expect(syncFile(site)).not.toBe(file);
  const { run } = await site.withContext(planRun);
  expect(await ledgerTables(site.variables, { without: run })).toEqual(before);
  site.write('syncs/talks.yaml', file);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 2 } }]);
});
