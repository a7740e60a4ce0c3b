import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { writeTalks, writeTalksSync } from '../fixtures.ts';
import { type DraftPerson, openDraftSite } from './draft-site.ts';

const FILE = `# The talks of the museum
resource: events
source: { connector: csv, url: ./feeds/talks.csv } # of the booking system
key: id

map:
  title: name   # as printed
  date: day
  # The hall opens half an hour before.
  time.start: start
  location:
    field: hall # one of three
    default: "Main hall"
`;
const TESTS = `sync: talks
cases:
  - name: A talk
    fields: { id: T1, name: Maps, day: 2027-03-01, start: '18:00', hall: A }
    expect: { title: Maps, date: 2027-03-01, endDate: 2027-03-01, time: { start: '18:00:00', type: start }, location: A }
`;
const FEED = `id,name,day,start,hall,room,topic
T1,Maps,2027-03-01,18:00,A,1,History
T2,Ships,2027-03-02,10:00,,2,Sea
T3,Tides,2027-03-03,10:00,C,3,Sea
`;

describe('The file of a sync in the console', () => {
  let opened: Awaited<ReturnType<typeof openDraftSite>>;
  let ann: DraftPerson;
  let file: string;

  beforeAll(async () => {
    opened = await openDraftSite({ HTTP_EDIT: 'on' });
    ann = opened.person('ann');
    file = join(opened.site.dir, 'config', 'syncs', 'talks.yaml');
  });

  afterAll(() => opened?.[Symbol.asyncDispose]());

  beforeEach(() => {
    writeFileSync(file, FILE);
    opened.site.write('syncs/feeds/talks.csv', FEED);
    opened.reload();
  });

  /** Plans a change, as a person has to, and saves it. Returns the page to which that leads, or the refusal. */
  async function save(path: string, fields: Record<string, string> = {}) {
    await ann.post(`${path}/preview`, {});
    const saved = await ann.post(`${path}/save`, fields);
    return saved.status === 303 ? ann.get(saved.location) : saved;
  }

  async function openTalks(): Promise<string> {
    const { status, location, text } = await ann.get('/syncs/talks/change');
    expect(status, text).toBe(303);
    return location;
  }

  /** Maps an attribute from a field. */
  const map = (path: string, line: string, ...fields: string[]) =>
    ann.post(path, [['line', line], ['how', 'fields'], ...fields.map((field): [string, string] => ['fields', field])]);

  test('shows its lines, and changes nothing', async () => {
    const path = await openTalks();
    const { text } = await ann.get(path);
    expect(text).not.toContain('Because');
    expect(text).toContain('{ field: hall, default: Main hall }');
    expect(text).toMatch(/>topic</);
    expect((await ann.get(`${path}/preview`)).text).toContain('All 3 records can be published.');
    expect((await ann.get(`${path}/save`)).text).toMatch(/Nothing is changed\.(?![\s\S]*Save<\/button>)/);
  });

  test('A change replaces one line, shows what it would do, and keeps all others byte by byte', async () => {
    const path = await openTalks();
    await map(path, 'category', 'topic');
    await map(path, 'title', 'room');
    const { text } = await ann.get(`${path}/save`);
    expect(text).toContain('+  category: topic');
    expect(text).toContain('-  title: name   # as printed');
    await ann.post(`${path}/preview`, {});
    expect((await ann.get(`${path}/preview`)).text).toMatch(
      /What a run would do[\s\S]*Would be created<\/dt>\s*<dd>3 items/,
    );
    expect(readFileSync(file, 'utf8')).toBe(FILE);
    const saved = await save(path);
    expect(saved.text).toContain('in force within seconds');
    expect(readFileSync(file, 'utf8')).toBe(`${FILE.replace('title: name', 'title: room')}  category: topic\n`);
  });

  test('Saving is in the history with name and lines, and is taken back from there', async () => {
    const path = await openTalks();
    await map(path, 'title', 'topic');
    await save(path);
    expect(readFileSync(file, 'utf8')).toBe(FILE.replace('title: name', 'title: topic'));
    const { text } = await ann.get('/syncs/talks');
    expect(text).toMatch(/Ann[\s\S]*changed the sync file[\s\S]*\+ {2}title: topic {3}# as printed/);
    const [edit] = await opened.app.ledger.history.deeds({ sync: 'talks' }, 1);
    expect(edit).toMatchObject({ deed: 'edit', by: 'Ann' });
    expect((await ann.get('/syncs/talks/edits')).text).toMatch(
      /: Ann<\/h2>[\s\S]*\+ {2}title: topic[\s\S]*Take back<\/button>/,
    );
    const back = await ann.post('/syncs/talks/edits', { at: edit?.at ?? '' });
    expect(back).toMatchObject({ status: 303, location: '/syncs/talks/edits?done=edit' });
    expect((await ann.get(back.location)).text).toContain('takes back the edit of');
    expect(readFileSync(file, 'utf8')).toBe(FILE);
    const again = await ann.post('/syncs/talks/edits', { at: edit?.at ?? '' });
    expect(again).toMatchObject({ status: 422, text: expect.stringContaining('has changed since') });
  });

  test('A file that somebody else has changed meanwhile is not overwritten', async () => {
    const path = await openTalks();
    await map(path, 'title', 'topic');
    const theirs = `${FILE}schedule: { every: 1h }\n`;
    writeFileSync(file, theirs);
    const { status, text } = await save(path);
    expect(status).toBe(422);
    expect(text).toContain('syncs/talks.yaml has changed since');
    expect(readFileSync(file, 'utf8')).toBe(theirs);
  });

  test('Fields that the feed has renamed are mapped with one click', async () => {
    opened.site.write('syncs/feeds/talks.csv', FEED.replace('name,day', 'Names,day').replace('hall', 'Halls'));
    const path = await openTalks();
    const { text } = await ann.get(path);
    expect(text).toContain('Map it: read Names');
    await ann.post(path, { how: 'rename', line: 'name', value: 'Names' });
    await ann.post(path, { how: 'rename', line: 'hall', value: 'Halls' });
    const { text: mapped } = await ann.get(path);
    expect(mapped).not.toContain('fields that the feed does not have');
    await save(path);
    expect(readFileSync(file, 'utf8')).toBe(
      FILE.replace('title: name', 'title: Names').replace('field: hall', 'field: Halls'),
    );
  });

  test('Mapping tests stay as they are, and show what a change would break', async () => {
    opened.site.write('tests/talks.yaml', TESTS);
    const path = await openTalks();
    await map(path, 'title', 'hall');
    expect((await ann.get(path)).text).toMatch(
      /1 of 1 mapping test of the sync would fail[\s\S]*title would be A, expected Maps/,
    );
    await save(path);
    expect(readFileSync(join(opened.site.dir, 'config/tests/talks.yaml'), 'utf8')).toBe(TESTS);
    rmSync(join(opened.site.dir, 'config/tests/talks.yaml'));
  });

  test.each([
    ['resource', 'accounts', 409, 'its resource cannot change'],
    ['source.url', 'https://example.org/other.csv', 422, 'cannot be set in a browser'],
    ['source.headers', 'y', 422, 'cannot be set in a browser'],
    ['map', 'x', 422, ''],
  ])('%s is not changed here', async (line, value, _status, reason) => {
    const path = await openTalks();
    const { status, text } = await ann.post(path, { line, how: 'setting', value });
    expect([409, 422]).toContain(status);
    expect(text).toContain(reason);
    expect((await ann.get(`${path}/save`)).text).toContain('Nothing is changed.');
  });

  test('A typed value is literal: it names no variable', async () => {
    const path = await openTalks();
    await ann.post(path, { line: 'category', how: 'text', value: '${CMS_API_TOKEN}' });
    const { text } = await ann.get(`${path}/save`);
    expect(text).toContain('$${CMS_API_TOKEN}');
    expect(text).not.toContain(opened.site.sandbox.token);
  });

  test('Another key is warned of, because it concerns all records', async () => {
    const path = await openTalks();
    await map(path, 'key', 'name');
    expect((await ann.get(path)).text).toContain('With another key, the records of the feed are new ones');
  });

  test('A change is saved only after its plan, which counts what the feed no longer has', async () => {
    await opened.site.sync(['talks']);
    opened.site.write('syncs/feeds/talks.csv', FEED.replace(/T3.*\n/, ''));
    const path = await openTalks();
    await map(path, 'title', 'topic');
    expect((await ann.get(`${path}/save`)).text).not.toContain('Save</button>');
    expect(await ann.post(`${path}/save`, {})).toMatchObject({
      status: 422,
      text: expect.stringContaining('is not known yet'),
    });
    await ann.post(`${path}/preview`, {});
    expect((await ann.get(`${path}/preview`)).text).toMatch(/Missing in the feed<\/dt>\s*<dd>1 record/);
    expect((await ann.get(`${path}/save`)).text).toContain('Save</button>');
    await ann.post(path, { line: 'category', how: 'text', value: 'Talk' });
    expect((await ann.get(`${path}/save`)).text).not.toContain('Save</button>');
  });

  test('Records that would share their key are rejected, as in a run', async () => {
    const path = await openTalks();
    await map(path, 'key', 'topic');
    expect((await ann.get(`${path}/preview`)).text).toMatch(
      /1 can be published, 2 would be rejected[\s\S]*FF_RECORD_DUPLICATE/,
    );
  });

  test('An edit is taken back only if the file is as the edit has left it', async () => {
    const path = await openTalks();
    await ann.post(path, { line: 'location', how: 'none' });
    await save(path);
    const [edit] = await opened.app.ledger.history.deeds({ sync: 'talks' }, 1);
    const theirs = `# One more line\n${readFileSync(file, 'utf8')}`;
    writeFileSync(file, theirs);
    expect((await ann.post('/syncs/talks/edits', { at: edit?.at ?? '' })).status).toBe(422);
    expect(readFileSync(file, 'utf8')).toBe(theirs);
    writeFileSync(file, theirs.replace('# One more line\n', ''));
    expect((await ann.post('/syncs/talks/edits', { at: edit?.at ?? '' })).status).toBe(303);
    expect(readFileSync(file, 'utf8')).toBe(FILE);
  });

  test('A file that is not UTF-8 is not opened, because bytes would be lost', async () => {
    const bytes = Buffer.from(FILE.replace('museum', 'Mus\u00e9e'), 'latin1');
    writeFileSync(file, bytes);
    const { status, text } = await ann.get('/syncs/talks/change');
    expect(status).toBe(409);
    expect(text).toContain('talks.yaml is not UTF-8');
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  test('A read-only file in a folder that can be written is left alone', async () => {
    const path = await openTalks();
    await map(path, 'title', 'topic');
    chmodSync(file, 0o444);
    try {
      const { status, text } = await save(path);
      expect(status).toBe(422);
      expect(text).toContain('cannot be written');
      expect(readFileSync(file, 'utf8')).toBe(FILE);
    } finally {
      chmodSync(file, 0o644);
    }
  });

  test('A correction that changes nothing in the file says so', async () => {
    const path = await openTalks();
    const nothing = { status: 422, text: expect.stringContaining('This changes nothing in the file') };
    expect(await ann.post(path, { line: 'year', how: 'setting', value: '2027' })).toMatchObject(nothing);
    expect(await ann.post(path, { line: 'image', how: 'none' })).toMatchObject(nothing);
    expect(await ann.post(path, { how: 'rename', line: 'gone', value: 'topic' })).toMatchObject(nothing);
    for (const line of ['verify', 'adopt.match', 'window', 'sources'])
      expect(await ann.post(path, { line, how: 'setting', value: 'x' })).toMatchObject({
        status: 422,
        text: expect.stringContaining(`${line} cannot be set in a browser`),
      });
  });

  test('A renamed field that only a template reads is named, without a button', async () => {
    writeFileSync(file, FILE.replace('title: name ', 'title: { template: "{{ name }}!" } '));
    opened.site.write('syncs/feeds/talks.csv', FEED.replace('name,day', 'names,day'));
    const { text } = await ann.get(await openTalks());
    expect(text).toMatch(/fields that the feed does not have[\s\S]*<code>name<\/code>/);
    expect(text).not.toContain('Map it: read');
  });

  test('Tests of other syncs do not matter', async () => {
    opened.site.write('syncs/others.yaml', FILE);
    opened.site.write('tests/others.yaml', TESTS.replace('sync: talks', 'sync: others'));
    opened.reload();
    const { text } = await ann.get(await openTalks());
    expect(text).not.toContain('mapping test');
    rmSync(join(opened.site.dir, 'config/tests/others.yaml'));
  });

  test('Opening a sync again opens no other draft, and a person keeps eight at most', async () => {
    const others = await opened.person('cleo').draft();
    const draftsOf = async () => (await ann.get('/feeds/new')).text.match(/>talks<\/a>/g)?.length;
    await openTalks();
    const before = await draftsOf();
    await openTalks();
    expect(await draftsOf()).toBe(before);
    for (let count = 0; count < 22; count += 1) await ann.draft();
    expect((await opened.person('cleo').get(others)).status).toBe(200);
  });

  test('A sync that is saved from an uploaded feed runs, and a new version counts after its plan', async () => {
    const walks = FEED.replaceAll('2027-03', '2027-06').replace('Maps', 'Owls').replace('Ships', 'Mosses');
    const path = await ann.draft(walks, 'walks.csv');
    expect((await save(path, { name: 'city-walks' })).text).toContain('Changes of city-walks');
    const uploads = join(opened.site.dir, 'data/uploads');
    const [first = ''] = readdirSync(uploads);
    expect(first).toMatch(/^\d{4}-\d\d-\d\d-walks\.csv$/);
    expect(await opened.site.sync(['city-walks'])).toMatchObject([{ counts: { read: 3, rejected: 0, failed: 0 } }]);
    const { text: page } = await ann.get('/syncs/city-walks');
    expect(page).toMatch(/the file walks\.csv, uploaded on \d{4}-[\s\S]*Upload a new version/);
    expect((await ann.get('/syncs/city-walks/upload')).text).toContain('type="file"');
    // The new version counts when it is saved, after its plan.
    const next = walks.replace('Owls', 'Bats').replace(/T3.*\n/, '');
    const version = await ann.upload('walks.csv', next, undefined, '/syncs/city-walks/upload');
    expect(version.status, version.text).toBe(303);
    expect((await ann.get(version.location)).text).toContain('the new version of the feed');
    expect(await ann.post(`${version.location}/save`, {})).toMatchObject({ status: 422 });
    expect(readdirSync(uploads)).toEqual([first]);
    await ann.post(`${version.location}/preview`, {});
    expect((await ann.get(`${version.location}/preview`)).text).toMatch(
      /adopted or changed<\/dt><dd>1 item[\s\S]*Missing in the feed<\/dt><dd>1 record/,
    );
    await save(version.location);
    expect(readdirSync(uploads)).toHaveLength(2);
    expect(await opened.site.sync(['city-walks'])).toMatchObject([{ counts: { read: 2, updated: 1 } }]);
    // Taking the upload back reads the former version again.
    const [edit] = await opened.app.ledger.history.deeds({ sync: 'city-walks' }, 1);
    expect((await ann.post('/syncs/city-walks/edits', { at: edit?.at ?? '' })).status).toBe(303);
    expect(await opened.site.sync(['city-walks'])).toMatchObject([{ counts: { read: 3, updated: 1 } }]);
    expect((await ann.upload('walks.csv', '', undefined, '/syncs/city-walks/upload')).status).toBe(422);
  });

  test.each([
    ['talks', 'is the name of another sync'],
    ['../talks', 'cannot be the name'],
    ['', 'cannot be the name'],
  ])('The name "%s" is refused for a new sync, and nothing is saved', async (name, message) => {
    const path = await ann.draft(FEED, 'unsaved.csv');
    expect(await ann.post(`${path}/save`, { name })).toMatchObject({
      status: 422,
      text: expect.stringContaining(message),
    });
    expect(readdirSync(join(opened.site.dir, 'data/uploads')).join()).not.toContain('unsaved');
  });

  test('Secrets of the file are neither on the page nor in the history', async () => {
    const secret = 'Sesame-0123456789';
    writeFileSync(file, FILE.replace('talks.csv }', `talks.csv, headers: { X-Api-Key: ${secret} } }`));
    const path = await openTalks();
    await ann.post(path, { line: 'source.delimiter', how: 'setting', value: ',' });
    const { text } = await ann.get(`${path}/save`);
    expect(text).not.toContain(secret);
    expect((await ann.get(`${path}/sync.yaml`)).status).toBe(404);
    await save(path);
    expect(readFileSync(file, 'utf8')).toContain(secret);
    const [edit] = await opened.app.ledger.history.deeds({ sync: 'talks' }, 1);
    expect(edit?.patch).toContain('***');
    expect(JSON.stringify(edit)).not.toContain(secret);
    // What the history does not have cannot be restored.
    expect((await ann.post('/syncs/talks/edits', { at: edit?.at ?? '' })).status).toBe(422);
  });

  test('A source of several is opened by its name, and its own lines change there', async () => {
    const text = `resource: events
sources:
  house: { connector: csv, url: ./feeds/talks.csv }
  city: { connector: csv, url: ./feeds/city.csv, map: { title: what, date: day } } # the city's
key: id
map: { title: name, date: day }
`;
    opened.site.write('syncs/both.yaml', text);
    opened.site.write('syncs/feeds/city.csv', 'id,what,day,where\nC1,Walk,2027-03-05,Park\n');
    opened.reload();
    const opening = await ann.get('/syncs/both/change?source=city');
    expect(opening.status, opening.text).toBe(303);
    expect((await ann.get(opening.location)).text).toContain('Open house');
    await map(opening.location, 'location', 'where');
    await save(opening.location);
    const saved = () => readFileSync(join(opened.site.dir, 'config/syncs/both.yaml'), 'utf8');
    const mapped = text.replace('date: day } } # the', 'date: day, location: where } } # the');
    expect(saved()).toBe(mapped);
    // A new version of its feed, too: the plan reads it, and the other source as before.
    const to = '/syncs/both/upload?source=city';
    expect((await ann.get(to)).text).toContain('A new version of the feed of both: city');
    const next = 'id,what,day,where\nC1,Walk,2027-03-05,Park\nC2,Run,2027-03-06,Park\n';
    const version = await ann.upload('city.csv', next, undefined, to);
    expect((await ann.get(version.location)).text).toMatch(/Records read<\/dt><dd>2</);
    await ann.post(`${version.location}/preview`, {});
    expect((await ann.get(`${version.location}/preview`)).text).toMatch(/Records read<\/dt><dd>5</);
    await save(version.location);
    expect(saved().replace(/url: [./\w]*\/data\/uploads\/\d{4}-\d\d-\d\d-city.csv/, 'url: ./feeds/city.csv')).toBe(
      mapped,
    );
    expect((await ann.get('/syncs/both')).text).toMatch(
      /The feed of city is the file city.csv[\s\S]*syncs\/both\/upload\?source=city/,
    );
  });

  test('A new sync is saved with its tests, and taking that back removes both, unless it has published something', async () => {
    const path = await ann.draft(FEED, 'lectures.csv');
    const { text } = await save(path);
    expect(text).toMatch(/Saved\. This is in force within seconds(?![\s\S]*was removed)[\s\S]*syncs\/lectures.yaml:/);
    const saved = join(opened.site.dir, 'config/syncs/lectures.yaml');
    expect(parse(readFileSync(saved, 'utf8')).map).toMatchObject({ title: 'name' });
    const [edit] = await opened.app.ledger.history.deeds({ sync: 'lectures' }, 1);
    const back = await ann.post('/syncs/lectures/edits', { at: edit?.at ?? '' });
    expect(back.status, back.text).toBe(303);
    const { status, text: stays } = await ann.get(back.location);
    expect(status).toBe(200);
    expect(stays).toContain('This sync was removed.');
    expect(stays).not.toContain('href="/syncs/lectures"');
    expect(() => readFileSync(saved)).toThrow('ENOENT');
    expect(() => readFileSync(saved.replace('/syncs/', '/tests/'))).toThrow('ENOENT');
  });

  test('Only people with the permission open or save files', async () => {
    const ben = opened.person('ben');
    expect((await ben.get('/syncs/talks')).text).not.toContain('Change its fields');
    expect((await ben.get('/syncs/talks/change')).status).toBe(403);
    expect((await ben.get('/syncs/talks/edits')).status).toBe(403);
    const path = await openTalks();
    expect((await opened.person('cleo').post(`${path}/save`, {})).status).toBe(404);
    expect((await ben.post('/syncs/talks/edits', { at: new Date().toISOString() })).status).toBe(403);
  });
});

describe('With HTTP_EDIT=draft', () => {
  test('the changed lines are for copying, and nothing is saved', async () => {
    await using opened = await openDraftSite();
    writeTalksSync(opened.site);
    writeTalks(opened.site, ['T1,Maps,2027-03-01,18:00']);
    const ann = opened.person('ann');
    const { location } = await ann.get('/syncs/talks/change');
    await ann.post(location, { line: 'title', how: 'fields', fields: 'id' });
    const { text } = await ann.get(`${location}/save`);
    expect(text).toMatch(/Download config\/syncs\/talks.yaml[\s\S]*\+map: { title: id/);
    expect(text).not.toContain('Save</button>');
    expect((await ann.post(`${location}/save`, { name: 'others' })).status).toBe(422);
    expect((await ann.get(`${location}/sync.yaml`)).text).toContain('title: id');
  });
});
