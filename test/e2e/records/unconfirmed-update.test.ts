import { describe, expect, test } from 'vitest';
import { setFaults, writeTalks, writeTalksSync } from '../fixtures.ts';
import { either } from '../in-turn.ts';
import { type Item, openSite, png, type Site, simplest, writeTarget } from '../site.ts';

async function siteWithTalk(options = '', engines = simplest): Promise<Site> {
  const site = await openSite(engines, { target: '  maxAttempts: 1\n' });
  writeTalksSync(site, `attachments: { image: image }\n${options}`, {
    map: 'title: title, date: date, time.start: start, room: room',
  });
  site.write('syncs/feeds/a.png', png(1));
  site.write('syncs/feeds/b.png', png(2));
  writeTalk(site, 'Maps', '', 'a.png');
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1 } }]);
  return site;
}

function writeTalk(site: Site, title: string, room: string, image: string): void {
  writeTalks(site, [`1,${title},2027-03-01,18:00,${room},${image}`], { columns: 'id,title,date,start,room,image' });
}

/** The PATCH is applied, but its response is lost. */
async function changeUnconfirmed(site: Site): Promise<void> {
  const lost = { kind: 'error', method: 'PATCH', when: 'after' };
  await setFaults(site, lost);
  writeTalk(site, 'Charts', 'Hall 1', 'b.png');
  expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { failed: 1 } }]);
  await setFaults(site);
  expect(await talk(site)).toMatchObject({ title: 'Charts', room: 'Hall 1' });
}

async function talk(site: Site): Promise<Item> {
  const [item] = await site.items('calendar/events');
  if (!item) throw new Error('the talk is gone');
  return item;
}

describe('Updates without a response', () => {
  test.each(either(0))(
    'An unconfirmed update that the source reverts is reverted in the CMS, on $ledger with $queue',
    async (engines) => {
      await using site = await siteWithTalk('', engines);
      const before = await talk(site);
      await changeUnconfirmed(site);
      writeTalk(site, 'Maps', '', 'a.png');
      expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 1 } }]);
      expect(await talk(site)).toEqual(before);
      site.writes();
      expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 1 } }]);
      expect(site.writes()).toEqual({});
    },
  );

  test('An unconfirmed update of title and day is followed by another one, without external ids', async () => {
    await using site = await openSite(simplest);
    writeTarget(site, '  maxAttempts: 1\n');
    writeTalksSync(site);
    writeTalks(site, ['1,Maps,2027-03-01,18:00']);
    await site.sync();
    await setFaults(site, { kind: 'error', method: 'PATCH', when: 'after' });
    writeTalks(site, ['1,Charts,2027-04-01,19:00']);
    expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { failed: 1 } }]);
    await setFaults(site);
    writeTalks(site, ['1,Globes,2027-05-01,20:00']);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 1 } }]);
    expect(await talk(site)).toMatchObject({ title: 'Globes', date: '2027-05-01' });
  });

  test('An unconfirmed update that the source partly reverts is reverted in that part', async () => {
    await using site = await siteWithTalk();
    await changeUnconfirmed(site);
    writeTalk(site, 'Maps', 'Hall 2', 'b.png');
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 1 } }]);
    expect(await talk(site)).toMatchObject({ title: 'Maps', room: 'Hall 2' });
  });

  test("An unconfirmed update does not count as an editor's change", async () => {
    await using site = await siteWithTalk('authority: { title: editor }');
    await changeUnconfirmed(site);
    await site.sync();
    writeTalk(site, 'Tides', 'Hall 1', 'b.png');
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 1 } }]);
    expect(await talk(site)).toMatchObject({ title: 'Tides' });
  });
});
