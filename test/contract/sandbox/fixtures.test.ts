import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { temporaryDir } from '../../support/engines.ts';
import { accounts, type Body, callerOf, createEvent, eventBody, events, onePixelPng } from './harness.ts';

const content = onePixelPng.toString('base64');
const fixtures = {
  events: [eventBody, { ...eventBody, title: 'Concert', image: { src: 'fixture:poster.png', caption: 'Ink' } }],
  accounts: [{ username: 'ada', password: 'secret' }],
  files: { 'poster.png': { attribute: 'image', content } },
};

const yaml = `
events:
  arts:
    - title: Vernissage
      date: 2026-05-04
      endDate: 2026-05-04
      time: { start: 18:00:00 }
      image: { src: 'fixture:poster.png' }
  sports:
    - { title: Match, date: 2026-05-05, endDate: 2026-05-05, time: { type: tba } }
files:
  poster.png: { attribute: image, path: pictures/one.png }
`;

function folder(): { path: string } {
  const dir = temporaryDir();
  onTestFinished(() => dir[Symbol.dispose]());
  return dir;
}

function fileWith(text: string, name = 'fixtures.yaml'): string {
  const dir = folder();
  mkdirSync(join(dir.path, 'pictures'));
  writeFileSync(join(dir.path, 'pictures/one.png'), onePixelPng);
  writeFileSync(join(dir.path, name), text);
  return join(dir.path, name);
}

