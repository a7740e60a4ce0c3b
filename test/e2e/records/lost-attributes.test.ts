import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src/ledger/database/open.ts';
import { start } from '../feedferry.ts';
import { threeTalks, writeTalks, writeTalksSync } from '../fixtures.ts';
import { either, inTurn } from '../in-turn.ts';
import { type RecordingProxy, startRecordingProxy } from '../recording-proxy.ts';
import { runHere } from '../run-here.ts';
import { type Item, openSite, type Site, simplest } from '../site.ts';

const COLUMNS = 'id,title,date,start,place';
const MAP = 'title: title, date: date, time.start: start, location: place';
const PATCH = /^PATCH \/(api\/v1\/calendar\/events\/\d+)$/;

function writePlaces(site: Site, change: (row: string) => string = (row) => row): void {
  writeTalksSync(site, MARK, { map: MAP });
  writeTalks(
    site,
    threeTalks.map((row) => change(`${row},Hall of ${row.slice(0, 2)}`)),
    { columns: COLUMNS },
  );
}

const retitled = (row: string) => row.replace(/,(\w+)/, ',Old $1');
const MARK = 'missing: { policy: set, set: { isFeatured: true }, after: 1 run, threshold: { percent: 60 } }\n';

/** What a CMS does with a PATCH besides applying it; returns its answer, or nothing. */
type Damage = (path: string, body: Record<string, unknown>, item: Item) => Promise<Item | undefined> | undefined;

/** A site with three delivered talks, to which editors have added values, and whose CMS then treats each PATCH as told. */
async function openDamaged(damage: Damage, added: object = {}, engines = simplest) {
  const site = await openSite(engines, { target: '  maxAttempts: 2\n  timeout: 700ms\n' });
  const proxy = await startRecordingProxy(site.sandbox.url);
  site.variables.CMS_BASE_URL = proxy.url;
  writePlaces(site);
  await site.sync();
  for (const id of [1, 2, 3]) await site.request('PATCH', `api/v1/calendar/events/${id}`, added);
  const before = await shown(site);
  proxy.requests.length = 0;
  const misbehave = () => {
    proxy.intercept = async ({ operation, body }) => {
      const [, path = ''] = PATCH.exec(operation) ?? [];
      if (path === '') return undefined;
      const answer = await damage(path, JSON.parse(body), await site.request('GET', path));
      return answer && { status: 200, body: JSON.stringify(answer) };
    };
  };
  misbehave();
  return {
    site,
    proxy,
    before,
    misbehave,
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
    },
  };
}

/** Empties values of each item that a PATCH does not name. */
function emptying(site: () => Site, empty: Record<string, unknown>): Damage {
  return (path, body) => site().request('PATCH', path, { ...empty, ...body });
}

/** The items without what the source has changed. */
async function shown(site: Site): Promise<object[]> {
  const items = await site.items('calendar/events');
  return items.map(({ title: _, isFeatured: __, ...rest }) => rest);
}

const patchedItems = ({ requests }: RecordingProxy) =>
  new Set(requests.filter(({ operation }) => PATCH.test(operation)).map(({ operation }) => operation)).size;

describe.each<[string, object, Record<string, unknown>]>([
  ["an editor's note", { note: 'Ask Ann' }, { note: '' }],
  ["an editor's picture", { photo: { src: '/files/own.png' } }, { photo: null }],
  [
    'a part of a part',
    { venue: { hall: 'A', desk: { phone: '1', mail: 'a' } } },
    { venue: { hall: 'A', desk: { mail: 'a' } } },
  ],
  ['an entry of a list', { tags: ['a', 'b', 'c'] }, { tags: ['a', 'b'] }],
  ['an attribute of the source', {}, { location: '' }],
  ['a flag', { isFlagged: true }, { isFlagged: false }],
])('A CMS whose PATCH empties %s', (_name, added, empty) => {
  test('is noticed at the first item, which is restored', async () => {
    let site: Site;
    await using damaged = await openDamaged(
      emptying(() => site, empty),
      added,
    );
    ({ site } = damaged);
    const { proxy, before } = damaged;
    writePlaces(site, retitled);
    for (const _ of ['first', 'second']) {
      proxy.requests.length = 0;
      const [run] = await site.sync();
      expect(run).toMatchObject({
        status: 'failed',
        error: { code: 'FF_CMS_PATCH_REPLACES', message: expect.stringContaining(Object.keys(empty)[0] ?? '') },
      });
      expect(patchedItems(proxy)).toBeLessThanOrEqual(2);
      expect(await shown(site)).toEqual(before);
    }
    proxy.intercept = undefined;
    expect(await site.sync()).toMatchObject([{ status: 'success' }]);
    expect(await shown(site)).toEqual(before);
    expect((await runHere(['verify'], site.variables)).exitCode).toBe(0);
  });
});

