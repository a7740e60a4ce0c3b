import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { writeCsv, writePeopleSync, writeTalks, writeTalksSync } from '../fixtures.ts';
import { runHere } from '../run-here.ts';
import { openSite, type Site, simplest } from '../site.ts';

const HEAD = 'id,title,date,notes,api_token';

async function siteWith(...rows: string[]): Promise<Site> {
  const site = await openSite(simplest);
  writeTalksSync(site, '', { map: 'title: title, date: date, time.start: { value: "18:00" }' });
  feed(site, ...rows);
  return site;
}

function feed(site: Site, ...rows: string[]): void {
  writeTalks(site, rows, { columns: HEAD });
}

describe('The rejects command', () => {
  test('The list shows place, fields, code, reason and remedy of each record, without its secrets', async () => {
    await using site = await siteWith(
      'T1,Old Maps,2027-03-01,,',
      'T2,,2027-03-02,"=1+1, dear",tok-123456',
      'T3,Ships,not a date,,',
      'T4,Twice,2027-03-04,first,',
      'T4,Twice,2027-03-05,second,tok-654321',
    );
    expect((await runHere(['sync'], site.variables)).exitCode).toBe(3);

    const listed = await runHere(['rejects', 'talks', '--json'], site.variables);
    expect(listed.exitCode).toBe(0);
    expect(listed.json()).toMatchObject({
      ...{ read: 5, total: 4 },
      groups: [
        {
          code: 'FF_RECORD_REQUIRED',
          remedy: expect.stringMatching(/\w/),
          first: [
            {
              ...{ at: 'line 3', key: 'T2', reason: expect.stringContaining('title') },
              fields: { id: 'T2', title: '', date: '2027-03-02', notes: '=1+1, dear', api_token: '[redacted]' },
            },
          ],
        },
        { code: 'FF_RECORD_DATE', first: [{ at: 'line 4', key: 'T3', fields: { date: 'not a date' } }] },
        {
          code: 'FF_RECORD_DUPLICATE',
          first: [
            { at: 'line 5', key: 'T4', fields: { notes: 'first' } },
            { at: 'line 6', key: 'T4', fields: { notes: 'second', api_token: '[redacted]' } },
          ],
        },
      ],
    });
    const one = await runHere(['rejects', 'talks', '--limit', '1'], site.variables);
    expect(one.stdout).toMatch(/… and 1 more: feedferry rejects talks --run \S+ --csv/);

    const table = await runHere(['rejects', 'talks'], site.variables);
    expect(table.stdout).toMatch(/4 of 5 records read .* were rejected/);
    expect(table.stdout).toMatch(/FF_RECORD_REQUIRED .*\(1\)[\s\S]*line 3 .*T2 .*title/);
    expect(table.stdout).toMatch(/FF_RECORD_DATE .*\(1\)[\s\S]*line 4 .*Ships \(T3\)/);
    expect(table.stdout).toMatch(/FF_RECORD_DUPLICATE .*\n {2}→ .*unique/);
    expect(listed.stdout + table.stdout).not.toMatch(/tok-/);
  });

  test('The option --csv prints the columns of the source, no formulas, and a byte order mark for Excel', async () => {
    await using site = await siteWith('T1,,2027-03-01,=CONCATENATE("http://x"),', 'T2,,2027-03-02,"a, ""b"" – ü",');
    await runHere(['sync'], site.variables);
    const { stdout, exitCode } = await runHere(['rejects', 'talks', '--csv'], site.variables);
    expect(exitCode).toBe(0);
    expect(stdout.startsWith('\uFEFFat,key,code,reason,remedy,id,title,date,notes,api_token\r\n')).toBe(true);
    const rows: Array<Record<string, string>> = parse(stdout, { columns: true, bom: true });
    expect(rows).toMatchObject([
      { at: 'line 2', key: 'T1', code: 'FF_RECORD_REQUIRED', id: 'T1', notes: '\'=CONCATENATE("http://x")' },
      { at: 'line 3', key: 'T2', notes: 'a, "b" – ü' },
    ]);
    const plain = await runHere(['rejects', 'talks', '--csv', '--no-bom'], site.variables);
    expect(plain.stdout).toBe(stdout.slice(1));
  });

  test('Rejections are kept for each run and plan, and those of the latest run that read records are shown', async () => {
    await using site = await siteWith('T1,,2027-03-01,,');
    const first = await runHere(['sync', '--json'], site.variables);
    const [{ run }] = first.json<{ runs: [{ run: string }] }>().runs;
    feed(site, 'T1,Old Maps,2027-03-01,,', 'T2,,2027-03-02,,');
    const planned = await runHere(['plan', 'talks', '--json'], site.variables);
    const { run: plan } = planned.json<{ run: string }>();
    site.write('syncs/feeds/talks.csv', '');
    await runHere(['sync'], site.variables);

    const newest = await runHere(['rejects', 'talks', '--json'], site.variables);
    expect(newest.json()).toMatchObject({ run, groups: [{ first: [{ key: 'T1' }] }] });
    const ofPlan = await runHere(['rejects', 'talks', '--run', plan, '--json'], site.variables);
    expect(ofPlan.json()).toMatchObject({ run: plan, groups: [{ first: [{ key: 'T2' }] }] });
  });

  test('The passwords of a feed are not printed by rejects, explain or plan', async () => {
    await using site = await openSite(simplest);
    const source = 'connector: csv, url: ./feeds/staff.csv';
    writePeopleSync(site, '', { name: 'staff', source, map: 'email: email, website: site, password: initial' });
    const rows = ['a@x.org,,marker-1', 'b@x.org,,marker-2', 'b@x.org,,marker-3', 'c@x.org,,marker-4,5'];
    writeCsv(site, 'staff', 'email,site,initial', rows);
    const printed: string[] = [];
    for (const args of [
      ['plan', 'staff'],
      ['sync', 'staff'],
      ['rejects', 'staff', '--json'],
      ['rejects', 'staff', '--csv'],
      ['explain', 'staff', 'a@x.org'],
      ['explain', 'staff', 'b@x.org', '--json'],
    ]) {
      const { stdout, stderr } = await runHere(args, site.variables);
      printed.push(stdout + stderr);
    }
    expect(printed.join('')).not.toMatch(/marker-\d/);
    expect(JSON.parse(printed[2] ?? '')).toMatchObject({
      groups: [
        {
          code: 'FF_RECORD_DUPLICATE',
          first: [
            { at: 'line 3', fields: { email: 'b@x.org', initial: '[redacted]' } },
            { at: 'line 4', fields: { initial: '[redacted]' } },
          ],
        },
        { code: 'FF_RECORD_MALFORMED', first: [{ at: 'line 5', fields: { row: '[redacted]' } }] },
      ],
    });
    expect(printed[4]).toMatch(/initial(?:: | +)"\[redacted\]"/);
  });

  test('No rejections print an empty list, and an unknown sync or run is a usage error', async () => {
    await using site = await siteWith('T1,Old Maps,2027-03-01,,');
    const before = await runHere(['rejects', 'talks'], site.variables);
    expect(before).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/No run has read/) });
    await runHere(['sync'], site.variables);
    const none = await runHere(['rejects', 'talks', '--json'], site.variables);
    expect([none.exitCode, none.json()]).toMatchObject([0, { total: 0, groups: [] }]);

    const unknown = await runHere(['rejects', 'talk'], site.variables);
    expect(unknown).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/FF_SYNC_UNKNOWN.*talks/s) });
    const noRun = await runHere(['rejects', 'talks', '--run', 'nope'], site.variables);
    expect(noRun).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/FF_RUN_UNKNOWN.*nope/s) });
  });

  test('A rejected record that was published before is not missing, and stays', async () => {
    await using site = await siteWith('T1,Old Maps,2027-03-01,,', 'T2,Ships,2027-03-02,,', 'T3,Globes,2027-03-03,,');
    await runHere(['sync'], site.variables);
    site.writes();
    feed(site, 'T1,,2027-03-01,,', 'T3,Globes,2027-03-03,,');
    const { runs } = (await runHere(['sync', '--json'], site.variables)).json<{ runs: Array<{ counts: object }> }>();
    expect(runs[0]?.counts).toMatchObject({ read: 2, rejected: 1, missing: 1 });
    expect(site.writes()).toEqual({});
    expect(await site.items('calendar/events')).toHaveLength(3);
  });
});