describe('Fixtures', () => {
  test('of a program are there from the start, as requests would have made them', async () => {
    await using sandbox = await startSandbox({ fixtures });
    const api = callerOf(sandbox);
    const { data } = (await api.call('GET', events)).body;
    expect(data.map(({ id, title }: Body) => [id, title])).toEqual([
      [1, 'Open day'],
      [2, 'Concert'],
    ]);
    expect(data[1].image).toEqual({
      src: expect.stringMatching(/^\/uploads\/image\/\w+-poster\.png$/),
      caption: 'Ink',
    });
    expect((await fetch(sandbox.url + data[1].image.src)).status).toBe(200);
    const { body } = await api.call('GET', `${accounts}/1`);
    expect(body).toMatchObject({ username: 'ada' });
    expect(JSON.stringify(sandbox.snapshot())).not.toContain('secret');
  });

  test.each(['fixtures.yaml', 'fixtures.json'])('of %s have instances, and files beside it', async (name) => {
    const { parse } = await import('yaml');
    const text = name.endsWith('json') ? JSON.stringify(parse(yaml)) : yaml;
    await using sandbox = await startSandbox({ fixtures: fileWith(text, name) });
    const api = callerOf(sandbox);
    const arts = (await api.call('GET', `${events}?instance=arts`)).body.data;
    expect(arts).toMatchObject([{ title: 'Vernissage', time: { start: '18:00:00' } }]);
    expect((await fetch(sandbox.url + arts[0].image.src)).status).toBe(200);
    expect((await api.call('GET', `${events}?instance=sports`)).body.totalItems).toBe(1);
    expect((await api.call('GET', events)).body.totalItems).toBe(0);
  });

  test('of the documentation are right', async () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/sandbox.md'), 'utf8');
    const [, block = ''] = /```yaml\n(# fixtures\.yaml\n.*?)```/s.exec(page) ?? [];
    const file = fileWith(block);
    renameSync(join(dirname(file), 'pictures/one.png'), join(dirname(file), 'pictures/poster.png'));
    await using sandbox = await startSandbox();
    expect(await sandbox.loadFixtures(file)).toMatchObject({
      events: [1],
      accounts: [1],
      files: { 'poster.png': expect.any(String) },
    });
  });

  test('are added to what is there, and their ids are returned', async () => {
    await using sandbox = await startSandbox({ fixtures });
    expect(await sandbox.loadFixtures({ events: { arts: [eventBody] }, accounts: [{}] })).toEqual({
      events: [3],
      accounts: [2],
      files: {},
    });
    const api = callerOf(sandbox);
    const answer = await api.call('POST', '/_sandbox/fixtures', fixtures);
    expect(answer.status).toBe(201);
    const src = expect.stringMatching(/^\/uploads\/image\//);
    expect(answer.body).toEqual({ events: [4, 5], accounts: [3], files: { 'poster.png': src } });
  });

  test('are loaded into a data folder once', async () => {
    const { path: dataDir } = folder();
    for (const _start of [1, 2]) {
      await using sandbox = await startSandbox({ dataDir, fixtures });
      expect((await callerOf(sandbox).call('GET', events)).body.totalItems).toBe(2);
    }
  });

  test.each<[string, string, string]>([
    ['a value', yaml.replace('18:00:00', '6 pm'), ':7: events.arts[0].time.start: must be a time HH:MM:SS'],
    ['a missing attribute', yaml.replace('title: Match, ', ''), ':10: events.sports[0].title: is required'],
    [
      'an unknown file',
      yaml.replace("'fixture:poster.png'", 'fixture:x'),
      ':8: events.arts[0].image: there is no file x',
    ],
    ['a missing file', yaml.replace('one.png', 'two.png'), ':12: files.poster.png.path: cannot be read'],
    ['an unknown key', 'evnets: []', ':1: Unrecognized key: "evnets"'],
    ['YAML', 'events:\n  - {', ':'],
    ['no object', '- 1', ':1: '],
  ])('with a mistake name its file and place: %s', async (_name, text, message) => {
    const file = fileWith(text);
    await expect(startSandbox({ fixtures: file })).rejects.toMatchObject({
      code: 'FF_SANDBOX_FIXTURES',
      message: expect.stringContaining(`${file}${message}`),
    });
  });

  test('that do not exist are FF_SANDBOX_FIXTURES', async () => {
    const { path } = folder();
    await expect(startSandbox({ fixtures: join(path, 'none.yaml') })).rejects.toMatchObject({
      code: 'FF_SANDBOX_FIXTURES',
      message: expect.stringContaining('none.yaml cannot be read'),
    });
  });

  test('of a request follow the rules of requests; one mistake, and nothing is created', async () => {
    await using sandbox = await startSandbox({ switches: { instances: ['arts'], uniqueAccounts: ['username'] } });
    const api = callerOf(sandbox);
    const refused = await api.call('POST', '/_sandbox/fixtures', {
      events: { arts: [eventBody, { ...eventBody, endDate: '2020-01-01' }], sports: [eventBody] },
      accounts: [{ username: 'ada' }, { username: 'ada' }],
      files: {
        'a.png': { attribute: 'image', path: '/etc/hostname' },
        'b.png': { attribute: 'image', content: 'AAAA' },
      },
    });
    expect(refused.status).toBe(422);
    expect(refused.body.errors.map(({ detail }: Body) => detail)).toEqual([
      'files.a.png.content: is required: a request cannot name files by path',
      expect.stringMatching(/^files\.b\.png\.upload: the file is not of an accepted type/),
      'accounts[1].username: another account has it already',
      'events.arts[1].endDate: 2020-01-01 is before date 2026-05-04',
      'events.sports: There is no such instance of the calendar.',
    ]);
    expect((await api.call('GET', events)).body.totalItems).toBe(0);
    expect((await createEvent(api)).id).toBe(1);
    const typed = await api.call('POST', '/_sandbox/fixtures', { events: [1], accounts: [{ email: 7 }] });
    expect(typed.body.errors[0].detail).toMatch(/^events\[0\]: /);
    const inProgram = sandbox.loadFixtures({ accounts: [{ email: 7 }] });
    await expect(inProgram).rejects.toMatchObject({
      code: 'FF_SANDBOX_FIXTURES',
      message: expect.stringContaining('accounts[0].email'),
    });
  });
});

