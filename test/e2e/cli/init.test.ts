import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { folderOf } from '../../support/folder.ts';
import { type Finished, start } from '../feedferry.ts';
import { runHere } from '../run-here.ts';

const talks = `id,title,start,room
T1,Maps,2027-03-01 18:00,Hall
T2,Ships,2027-03-02 10:00,Cellar
T3,Tides,2027-03-03 10:00,Hall
T4,Winds,2027-03-04 10:00,Hall
`;
const people = JSON.stringify({
  people: [
    { login: 'anna', email: 'anna@example.org', firstName: 'Anna', lastName: 'Berg', password: 'hunter2-secret' },
    { login: 'bo', email: 'bo@example.org', firstName: 'Bo', lastName: 'Dahl', password: 'swordfish-9' },
  ],
});
const calendar = `BEGIN:VCALENDAR
VERSION:2.0
X-WR-TIMEZONE:Europe/Rome
BEGIN:VEVENT
UID:1@example.org
SUMMARY:Maps
DTSTART:20270301T180000
DTEND:20270301T190000
END:VEVENT
END:VCALENDAR
`;

interface Result {
  sync: string;
  file: string;
  resource: string;
  connector: string;
  key: unknown;
  map: Record<string, unknown>;
  attachments: object;
  records: number;
  open: object[];
  warnings: string[];
}

/** Runs a command in a folder without any variable set; in a process of its own if it reads standard input. */
function run(dir: string, args: string[], input?: string): Promise<Finished> {
  return input === undefined ? runHere(args, {}, dir) : start(args, {}, dir, input).finished;
}

/** Runs init, then the commands that check what it has written. */
async function initIn(dir: string, args: string[], input?: string) {
  const finished = await run(dir, ['init', '--yes', '--json', ...args], input);
  expect(finished, finished.stderr).toMatchObject({ exitCode: 0 });
  const results: Result[] = finished.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const validated = await run(dir, ['validate']);
  expect(validated, validated.stderr).toMatchObject({ exitCode: 0 });
  const tested = await run(dir, ['test', '--json']);
  expect(tested, tested.stdout).toMatchObject({ exitCode: 0 });
  return { results, tests: tested.json<{ tests: number }>().tests, stderr: finished.stderr };
}

const read = (dir: string, path: string) => readFileSync(join(dir, path), 'utf8');

