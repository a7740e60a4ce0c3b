import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runHere } from '../run-here.ts';
import { openSite, type Site, simplest } from '../site.ts';

let site: Site;

beforeAll(async () => {
  site = await openSite(simplest);
  site.write(
    'syncs/events.yaml',
    `resource: events
sources:
  central: { connector: json, url: ./feeds/central.json }
  music: { connector: csv, url: ./feeds/music.csv, key: number, map: { title: name, start: when } }
key: id
map: { title: title, start: date }
`,
  );
  site.write('syncs/feeds/central.json', JSON.stringify([{ id: 1, title: 'Maps', date: '2027-03-01', room: 'A' }]));
  site.write('syncs/feeds/music.csv', 'number,name,when,hall\n1,Choir,2027-03-02,B\n2,Organ,soon,\n');
});

afterAll(() => site[Symbol.asyncDispose]());

test('The preview of a sync with several sources has the records of all of them', async () => {
  const { exitCode, stdout } = await runHere(['preview', 'events', '--json'], site.variables);
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    { at: 'central, $[0]', key: 'central/1', payload: { title: 'Maps' } },
    { at: 'music, line 2', key: 'music/1', payload: { title: 'Choir' } },
    { at: 'music, line 3', key: 'music/2', code: 'FF_RECORD_DATE' },
  ]);
  expect(exitCode).toBe(3);
});

test('Each of its feeds is checked by doctor and validate', async () => {
  const doctor = await runHere(['doctor', '--json'], site.variables);
  expect(doctor.json()).toMatchObject({
    findings: expect.arrayContaining([
      expect.objectContaining({
        check: 'feed.events.central',
        message: expect.stringMatching(/^events, central: 1 rec/),
      }),
      expect.objectContaining({ check: 'feed.events.music.rejected' }),
    ]),
  });
  site.write('syncs/feeds/music.csv', 'number,title,when\n');
  const validate = await runHere(['validate', '--json'], site.variables);
  site.write('syncs/feeds/music.csv', 'number,name,when,hall\n1,Choir,2027-03-02,B\n2,Organ,soon,\n');
  expect(validate.json()).toMatchObject({
    syncs: [{ sync: 'events', connector: 'json, csv' }],
    feeds: [{ sync: 'events', is: 'problem', message: expect.stringContaining('music.csv has no column "name"') }],
  });
});

test('A record of each source is explained', async () => {
  expect(await site.explain('events', 'music/1')).toMatchObject({
    source: { found: [{ at: 'music, line 2', is: 'desired' }], complete: true },
  });
});

test('Its mapping tests name the source of their records', async () => {
  const run = async (source: string) => {
    site.write(
      'tests/events.yaml',
      `sync: events\n${source}cases:\n  - { name: a concert, fields: { number: 1, name: Choir, when: soon }, rejected: FF_RECORD_DATE }\n`,
    );
    return await runHere(['test'], site.variables);
  };
  expect(await run('source: music\n')).toMatchObject({ exitCode: 0 });
  expect((await run('')).stderr).toContain('source is required: the sources of "events" are central, music');
  expect((await run('source: musik\n')).stderr).toContain(
    'events.yaml:2:9: source is not one of the sources: "musik"; did you mean "music"?',
  );
});

test('A source takes over the records of a former sync', async () => {
  await using own = await openSite(simplest);
  const concerts = 'connector: csv, url: ./feeds/music.csv, key: number, map: { title: name, start: when }';
  own.write(
    'syncs/concerts.yaml',
    `resource: events\nsource: { connector: csv, url: ./feeds/music.csv }
key: number\nmap: { title: name, start: when }\n`,
  );
  own.write('syncs/feeds/music.csv', 'number,name,when\n1,Choir,2027-03-02\n');
  expect(await own.sync()).toMatchObject([{ counts: { created: 1 } }]);
  rmSync(join(own.dir, 'config/syncs/concerts.yaml'));
  own.write('syncs/events.yaml', `resource: events\nsources: { music: { ${concerts}, renamedFrom: concerts } }\n`);
  await own.sync();
  expect(await own.explain('events', 'music/1')).toMatchObject({
    record: { cmsId: expect.any(Number) },
  });
});
