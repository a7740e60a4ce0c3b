import { expect, test } from 'vitest';
import { drawSettings } from '../plan/settings.ts';
import { openSite } from '../site.ts';
import { createChance } from '../world/chance.ts';
import { UPLOADS } from '../world/cms.ts';
import { createEditors } from '../world/editors.ts';
import type { Applied } from '../world/network.ts';
import { createWorld } from '../world/world.ts';
import { createWatch } from './watch.ts';

const ITEM = { by: 'A1', path: '/calendar/events/1', query: '', status: 200, answer: 'applied' };
const LOOK = { ...ITEM, method: 'GET' };
const WRITE = { ...ITEM, method: 'PATCH', body: { title: 'Talk 1' } };
const CREATED_AT = 1_000;

test.each<{ of: string; before: Applied[]; isFound: boolean }>([
  { of: 'never read', before: [], isFound: true },
  { of: 'read since', before: [{ ...LOOK, at: 1_001 }], isFound: true },
  { of: 'read by another process', before: [{ ...LOOK, by: 'B1', at: 999 }], isFound: true },
  {
    of: 'read and written otherwise before',
    before: [
      { ...LOOK, at: 998 },
      { ...WRITE, body: { title: 'Talk 2' }, at: 999 },
    ],
    isFound: true,
  },
  {
    of: 'read and deleted before',
    before: [
      { ...LOOK, at: 998 },
      { ...ITEM, method: 'DELETE', at: 999 },
    ],
    isFound: true,
  },
  { of: 'read before', before: [{ ...LOOK, at: 999 }], isFound: false },
  {
    of: 'read before, for a write that is repeated',
    before: [
      { ...LOOK, at: 998 },
      { ...WRITE, at: 999 },
    ],
    isFound: false,
  },
])('A write of an item that editors have created, $of: found $isFound', async ({ before, isFound }) => {
  const site = await siteWithOwnItem();
  const watch = createWatch({ ...site, log: before }, []);

  watch.onWrite({ ...WRITE, at: 1_002 }, site.cms);

  expect(watch.findings.map(({ is }) => is)).toEqual(isFound ? ['overwritten'] : []);
  // What cannot be noticed does not count in the end, either.
  expect(site.editors.own.get(1)?.item === undefined).toBe(!isFound);
});

test('A note is the editors’ own, whatever was read before', async () => {
  const site = await siteWithOwnItem();
  const watch = createWatch({ ...site, log: [{ ...LOOK, at: 999 }] }, []);

  watch.onWrite({ ...WRITE, body: { note: '' }, at: 1_002 }, site.cms);

  expect(watch.findings).toMatchObject([{ is: 'overwritten' }]);
});

test.each([
  { lookedAt: 998, isFound: true },
  { lookedAt: 1_000, isFound: false },
])(
  'A file that was uploaded at 999 is sent for an item that was looked at at $lookedAt: found $isFound',
  async ({ lookedAt, isFound }) => {
    const site = await siteWithOwnItem();
    site.editors.own.clear();
    const src = '/uploads/image/1-talk.png';
    site.cms.files.set(src, 'a picture');
    const upload = { ...ITEM, method: 'POST', path: UPLOADS, body: { fileName: 'talk.png', content: 'a picture' } };
    const before = [
      { ...upload, at: 999 },
      { ...LOOK, at: lookedAt },
    ];
    const watch = createWatch({ ...site, log: before }, []);

    watch.onWrite({ ...WRITE, body: { image: { src } }, at: 1_002 }, site.cms);

    expect(watch.findings.map(({ is }) => is)).toEqual(isFound ? ['overwritten'] : []);
  },
);

test('A copy with the external id is the editors’ as long as its original is there', async () => {
  const { cms, world, resource } = await siteWithOwnItem();
  const item = { title: 'Talk 1', date: '2027-03-02', endDate: '2027-03-02', time: { type: 'allDay' } };
  cms.answer({ method: 'DELETE', path: '/calendar/events/1', query: '' });
  cms.answer({ method: 'POST', path: '/calendar/events', query: '', body: item });
  const editors = createEditors(
    () => cms,
    world,
    resource,
    () => true,
  );
  editors.work('copy', 0);

  expect(editors.isOwn(3)).toBe(true);
  cms.answer({ method: 'DELETE', path: '/calendar/events/2', query: '' });
  expect(editors.isOwn(3)).toBe(false);
});

test('To clear a text that is not there is no edit', async () => {
  const site = await siteWithOwnItem();
  const item = { title: 'Talk 1', date: '2027-03-02', endDate: '2027-03-02', time: { type: 'allDay' } };
  site.cms.answer({ method: 'POST', path: '/calendar/events', query: '', body: item });

  site.editors.work('clear', 0);
  expect(site.editors.described.size).toBe(0);
  site.editors.work('describe', 0);
  site.editors.work('clear', 0);
  expect(site.editors.described.get(2)).toMatchObject({ text: '' });
});

test.each([
  { lookedAt: 999, isFound: false },
  { lookedAt: 1_001, isFound: true },
])(
  'A text that editors clear at 1000 is restored after a PATCH whose look was at $lookedAt: found $isFound',
  async ({ lookedAt, isFound }) => {
    const site = await siteWithOwnItem();
    const item = { title: 'Talk 1', date: '2027-03-02', endDate: '2027-03-02', time: { type: 'allDay' } };
    site.cms.answer({ method: 'POST', path: '/calendar/events', query: '', body: item });
    site.editors.work('describe', 0);
    const { text } = site.editors.described.get(2) ?? {};
    site.editors.work('clear', 0);
    const path = '/calendar/events/2';
    const log = [
      { ...LOOK, path, at: lookedAt },
      { ...WRITE, path, at: 1_002 },
      { ...LOOK, path, at: 1_003 },
    ];
    const watch = createWatch({ ...site, settings: { ...site.settings, editorsOwn: true }, log }, []);

    watch.onWrite({ ...WRITE, path, body: { description: text }, at: 1_004 }, site.cms);

    expect(watch.findings.map(({ is }) => is)).toEqual(isFound ? ['overwritten'] : []);
  },
);

test('A CMS that is restored again has the items of editors as they were', async () => {
  const site = await siteWithOwnItem();
  const watch = createWatch({ ...site, log: [{ ...LOOK, at: 999 }] }, []);
  const backup = site.editors.copy();
  const { item } = site.editors.own.get(1) ?? {};

  site.editors.restore(backup);
  watch.onWrite({ ...WRITE, at: 1_002 }, site.cms);
  site.editors.restore(backup);

  expect(item).toContain('Staff outing');
  expect(site.editors.own.get(1)?.item).toBe(item);
});

async function siteWithOwnItem() {
  const world = createWorld(createChance(1), CREATED_AT);
  const site = openSite(world, { ...drawSettings(1, createChance(1)), resource: 'events' });
  site.editors.work('add', 1);
  for (const machine of site.crew.machines) machine.kill();
  return site;
}