test.each(either(0))(
  'A loss that only the item shows, not the answer, is noticed at the first item ($ledger)',
  async (engines) => {
    let site: Site;
    const damage: Damage = async (path, body, item) => {
      await site.request('PATCH', path, { note: '', ...body });
      return { ...item, ...body };
    };
    await using damaged = await openDamaged(damage, { note: 'Ask Ann' }, engines);
    ({ site } = damaged);
    writePlaces(site, retitled);
    expect(await site.sync()).toMatchObject([{ status: 'failed', error: { code: 'FF_CMS_PATCH_REPLACES' } }]);
    expect(patchedItems(damaged.proxy)).toBe(1);
    expect(await shown(site)).toEqual(damaged.before);
  },
);

test('The mark of a missing record stops a run in the same way', async () => {
  let site: Site;
  await using damaged = await openDamaged(
    emptying(() => site, { note: '' }),
    { note: 'Ask Ann' },
  );
  ({ site } = damaged);
  writePlaces(site);
  writeTalks(site, [`${threeTalks[0]},Hall of T1`, `${threeTalks[1]},Hall of T2`], { columns: COLUMNS });
  expect(await site.sync()).toMatchObject([{ status: 'failed', error: { code: 'FF_CMS_PATCH_REPLACES' } }]);
  expect(await shown(site)).toEqual(damaged.before);
});

/** Does something to the first item that is sent a PATCH, just before it is applied. */
function onceBefore(site: () => Site, edit: object): Damage {
  let edits = 0;
  return async (path) => {
    if (edits++ === 0) await site().request('PATCH', path, edit);
    return undefined;
  };
}

describe('A value that is emptied once, by a CMS or an editor', () => {
  interface Emptied {
    of: string;
    added: object;
    empty: Record<string, unknown>;
  }
  const emptied = inTurn<Emptied>([
    { of: 'a note', added: { note: 'Ask Ann' }, empty: { note: '' } },
    { of: 'an attribute of the source', added: {}, empty: { location: '' } },
    { of: 'a picture', added: { photo: { src: '/files/own.png' } }, empty: { photo: null } },
  ]);
  const name = 'stays restored, and the log says so: $of, on $ledger with $queue';
  test.each(emptied)(name, async ({ added, empty, ...engines }) => {
    let site: Site;
    await using damaged = await openDamaged(
      onceBefore(() => site, empty),
      added,
      engines,
    );
    ({ site } = damaged);
    writePlaces(site, retitled);
    const { exitCode, stderr } = await runHere(['sync', 'talks'], { ...site.variables, LOG_LEVEL: 'warn' });
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 0,
      stderr: expect.stringMatching(
        new RegExp(`Item \\d+, .*T\\d.*, lacked ${Object.keys(empty)[0]} .* If an editor emptied it, empty it again`),
      ),
    });
    expect(await shown(site)).toEqual(damaged.before);
    expect((await runHere(['verify'], site.variables)).exitCode).toBe(0);
  });
});

