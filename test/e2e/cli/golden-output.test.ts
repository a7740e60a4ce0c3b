import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { columnsOf } from '../../../src/cli/output/print.ts';
import { writePeopleSync, writeTalksSync } from '../fixtures.ts';
import { CONCERT, writeCalendar, writeCampus } from '../merge/two-calendars.ts';
import { runHere } from '../run-here.ts';
import { openSite, type Site, simplest, writeTarget } from '../site.ts';

// After a change of the texts: `npm run goldens`, and read the differences before they are committed.
const folder = join(import.meta.dirname, '../../fixtures/golden/output');
const widths = ['80', '120'] as const;

const TALKS = `id,title,date,start,description
T1,How to Read a Portolan Chart,2027-03-01,18:30,"Sea charts of the 14th century, read aloud"
T2,Lunchtime Piano,2027-03-02,12:15,
T3,,2027-03-03,10:00,A talk without a title
T4,The Night Sky Above the Harbour,2027-02-30,21:00,On a day that no calendar has
T5,Open Studio,2027-03-05,14:00,
`;
const CHANGED_TALKS = TALKS.replace('18:30', '19:00')
  .replace('read aloud', 'read aloud and drawn again')
  .concat('T6,Bookbinding for Beginners,2027-03-06,11:00,\n');
const STAFF = JSON.stringify([
  { email: 'amara.okonkwo@example.edu', login: 'amara' },
  { email: 'julia.callahan@example.edu', login: 'julia' },
  { email: 'julian.callahan@example.edu', login: 'julia' },
  { login: 'nobody' },
]);

/** The config's keys and the CMS's ids are the same in every run of the test. */
async function openGoldenSite(): Promise<Site> {
  // Lines break by the length of the path, so it must not depend on where the tests keep their files.
  vi.stubEnv('TMPDIR', '/tmp');
  const site = await openSite(simplest, { switches: { uniqueAccounts: ['username'] } }).finally(vi.unstubAllEnvs);
  writeTarget(site, '  externalId: source_key\n  concurrency: 1\n  lookupAfter: 200ms\n');
  writeTalksSync(site, 'schedule: { cron: "0 6 * * *" }\nmissing: { policy: delete, after: 1 run }', {
    map: 'title: title, date: date, time.start: start, description: description',
  });
  writePeopleSync(site, '', { name: 'staff' });
  site.write('syncs/feeds/talks.csv', TALKS);
  site.write('syncs/feeds/staff.json', STAFF);
  return site;
}

/**
 * Runs a command at each width, and compares what it prints with the golden file of that width.
 * @param given the arguments; a function prepares the site for each width first
 */
async function compare(name: string, given: string[] | (() => Promise<string[]>), site: Site): Promise<void> {
  for (const columns of widths) {
    const args = typeof given === 'function' ? await given() : given;
    const { stdout, stderr, exitCode } = await runHere(args, { ...site.variables, COLUMNS: columns });
    const lines = `${stdout}${stderr}`.split('\n');
    const tooLong = lines.filter((line) => columnsOf(line) > Number(columns));
    expect(tooLong.filter((line) => /\S +\S/.test(line.trim()))).toEqual([]);
    const parts = [`$ feedferry ${args.join(' ')}`, stdout, stderr && `${stderr}`, `[exit code ${exitCode}]\n`];
    const text = masked(parts.filter(Boolean).join('\n'), site);
    await expect.soft(text).toMatchFileSnapshot(join(folder, `${name}.${columns}.txt`));
  }
}

/** What differs from run to run is replaced by something of the same length. */
function masked(text: string, site: Site): string {
  return (
    text
      .replaceAll(site.dir, '/srv/feedferry/example-org'.padEnd(site.dir.length, '-').slice(0, site.dir.length))
      .replaceAll(site.sandbox.url, 'http://127.0.0.1:40000')
      .replaceAll(/\d{8}-\d{6}-[0-9a-f]{6}/g, '20270115-140000-abcdef')
      .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d E[SD]T/g, '2027-01-15 09:00 EST')
      .replaceAll(/[A-Z][a-z]{2} \d\d \d\d:\d\d/g, 'Jan 15 09:00')
      .replaceAll(/(?<=runs since\s+)\d{4}-\d\d-\d\d/g, '2027-01-15')
      .replaceAll(/(?<= {2,})\d+\.\d(?= {2}(\d+ read|0 records)| s$)/gm, (seconds) => '0.1'.padStart(seconds.length))
      .replaceAll(
        /Node [\d.]+ with SQLite [\d.]+ and time zone rules \w+/g,
        'Node 22.19.0 with SQLite 3.50.4 and time zone rules 2025b',
      )
      // Whether newer rules are known depends on the day.
      .replaceAll(/\n {2}! The time zone rules are[^→]*→[^)]*\)\./g, '')
      .replaceAll(/warnings: \d+/g, 'warnings: 2')
      .replaceAll(/(?<=SQLite )[\d.]+(?=:)/g, '3.50.4')
      .replaceAll(/\d+\.\d MB/g, '0.2 MB')
  );
}

test('The output of the commands matches the golden files at 80 and 120 columns', async () => {
  await using site = await openGoldenSite();
  await site.sync();
  await compare('status', ['status'], site);
  await compare('status-wide', ['status', '--wide'], site);
  await compare('runs', ['runs'], site);
  await compare('rejects', ['rejects', 'talks'], site);
  await compare('doctor', ['doctor'], site);

  await compare('undo', ['undo', '--last', 'talks', '--dry-run'], site);
  const [event] = await site.items('calendar/events');
  await site.request('PATCH', `api/v1/calendar/events/${event?.id}`, { title: 'Edited in the CMS' });
  await compare('verify', ['verify'], site);

  site.write('syncs/feeds/talks.csv', CHANGED_TALKS);
  await compare('plan', ['plan', 'talks'], site);
  await compare('explain', ['explain', 'talks', 'T1'], site);

  site.write('syncs/feeds/talks.csv', TALKS.split('\n').slice(0, 2).join('\n'));
  await compare('held-run', ['sync', 'talks'], site);
  await compare('held-status', ['status', 'talks'], site);
  await compare('approve', ['approve', '--list'], site);

  const pause = ['pause', 'talks', '--reason', 'the feed is broken'];
  await compare('pause', pause, site);
  const paused = () => runHere(pause, site.variables).then(() => ['resume', 'talks', 'staff']);
  await compare('resume', paused, site);

  site.write('syncs/talks.yaml', 'resource: events\nsource: { connector: csv, url: ./feeds/talk.csv }\nkey: id\n');
  await compare('failed-run', ['sync', 'talks'], site);

  const run = () => site.withApp(({ ledger }) => ledger.runs.begin('talks', 'run'));
  writeCampus(site);
  writeCalendar(site, 'central', [['1', ...CONCERT, '']]);
  writeCalendar(site, 'music', [['7', CONCERT[0], CONCERT[1], CONCERT[2], 'Great Hall', '']]);
  await site.sync(['campus']);
  await compare('questions', ['questions', 'campus'], site);

  await compare('cancel', async () => ['cancel', await run(), '--reason', 'the wrong file'], site);
});
