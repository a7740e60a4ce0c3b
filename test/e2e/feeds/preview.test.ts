import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runHere } from '../run-here.ts';
import { openSite, type Site, simplest } from '../site.ts';

const talks = `id,title,date,start,room,secretCode,note
T1,Maps,2027-03-01,18:00,Hall A,4711-abc,
T2,Ships,2027-03-02,10:00,Hall B,,
T1,Maps again,2027-03-03,10:00,,,
T3,,2027-03-04,10:00,,,
T4,Past,2001-03-04,10:00,,,
T5,Late,2027-03-05,10:00,,,
`;

let site: Site;

beforeAll(async () => {
  site = await openSite(simplest);
  const map = 'map: { title: title, date: date, time.start: start }';
  const csv = (name: string, more = '') =>
    site.write(
      `syncs/${name}.yaml`,
      `resource: events\nsource: { connector: csv, url: ../feeds/${name}.csv }\nkey: id\n${map}\n${more}`,
    );
  csv('talks', 'window: { from: 2020-01-01 }');
  site.write('feeds/talks.csv', talks);
  csv('empty');
  site.write('feeds/empty.csv', 'id,title,date,start\n');
  site.write(
    'syncs/reversed.yaml',
    'resource: events\nsource: { connector: csv, url: ../feeds/reversed.csv }\nkey: id\nmap: { title: title, start: from, end: to }\n',
  );
  site.write('feeds/reversed.csv', 'id,title,from,to\n1,Maps,2027-03-05,2027-03-01\n2,Ships,2027-03-02,2027-03-03\n');
  csv('refused', 'missing: { policy: delete }');
  site.write('feeds/refused.csv', 'id,title,date,start\n1,Maps,soon,10:00\n2,Ships,later,10:00\n');
  site.write('syncs/calendar.yaml', 'resource: events\nsource: { connector: ical, url: ../feeds/calendar.ics }\n');
  site.write(
    'feeds/calendar.ics',
    [
      'BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//test\nBEGIN:VEVENT\nUID:1@test\nDTSTAMP:20270101T000000Z\nSEQUENCE:2',
      'SUMMARY:Maps\nDTSTART:20270301T180000Z\nSTATUS:CONFIRMED\nX-MICROSOFT-CDO-BUSYSTATUS:BUSY',
      'LOCATION:Hall A\nCATEGORIES:Music,Free\nURL:https://example.com/1\nEND:VEVENT\nEND:VCALENDAR\n',
    ].join('\n'),
  );
});

afterAll(() => site[Symbol.asyncDispose]());

const run = (...args: string[]) => runHere(args, site.variables);

const lines = (stdout: string): unknown[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('A preview judges records as a run does', () => {
  test('Records that share a key are all rejected, in the order of the feed', async () => {
    const { exitCode, stdout } = await run('preview', 'talks', '--json');
    expect(exitCode).toBe(3);
    expect(lines(stdout)).toMatchObject([
      { at: 'line 2', code: 'FF_RECORD_DUPLICATE', reason: 'The key "T1" is also used at line 4.', key: 'T1' },
      { at: 'line 3', key: 'T2', payload: { title: 'Ships' } },
      { at: 'line 4', code: 'FF_RECORD_DUPLICATE', reason: 'The key "T1" is also used at line 2.', key: 'T1' },
      { at: 'line 5', code: 'FF_RECORD_REQUIRED', key: 'T3' },
      { at: 'line 6', key: 'T4', skipped: expect.any(String) },
      { at: 'line 7', key: 'T5' },
    ]);
    const [synced] = await site.sync(['talks']);
    expect(synced?.rejections.map(({ at, code }) => ({ at, code })).sort((a, b) => a.at.localeCompare(b.at))).toEqual([
      { at: 'line 2', code: 'FF_RECORD_DUPLICATE' },
      { at: 'line 4', code: 'FF_RECORD_DUPLICATE' },
      { at: 'line 5', code: 'FF_RECORD_REQUIRED' },
    ]);
  });

  test('A summary and the unused fields follow the records, with examples but without secrets', async () => {
    const { stdout } = await run('preview', 'talks');
    const [, end] = stdout.split('Unused fields of the feed, with an example:\n');
    expect(end).toBe(
      '  room: "Hall A"\n  secretCode: "[redacted]"\n' +
        'talks: 6 records: 2 valid, 3 rejected (2 duplicates), 1 skipped\n',
    );
  });

  test('With --json, standard output has nothing but records', async () => {
    const { stdout, stderr } = await run('preview', 'talks', '--json');
    expect(lines(stdout)).toHaveLength(6);
    expect(stderr).toContain('talks: 6 records: 2 valid');
  });

  test('With --json, a record has its warnings', async () => {
    const { stdout } = await run('preview', 'reversed', '--json');
    const [maps, ships] = lines(stdout);
    expect(maps).toMatchObject({
      payload: { title: 'Maps' },
      warnings: [expect.stringContaining('2027-03-01 is before the start')],
    });
    expect(ships).not.toHaveProperty('warnings');
  });

  test('--limit prints that many records and counts all', async () => {
    const { exitCode, stdout } = await run('preview', 'talks', '--limit', '2');
    expect(exitCode).toBe(3);
    expect(stdout.match(/^line \d+/gm)).toEqual(['line 2', 'line 3']);
    expect(stdout).toContain('6 records: 2 valid, 3 rejected');
    expect(lines((await run('preview', 'talks', '--json', '--limit', '1')).stdout)).toHaveLength(1);
    expect(await run('preview', 'talks', '--limit', 'ten')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('--limit needs a number of records, such as 20, not "ten"'),
    });
  });

  test('--key prints one record, and its exit code is that of the record', async () => {
    const { exitCode, stdout } = await run('preview', 'talks', '--key', 'T5');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^line 7: T5\n {2}title: "Late"\n/);
    expect(stdout).not.toContain('records');
    const duplicates = await run('preview', 'talks', '--json', '--key', 'T1');
    expect(duplicates.exitCode).toBe(3);
    expect(lines(duplicates.stdout)).toMatchObject([{ at: 'line 2' }, { at: 'line 4' }]);
  });

  test('A key that the feed does not have ends with exit code 2 and a similar key', async () => {
    const { exitCode, stdout, stderr } = await run('preview', 'talks', '--key', 't5');
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('FF_RECORD_UNKNOWN The feed of "talks" has no record "t5"; did you mean "T5"?');
  });

  test('It says if no record would count as missing', async () => {
    const { stdout } = await run('preview', 'refused');
    expect(stdout).toContain('refused: 2 records: 2 rejected\nNo record would count as missing: ');
  });
});