describe('What is no loss', () => {
  test('An editor changes a value at the moment of the PATCH', async () => {
    let site: Site;
    await using damaged = await openDamaged(
      onceBefore(() => site, { note: 'Ask Bob' }),
      { note: 'Ask Ann' },
    );
    ({ site } = damaged);
    writePlaces(site, retitled);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 3 } }]);
    const notes = (await site.items('calendar/events')).map(({ note }) => note);
    expect(notes.toSorted()).toEqual(['Ask Ann', 'Ask Ann', 'Ask Bob']);
    expect((await runHere(['verify'], site.variables)).exitCode).toBe(0);
  });

  test('A CMS empties an attribute that it sets itself, and does not take', async () => {
    let site: Site;
    const damage: Damage = (path, { lockedBy: _, ...body }) => site.request('PATCH', path, { ...body, lockedBy: null });
    await using damaged = await openDamaged(damage, { lockedBy: 'Ann' });
    ({ site } = damaged);
    writePlaces(site, retitled);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 3 } }]);
  });

  test('A CMS derives flags of several days from the days, and counts revisions', async () => {
    let site: Site;
    const damage: Damage = (path, body, { revision }) =>
      site.request('PATCH', path, { ...body, showOnAllDates: false, revision: Number(revision) + 1 });
    await using damaged = await openDamaged(damage, { showOnAllDates: true, revision: 1 });
    ({ site } = damaged);
    writePlaces(site, (row) => row.replace('2027-03', '2027-04'));
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 3 } }]);
  });
});

test.each<[string, (body: object) => boolean]>([
  ['it has looked at an item', (body) => !('note' in body)],
  ['it has restored an item', (body) => 'note' in body],
])('A process that is killed before %s leaves that to the next run', async (_moment, isLast) => {
  let site: Site;
  let sent: () => void = () => undefined;
  const isSent = new Promise<void>((resolve) => {
    sent = resolve;
  });
  const damage: Damage = async (path, body) => {
    const answer = 'note' in body ? undefined : await site.request('PATCH', path, { note: '', ...body });
    if (!isLast(body)) return answer;
    sent();
    return new Promise<undefined>(() => undefined);
  };
  await using damaged = await openDamaged(damage, { note: 'Ask Ann' });
  ({ site } = damaged);
  const { proxy, before } = damaged;
  writePlaces(site, retitled);
  const { child, finished } = start(['sync', 'talks'], site.variables);
  await isSent;
  const { db } = await openDatabase({ dataDir: site.environment().dataDir });
  const open = await db.selectFrom('attempts').select(['method', 'before']).where('doubt', '=', 'sent').execute();
  await db.destroy();
  expect(open).toContainEqual({ method: 'PATCH', before: expect.stringContaining('Ask Ann') });
  child.kill('SIGKILL');
  await finished;
  expect(await shown(site)).not.toEqual(before);
  proxy.intercept = undefined;
  const { exitCode, stderr } = await runHere(['sync', 'talks'], { ...site.variables, LOG_LEVEL: 'warn' });
  expect({ exitCode, stderr }).toMatchObject({
    exitCode: 0,
    stderr: expect.stringMatching(/Item \d+, .* lacked note/),
  });
  expect(await shown(site)).toEqual(before);
  expect((await site.items('calendar/events')).map(({ title }) => title)).toEqual([
    'Old Maps',
    'Old Ships',
    'Old Tides',
  ]);
});

test('A loss that the answer shows stays in doubt while the item cannot be read', async () => {
  let site: Site;
  await using damaged = await openDamaged(
    emptying(() => site, { note: '' }),
    { note: 'Ask Ann' },
  );
  ({ site } = damaged);
  const { proxy, before } = damaged;
  const lose = proxy.intercept;
  const hidden = new Set<string>();
  proxy.intercept = async (request) => {
    const path = request.operation.replace(/^\w+ /, '');
    if (hidden.has(path)) return { status: 404, body: '{"errors":[]}' };
    if (PATCH.test(request.operation)) hidden.add(path);
    return lose?.(request);
  };
  writePlaces(site, retitled);
  expect(await site.sync()).toMatchObject([{ counts: { updated: 0 } }]);
  proxy.intercept = undefined;
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 3 } }]);
  expect(await shown(site)).toEqual(before);
});

test('What an editor empties after a look at an item whose update was not taken stays empty', async () => {
  await using damaged = await openDamaged(async (_path, _body, item) => item, { note: 'Ask Ann' });
  const { site, proxy } = damaged;
  writePlaces(site, retitled);
  expect(await site.sync()).toMatchObject([{ counts: { failed: 3 } }]);
  await site.request('PATCH', 'api/v1/calendar/events/1', { note: '' });
  proxy.intercept = undefined;
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 3 } }]);
  const notes = (await site.items('calendar/events')).map(({ note }) => note ?? '');
  expect(notes.toSorted()).toEqual(['', 'Ask Ann', 'Ask Ann']);
});