describe('A reset', () => {
  test.each(['by a program', 'over HTTP'])('%s leaves what was there at the start, and nothing else', async (how) => {
    const faults = { faults: [{ kind: 'error' as const, route: '/account/accounts' as const }] };
    await using sandbox = await startSandbox({ fixtures, faults, now: () => 0 });
    const api = callerOf(sandbox);
    const before = sandbox.snapshot();
    const form = new FormData();
    form.set('upload', new Blob([new Uint8Array(onePixelPng)]), 'other.png');
    const { src } = (await api.call('POST', '/calendar/upload?attribute=other', form)).body;
    await createEvent(api, { image: { src } }, '?instance=arts');
    await api.call('DELETE', `${events}/1`);
    sandbox.setNow('2030-01-01T00:00:00Z');
    sandbox.setFaults();
    expect(sandbox.snapshot()).not.toEqual(before);

    if (how === 'over HTTP') expect((await api.call('POST', '/_sandbox/reset')).status).toBe(204);
    else await sandbox.reset();

    expect(sandbox.snapshot()).toEqual(before);
    expect([sandbox.journal(), sandbox.stats().total]).toEqual([[], 0]);
    expect((await fetch(sandbox.url + src)).status).toBe(404);
    expect((await api.call('GET', '/_sandbox/clock')).body.now).toMatch(/^1970/);
    expect((await api.call('GET', accounts)).status).toBe(500);
    expect((await createEvent(api)).id).toBe(3);
  });

  test('without fixtures leaves nothing, and ids from 1', async () => {
    await using sandbox = await startSandbox();
    const api = callerOf(sandbox);
    await createEvent(api);
    await sandbox.reset();
    expect((await api.call('GET', events)).body.totalItems).toBe(0);
    expect((await createEvent(api)).id).toBe(1);
  });
});

describe('A snapshot', () => {
  test('holds items of all instances, ids and files; restored elsewhere, nothing differs', async () => {
    await using first = await startSandbox({ fixtures, now: () => 0 });
    const api = callerOf(first);
    await createEvent(api, { title: 'Gallery', seats: { free: 5 } }, '?instance=arts');
    await createEvent(api);
    await api.call('DELETE', `${events}/4`);
    const snapshot = (await api.call('GET', '/_sandbox/snapshot')).body;
    expect(snapshot).toEqual(JSON.parse(JSON.stringify(first.snapshot())));

    const { path: dataDir } = folder();
    await using second = await startSandbox({ dataDir, now: () => 0 });
    const other = callerOf(second);
    await createEvent(other, { title: 'Lost' });
    expect((await other.call('PUT', '/_sandbox/snapshot', snapshot)).status).toBe(204);

    expect(second.snapshot()).toEqual(snapshot);
    for (const query of ['', '?instance=arts', '?search=gallery&instance=arts', '?startDate=2026-05-04&sort=-title']) {
      const [one, two] = await Promise.all([api, other].map((caller) => caller.call('GET', events + query)));
      expect(two?.body).toEqual(one?.body);
    }
    const { image } = (await other.call('GET', `${events}/2`)).body;
    expect((await fetch(second.url + image.src)).status).toBe(200);
    expect((await createEvent(other)).id).toBe(5);
  });

  test('can be restored again and again', async () => {
    await using sandbox = await startSandbox({ fixtures });
    const snapshot = sandbox.snapshot();
    for (const _round of [1, 2]) {
      expect((await createEvent(callerOf(sandbox))).id).toBe(3);
      sandbox.restore(snapshot);
      expect(sandbox.snapshot()).toEqual(snapshot);
    }
  });

  test.each<[string, (snapshot: Body) => void, RegExp]>([
    ['a path that climbs', ({ uploads }) => Object.assign(uploads[0], { src: '/uploads/../x' }), /^uploads\.0\.src: /],
    ['an id twice', ({ events: { items } }) => items.push(items[0]), /^events\.items: an id occurs twice/],
    [
      'a value of the wrong type',
      ({ events: { items } }) => Object.assign(items[1].data, { title: 7 }),
      /^events\.items\[1\]\.title: /,
    ],
    [
      'a missing file',
      (snapshot) => Object.assign(snapshot, { uploads: [] }),
      /^events\.items\[1\]\.image: no file was uploaded/,
    ],
    ['no items', (snapshot) => Object.assign(snapshot, { events: 1 }), /^events: /],
  ])('that does not fit is refused, and nothing changes: %s', async (_name, damage, detail) => {
    await using sandbox = await startSandbox({ fixtures });
    await using empty = await startSandbox();
    const given = structuredClone(sandbox.snapshot());
    damage(given);
    for (const target of [empty, sandbox]) {
      const before = target.snapshot();
      const { status, body } = await callerOf(target).call('PUT', '/_sandbox/snapshot', given);
      expect([status, body.errors[0].detail]).toEqual([422, expect.stringMatching(detail)]);
      expect(() => target.restore(given)).toThrow(expect.objectContaining({ code: 'FF_USAGE' }));
      expect(target.snapshot()).toEqual(before);
    }
  });
});