test('init writes a sync for a CSV file, its tests, and what the folder lacks', async () => {
  const dir = folderOf({ 'Talks 2027.csv': talks });
  const { results, tests } = await initIn(dir, ['Talks 2027.csv']);
  expect(results).toMatchObject([
    {
      sync: 'talks-2027',
      file: 'config/syncs/talks-2027.yaml',
      resource: 'events',
      connector: 'csv',
      key: 'id',
      map: { title: 'title' },
      records: 4,
    },
  ]);
  expect(tests).toBe(3);
  expect(read(dir, 'config/syncs/talks-2027.yaml')).toContain('url: ../../Talks 2027.csv');
  expect(read(dir, '.env.example')).toContain('CMS_API_TOKEN=');
  expect(read(dir, 'config/feedferry.yaml')).toMatch(/token: \$\{CMS_API_TOKEN/);
  const preview = await run(dir, ['preview', 'talks-2027', '--json']);
  expect(preview.exitCode).toBe(0);
  expect(preview.stdout.trimEnd().split('\n')).toHaveLength(4);
});

test('init maps accounts, and writes no password into a file', async () => {
  const dir = folderOf({ 'staff.json': people });
  const { results } = await initIn(dir, ['staff.json']);
  expect(results).toMatchObject([{ sync: 'staff', resource: 'accounts', connector: 'json', records: 2 }]);
  expect(results[0]?.map).toMatchObject({ email: 'email', firstName: 'firstName', lastName: 'lastName' });
  for (const folder of ['config/syncs', 'config/tests']) {
    expect(read(dir, `${folder}/staff.yaml`)).not.toMatch(/hunter2|swordfish/);
  }
});

test('init and preview show no value of a password, pin or token', async () => {
  const secrets = 'id,First Name,Last Name,Email,Password,PIN,API token\n';
  const rows = ['1,Ann,Doe,ann@x.example,hunter2,4711,swordfish', '2,Bob,Roe,bob@x.example,hunter3,4712,swordfisk'];
  const dir = folderOf({ 'staff.csv': `${secrets}${rows.join('\n')}\n` });
  const outputs = [await run(dir, ['init', 'staff.csv', '--yes', '--json'])];
  for (const args of [
    ['init', 'staff.csv', '--yes', '--name', 'again'],
    ['preview', 'staff'],
    ['preview', 'staff', '--json'],
  ]) {
    outputs.push(await run(dir, args));
  }
  for (const { exitCode, stdout, stderr } of outputs) {
    expect(exitCode).toBe(0);
    expect(stdout + stderr).not.toMatch(/hunter|471\d|swordfis/);
  }
});

test('init takes the zone of a calendar for the site', async () => {
  const dir = folderOf({ 'museum.ics': calendar });
  const { results } = await initIn(dir, ['museum.ics']);
  const map = { title: 'summary', start: 'start' };
  expect(results).toMatchObject([{ sync: 'museum', connector: 'ical', key: 'uid', map, records: 1, warnings: [] }]);
  expect(read(dir, 'config/feedferry.yaml')).toContain('timezone: Europe/Rome');
  expect(read(dir, 'config/tests/museum.yaml')).toContain('start: "18:00:00"');
});

test('init reads standard input', async () => {
  const dir = folderOf({});
  const { results } = await initIn(dir, ['-'], talks);
  expect(results).toMatchObject([
    { sync: 'events', records: 4, warnings: [expect.anything(), expect.stringContaining('| feedferry sync events')] },
  ]);
  expect(read(dir, 'config/syncs/events.yaml')).toContain('url: "-"');
});

test('init reads addresses, and names the sync after them', async () => {
  const server = createServer((_, response) => response.end(people));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/staff.json?key=secret`;
  const dir = folderOf({});
  const { results } = await initIn(dir, [address]);
  expect(results).toMatchObject([{ sync: 'staff', records: 2 }]);
  const sync = read(dir, 'config/syncs/staff.yaml');
  expect(sync).toContain(`url: ${address}`);
  expect(sync).toContain('allowPrivateNetwork: true');
});

test('Several sources become several syncs, with a line of JSON each', async () => {
  const dir = folderOf({ 'a/talks.csv': talks, 'b/talks.csv': talks, 'staff.json': people });
  const { results, tests } = await initIn(dir, ['a/talks.csv', 'b/talks.csv', 'staff.json']);
  expect(results.map(({ sync }) => sync)).toEqual(['talks', 'talks-2', 'staff']);
  expect(tests).toBe(8);
});

test('Existing files stay, unless --force is given; feedferry.yaml always stays', async () => {
  const dir = folderOf({ 'talks.csv': talks });
  await initIn(dir, ['talks.csv']);
  const target = read(dir, 'config/feedferry.yaml').replace(/timezone: .*/, 'timezone: Asia/Tokyo');
  writeFileSync(join(dir, 'config/feedferry.yaml'), target);
  writeFileSync(join(dir, 'config/syncs/talks.yaml'), 'mine');
  const refused = await run(dir, ['init', 'talks.csv', '--yes']);
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toMatch(/FF_INIT_EXISTS config\/syncs\/talks\.yaml exists/);
  expect(read(dir, 'config/syncs/talks.yaml')).toBe('mine');
  await initIn(dir, ['talks.csv', '--force']);
  expect(read(dir, 'config/syncs/talks.yaml')).toContain('resource: events');
  expect(read(dir, 'config/feedferry.yaml')).toBe(target);
  await initIn(dir, ['talks.csv', '--name', 'other']);
  expect(readdirSync(join(dir, 'config/syncs'))).toEqual(['other.yaml', 'talks.yaml']);
});

test.each([
  ['a file that does not exist', ['nothing.csv', '--yes'], 1, 'FF_FEED_MISSING'],
  ['XML', ['feed.xml', '--yes'], 1, 'FF_FEED_FORMAT'],
  ['a feed without records', ['empty.csv', '--yes'], 1, 'FF_INIT_UNKNOWN'],
  ['fields that say nothing', ['numbers.csv', '--yes'], 1, 'FF_INIT_UNKNOWN'],
  ['a readable feed beside an unreadable one', ['talks.csv', 'feed.xml', '--yes'], 1, 'FF_FEED_FORMAT'],
  ['no terminal to ask on', ['talks.csv'], 2, 'FF_USAGE'],
  ['no source', ['--yes'], 2, 'FF_USAGE'],
  ['one name for several feeds', ['talks.csv', 'talks.csv', '--yes', '--name', 'a'], 2, 'FF_USAGE'],
  ['a name with a slash', ['talks.csv', '--yes', '--name', '../a'], 2, 'FF_USAGE'],
])('With %s, nothing is written', async (_, args, exitCode, code) => {
  const dir = folderOf({
    'talks.csv': talks,
    'feed.xml': '<rss/>',
    'empty.csv': 'id,title,start\n',
    'numbers.csv': 'x,y\n1,3\n1,3\n1,3\n',
  });
  const finished = await run(dir, ['init', '--json', ...args]);
  expect(finished).toMatchObject({ exitCode });
  expect(finished.json()).toMatchObject({ error: { code } });
  expect(existsSync(join(dir, 'config'))).toBe(false);
});

test('Without --json, init shows what it found and the next commands', async () => {
  const dir = folderOf({ 'talks.csv': talks });
  const { stdout } = await run(dir, ['init', 'talks.csv', '--yes', '--config', 'my/config']);
  expect(stdout).toMatch(
    /talks\.csv: 4 records[\s\S]*2027-03-01 18:00 {2}Maps, Hall\n[\s\S]*my\/config\/syncs\/talks\.yaml/,
  );
  expect(stdout).toMatch(/feedferry sandbox[\s\S]*feedferry plan talks --config my\/config/);
  expect(existsSync(join(dir, 'my/.env.example'))).toBe(true);
});

test('init asks whether daily copies are one event, and tries a few pictures', async () => {
  const days = Array.from({ length: 6 }, (_, n) => `d${n},Old Maps,2027-03-0${n + 1},10:00,`);
  const rows = [
    'id,title,date,time,image',
    ...days,
    'x,Talk,2027-03-09,18:00,poster.png',
    'y,Walk,2027-04-09,9:00,none.png',
  ];
  const dir = folderOf({ 'shows.csv': `${rows.join('\n')}\n`, 'poster.png': '<!doctype html><title>Log in</title>' });
  const { results } = await initIn(dir, ['shows.csv']);
  expect(results[0]?.open).toMatchObject([
    { id: 'days as one event', safe: 'days', text: expect.stringContaining('"Old Maps" once for each day, 6 records') },
  ]);
  expect(results[0]?.warnings.at(-1)).toMatch(
    /^2 of 2 pictures that were tried cannot be published: .*poster\.png .*a web page/,
  );
  expect(read(dir, 'config/syncs/shows.yaml')).not.toMatch(/^recurrence/m);
  await initIn(dir, ['shows.csv', '--force', '--set', 'recurrence: span']);
  expect(read(dir, 'config/syncs/shows.yaml')).toMatch(/^recurrence: span/m);
  const preview = await run(dir, ['preview', 'shows', '--json']);
  expect(preview.stdout).toContain('"endDate":"2027-03-06"');
});

test('A signal while a feed is read ends init, and nothing is written', async () => {
  const dir = folderOf({});
  const server = createServer();
  const requested = once(server, 'request');
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => server.closeAllConnections());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.csv`;
  const { child, finished } = start(['init', address, '--yes'], {}, dir);
  await requested;
  child.kill('SIGINT');
  expect(await finished).toMatchObject({ exitCode: 130, stdout: '', stderr: 'Stopped.\n' });
  expect(readdirSync(dir)).toEqual([]);
});

test('The feed of a known system is read by its recipe', async () => {
  const dir = folderOf({});
  const fixture = join(import.meta.dirname, '../../fixtures/recipes/localist.json');
  const { stdout } = await run(dir, ['init', fixture, '--yes', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ recipe: 'localist', resource: 'events', open: [] });
  const named = await run(dir, ['init', fixture, '--yes', '--recipe', 'trumba', '--name', 'named']);
  expect(named.exitCode).toBe(0);
  expect(readFileSync(join(dir, 'config/syncs/named.yaml'), 'utf8')).toContain('recipe Trumba');
});

test('A recipe that does not exist is refused, with the nearest', async () => {
  const { exitCode, stderr } = await run(folderOf({ 'talks.csv': talks }), [
    'init',
    'talks.csv',
    '--yes',
    '--recipe',
    'localyst',
  ]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('There is no recipe "localyst"; did you mean "localist"?');
});

test('--set corrects lines, and --json shows what the sync then makes of the records', async () => {
  const dir = folderOf({ 'talks.csv': 'id,a,b,when\n1,Maps,Old,2027-03-04\n2,Ships,,2027-03-05\n3,,,2027-02-30\n' });
  const lines = ['title: [a, b]', 'start: when', 'category: { value: Talk }'].flatMap((line) => ['--set', line]);
  const { exitCode, stdout } = await run(dir, ['init', 'talks.csv', '--yes', '--json', ...lines]);
  expect(exitCode).toBe(0);
  const result = JSON.parse(stdout);
  expect(result).toMatchObject({
    map: { start: 'when', category: { value: 'Talk' } },
    unused: [],
    judgement: {
      read: 3,
      isWhole: true,
      accepted: 2,
      rejected: 1,
      first: [{ payload: { title: 'Maps – Old' } }, { payload: { title: 'Ships' } }],
    },
  });
  expect(result.judgement.reasons[0]).toMatchObject({ at: 'line 4', count: 1 });
  expect(result.lines).toContainEqual(
    expect.objectContaining({ name: 'title', fields: ['a', 'b'], samples: ['Maps · Old', 'Ships'] }),
  );
});

test('--set "source.encoding" reads the feed again, and people are shown by their names', async () => {
  const dir = folderOf({});
  const text = 'Vorname;Name;E-Mail;Funktion\r\nJosé;Müller;j@example.org;Rektor\r\nZoë;Groß;z@example.org;Dekanin\r\n';
  writeFileSync(join(dir, 'staff.csv'), Buffer.from(text, 'latin1'));
  const { exitCode, stdout } = await run(dir, ['init', 'staff.csv', '--yes', '--set', 'source.encoding: iso-8859-2']);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/source\.encoding +iso-8859-2 +as you said/);
  expect(stdout).toContain('    José Müller, j@example.org\n');
  expect(stdout).toMatch(/title +Funktion +Rektor/);
  expect(stdout).toContain('Zoë Groß');
  const refused = await run(dir, ['init', 'staff.csv', '--yes', '--force', '--set', 'source.encoding: klingon']);
  expect(refused.stderr).toContain('klingon');
});

test.each([
  ['title: nmae', 'title: the feed has no field "nmae".'],
  ['start.format: QQQ', 'QQQ'],
  ['source.delimiter: 5', 'delimiter'],
])('--set "%s" is refused, and nothing is written', async (line, message) => {
  const dir = folderOf({ 'talks.csv': talks });
  const { exitCode, stderr } = await run(dir, ['init', 'talks.csv', '--yes', '--set', line]);
  expect(exitCode, stderr).toBe(2);
  expect(stderr).toContain(message);
  expect(readdirSync(dir)).toEqual(['talks.csv']);
});

test('An address with a password is refused, without repeating it', async () => {
  const dir = folderOf({});
  const { exitCode, stderr } = await run(dir, ['init', 'https://me:hunter2@example.org/a.csv', '--yes']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('--auth');
  expect(stderr).not.toContain('hunter2');
  expect(readdirSync(dir)).toEqual([]);
});

test('init finds the feeds of a web page, takes the best, and lists the others', async () => {
  const server = createServer(({ url }, response) => {
    const feeds: Record<string, string> = { '/calendar.ics': calendar, '/talks.csv': talks };
    const page = '<!doctype html><a href="/calendar.ics">Calendar</a> <a href="/talks.csv">Talks</a>';
    response.writeHead(url === '/' || feeds[url ?? ''] ? 200 : 404).end(feeds[url ?? ''] ?? page);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const dir = folderOf({});
  const { results } = await initIn(dir, [`${address}/`, '--name', 'talks']);
  expect(results).toMatchObject([
    {
      connector: 'csv',
      records: 4,
      open: [{ id: 'feed of the page', safe: '1' }],
      warnings: expect.arrayContaining([expect.stringContaining(`${address}/ is a web page. Its feed`)]),
    },
  ]);
  const file = read(dir, 'config/syncs/talks.yaml');
  expect(file).toContain(`url: ${address}/talks.csv`);
  expect(file).toContain(`${address}/calendar.ics (linked on the page, ical, 1 record, first "Maps")`);
  const chosen = await initIn(dir, [`${address}/`, '--name', 'maps', '--set', 'feed of the page: 2']);
  expect(chosen.results).toMatchObject([{ connector: 'ical', records: 1, open: [] }]);
});
