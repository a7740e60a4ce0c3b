import { describe, expect, test } from 'vitest';
import { writeTalks, writeTalksSync } from '../fixtures.ts';
import { serveConsole } from '../serve-console.ts';
import { openSite, png, type Site, simplest } from '../site.ts';

const columns = 'id,title,date,start,image,caption,category';

/** Writes talks: picture, caption and category of each. */
function writeRows(site: Site, ...rows: string[]): void {
  writeTalks(
    site,
    rows.map((row, index) => `T${index},Talk ${index},2027-03-0${index + 1},18:00,${row}`),
    { columns },
  );
}

async function images(site: Site): Promise<unknown[]> {
  const items = await site.items('calendar/events');
  return items.toSorted((a, b) => String(a.title).localeCompare(String(b.title))).map(({ image }) => image ?? null);
}

const src = expect.any(String);

describe('Alternative texts', () => {
  const withAlt = 'attachments: { image: { field: image, alt: caption } }\n';

  test('A picture is sent with its text; a change of the text is one PATCH and no upload', async () => {
    await using site = await openSite(simplest);
    writeTalksSync(site, withAlt);
    site.write('syncs/feeds/a.png', png(1));
    writeRows(site, 'a.png,An old map,', 'a.png,,');
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 2, uploaded: 1 } }]);
    expect(await images(site)).toEqual([{ src, alt: 'An old map' }, { src }]);
    // They are listed for people, with what a screen reader says of them, after those that wait for a text.
    writeTalksSync(site, `${withAlt}rules: { image: { image: { alt: true }, then: hold } }\n`);
    writeRows(site, 'a.png,An old map,', 'a.png,,', 'a.png,,');
    expect(await site.sync()).toMatchObject([{ counts: { held: 1 } }]);
    const page = await fetch(`${await serveConsole(site)}/syncs/talks/pictures`, { headers: { accept: 'text/html' } });
    writeTalksSync(site, withAlt);
    writeRows(site, 'a.png,An old map,', 'a.png,,');
    expect(await page.text()).toMatch(
      /Not on the site yet.*Talk 2.*a\.png.*is held by a rule.*<img src="[^"]+" alt="An old map".*An old map<\/td>.*alt="Picture of .*unknown</s,
    );
    expect(await site.sync()).toMatchObject([{ counts: { unchanged: 2 } }]);

    site.writes();
    writeRows(site, 'a.png,A new map,', 'a.png,,');
    expect(await site.sync()).toMatchObject([{ counts: { updated: 1, unchanged: 1, uploaded: 0 }, warnings: [] }]);
    expect(site.writes()).toEqual({ 'PATCH /calendar/events/:id': 1 });
    expect(await images(site)).toEqual([{ src, alt: 'A new map' }, { src }]);
    writeRows(site, 'a.png,,', 'a.png,,');
    expect(await site.sync()).toMatchObject([{ counts: { updated: 1 } }]);
    expect(await images(site)).toEqual([{ src, alt: '' }, { src }]);
    expect(await site.sync()).toMatchObject([{ counts: { unchanged: 2 } }]);
  });

  test('A CMS that ignores the text is reported once a run, and gets no further PATCH', async () => {
    await using site = await openSite(simplest, { switches: { altText: 'ignored' } });
    writeTalksSync(site, withAlt);
    site.write('syncs/feeds/a.png', png(1));
    writeRows(site, 'a.png,An old map,', 'a.png,A ship,');
    const [report] = await site.sync();
    expect(report).toMatchObject({ status: 'success', counts: { created: 2 } });
    expect(report?.warnings).toMatchObject([{ message: expect.stringContaining('not taken the alternative text') }]);
    expect(await images(site)).toEqual([{ src }, { src }]);
    site.writes();
    expect(await site.sync()).toMatchObject([{ counts: { unchanged: 2 } }]);
    expect(site.writes()).toEqual({});
    writeRows(site, 'a.png,A new map,', 'a.png,A ship,');
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 1, uploaded: 0 } }]);
  });

  test('A CMS that refuses the text gets the picture without it, after one refusal', async () => {
    await using site = await openSite(simplest, { switches: { altText: 'refused' } });
    writeTalksSync(site, `${withAlt}onAttachmentError: hold\n`);
    site.write('syncs/feeds/a.png', png(1));
    writeRows(site, 'a.png,An old map,', 'a.png,A ship,');
    const [report] = await site.sync();
    expect(report).toMatchObject({ status: 'success', counts: { created: 2, failed: 0 } });
    expect(report?.warnings).toMatchObject([{ message: expect.stringContaining('`image.alt`') }]);
    expect(await images(site)).toEqual([{ src }, { src }]);
    expect(await site.sync()).toMatchObject([{ counts: { unchanged: 2 } }]);
  });

  test('With `target.altText: none`, no text is sent', async () => {
    await using site = await openSite(simplest, { target: '  altText: none\n' });
    writeTalksSync(site, withAlt);
    site.write('syncs/feeds/a.png', png(1));
    writeRows(site, 'a.png,An old map,');
    expect(await site.sync()).toMatchObject([{ counts: { created: 1 }, warnings: [] }]);
    expect(await images(site)).toEqual([{ src }]);
  });
});

describe('Default pictures', () => {
  test('are uploaded once, and replaced by the picture of the record with one PATCH', async () => {
    await using site = await openSite(simplest);
    const pictures =
      'default: { field: category, lookup: { Music: pictures/music.png }, default: pictures/any.png }, alt: title';
    writeTalksSync(site, `attachments: { image: { field: image, ${pictures} } }\n`);
    site.write('syncs/pictures/music.png', png(1));
    site.write('syncs/pictures/any.png', png(2));
    site.write('syncs/feeds/a.png', png(3));
    writeRows(site, ',,Music', ',,Film', ',,', 'a.png,,Music');
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 4, uploaded: 3 } }]);
    const [music, film, none, own] = (await images(site)) as Array<{ src: string; alt: string }>;
    expect(film?.src).toBe(none?.src);
    expect(new Set([music?.src, film?.src, own?.src]).size).toBe(3);
    expect(music?.alt).toBe('Talk 0');

    site.writes();
    writeRows(site, 'a.png,,Music', ',,Film', ',,', 'a.png,,Music');
    expect(await site.sync()).toMatchObject([{ counts: { updated: 1, unchanged: 3, uploaded: 0 } }]);
    expect(site.writes()).toEqual({ 'PATCH /calendar/events/:id': 1 });
    site.write('syncs/pictures/any.png', png(4));
    expect(await site.sync()).toMatchObject([{ counts: { updated: 2, uploaded: 1 } }]);
  });

  test('do not stand in for a picture that cannot be read', async () => {
    await using site = await openSite(simplest);
    writeTalksSync(site, 'attachments: { image: { field: image, default: any.png } }\n');
    site.write('syncs/any.png', png(2));
    writeRows(site, 'missing.png,,');
    expect(await site.sync()).toMatchObject([{ counts: { created: 1, uploaded: 0 } }]);
    expect(await images(site)).toEqual([null]);
  });
});