test('The fields of a calendar that the map does not use are listed, without those of the format', async () => {
  const { stdout } = await run('preview', 'calendar');
  expect(stdout).toContain(
    'with an example:\n  location: "Hall A"\n  categories: ["Music","Free"]\n  url: "https://example.com/1"\ncalendar: 1 ',
  );
  const planned = await run('plan', 'calendar');
  expect(planned.stdout).toContain(
    'Unused fields of the feed: location, categories, url (`feedferry preview calendar`',
  );
  const { unmapped } = JSON.parse((await run('plan', 'calendar', '--json')).stdout);
  expect(unmapped).toEqual(['location', 'categories', 'url']);
});

test.each([
  [
    'ical',
    'ics',
    'BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:u1\nSUMMARY:Maps\nDTSTART:20270301T180000Z\nRRULE:FREQ=DAILY;COUNT=2\nEND:VEVENT\nEND:VCALENDAR\n',
    ['u1/20270301T180000Z', 'u1/20270302T180000Z'],
  ],
  ['jsonfeed', 'json', '{"items":[{"id":"f1","title":"Maps","date_published":"2027-03-01T10:00:00Z"}]}', ['f1']],
  ['jsonld', 'jsonld', '{"@type":"Event","@id":"l1","name":"Maps","startDate":"2027-03-01"}', ['l1']],
])('The format %s has a key of its own', async (connector, ending, feed, keys) => {
  site.write(`feeds/own.${ending}`, feed);
  site.write(
    `syncs/own-${connector}.yaml`,
    `resource: events\nsource: { connector: ${connector}, url: ../feeds/own.${ending} }\n`,
  );
  const { stdout } = await run('preview', `own-${connector}`, '--json');
  expect(lines(stdout).map((line) => (line as { key: string }).key)).toEqual(keys);
});

test('A run sends nothing of a record whose e-mail address is none', async () => {
  const staff =
    'resource: accounts\nsource: { connector: json, url: ../feeds/staff.json }\nkey: id\nmap: { email: email }\n';
  site.write('syncs/staff.yaml', staff);
  site.write('feeds/staff.json', '[{"id":1,"email":7},{"id":2,"email":"ann@example.edu"}]');
  const [synced] = await site.sync(['staff']);
  expect(synced?.rejections).toMatchObject([
    { key: '1', code: 'FF_RECORD_VALUE', reason: 'email: "7" is not an e-mail address' },
  ]);
  expect(await site.items('account/accounts')).toMatchObject([{ email: 'ann@example.edu' }]);
});

test('A feed without records is reported as such', async () => {
  expect(await run('preview', 'empty')).toMatchObject({
    exitCode: 0,
    stdout: 'empty: 0 records. If earlier runs delivered some, a run is held (FF_GUARD_EMPTY).\n',
  });
  expect((await run('plan', 'empty')).stdout).toContain('empty: 0 records\n');
  expect((await run('sync', 'empty')).stdout).toMatch(/empty .*success .*0 records/);
});
