import { expect, test } from 'vitest';
import { png, type Site } from '../site.ts';
import { CONCERT, openCampus } from './two-calendars.ts';

const SYNC = `resource: events
sources:
  central: { connector: csv, url: ./feeds/central.csv }
  music: { connector: csv, url: ./feeds/music.csv }
merge: { fill: { image: [music] } }
key: id
map: { title: title, date: date, time.start: start, location: hall }
attachments: { image: image }
`;

async function openPictures(): Promise<Site> {
  const site = await openCampus();
  site.write('syncs/campus.yaml', SYNC);
  site.write('syncs/feeds/central.png', png(1));
  site.write('syncs/feeds/music.png', png(2));
  return site;
}

const write = (site: Site, source: string, key: string, image: string) =>
  site.write(`syncs/feeds/${source}.csv`, `id,title,date,start,hall,image\n${[key, ...CONCERT, image].join(',')}\n`);

/** The picture of the item; '': it has none. */
async function pictureOf(site: Site): Promise<string> {
  const [item] = (await site.items('calendar/events')) as Array<{ image?: { src?: string } | null }>;
  return item?.image?.src ?? '';
}

test('The picture comes from the source that `fill` names, if its record names one', async () => {
  await using site = await openPictures();
  write(site, 'central', '1', 'central.png');
  write(site, 'music', '7', '');
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1, uploaded: 1 } }]);
  const ofCentral = await pictureOf(site);
  write(site, 'music', '7', 'music.png');
  expect(await site.sync()).toMatchObject([{ counts: { updated: 1, uploaded: 1 } }]);
  const ofMusic = await pictureOf(site);
  expect(ofMusic).not.toBe(ofCentral);
  write(site, 'music', '7', '');
  expect(await site.sync()).toMatchObject([{ counts: { updated: 1 } }]);
  expect(await pictureOf(site)).toBe(ofCentral);
});

test('A picture that cannot be fetched does not switch to that of another source', async () => {
  await using site = await openPictures();
  write(site, 'central', '1', 'central.png');
  write(site, 'music', '7', 'lost.png');
  expect(await site.sync()).toMatchObject([{ counts: { created: 1, uploaded: 0 }, withoutFiles: 1 }]);
  expect(await pictureOf(site)).toBe('');
  site.write('syncs/feeds/lost.png', png(3));
  expect(await site.retry('campus')).toMatchObject({ counts: { uploaded: 1 } });
  const picture = await pictureOf(site);
  expect(picture).not.toBe('');
  // It stays, though its record names another one that cannot be fetched.
  write(site, 'music', '7', 'gone.png');
  await site.sync();
  expect(await pictureOf(site)).toBe(picture);
});
