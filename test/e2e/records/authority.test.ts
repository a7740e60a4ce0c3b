import { describe, expect, test } from 'vitest';
import { previewUndo } from '../../../src/sync/undo/preview-undo.ts';
import { setFaults, threeTalks, writeTalks, writeTalksSync } from '../fixtures.ts';
import { openSite, png, type Site, simplest, writeTarget } from '../site.ts';

function writeSync(site: Site, authority: string): void {
  writeTalksSync(site, `attachments: { image: image }\nauthority: ${authority}`, {
    map: 'title: title, description: text, date: date, time.start: start, time.end: end',
  });
}

function writeTalk(site: Site, row: string): void {
  writeTalks(site, [row], { columns: 'id,title,text,date,start,end,image' });
}

const edit = (site: Site, path: string, body: object) => site.request('PATCH', `api/v1/${path}`, body);

const reads = (site: Site) => site.sandbox.stats().requests['GET /calendar/events/:id'] ?? 0;
const theTalk = async (site: Site) => (await site.items('calendar/events'))[0]!;

describe('Field ownership', () => {
  test('An initial attribute is sent in the create only, even after its ownership changes back', async () => {
    await using site = await openSite(simplest);
    site.write('syncs/feeds/a.png', png(1));
    site.write('syncs/feeds/b.png', png(2));
    writeSync(site, '{ description: initial, image: initial }');
    writeTalk(site, 'T1,Maps,First text,2027-03-01,18:00,19:00,a.png');
    await site.sync();
    const created = await theTalk(site);
    expect(created).toMatchObject({ description: 'First text', image: { src: expect.any(String) } });
    site.writes();

    writeTalk(site, 'T1,Maps,Second text,2027-03-01,18:00,19:00,b.png');
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 1, updated: 0, uploaded: 0 } }]);
    expect(site.writes()).toEqual({});

    writeTalk(site, 'T1,New maps,Second text,2027-03-01,18:00,19:00,b.png');
    expect(await site.sync()).toMatchObject([{ counts: { updated: 1, uploaded: 0 } }]);
    expect(site.writes()).toEqual({ 'PATCH /calendar/events/:id': 1 });
    expect(await theTalk(site)).toMatchObject({ title: 'New maps', description: 'First text', image: created.image });

    writeSync(site, '{ image: initial }');
    expect(await site.sync()).toMatchObject([{ counts: { updated: 1 } }]);
    expect(await theTalk(site)).toMatchObject({ description: 'Second text', image: created.image });
  });

  test("An attribute that an editor changed keeps the editor's value until the source takes it back", async () => {
    await using site = await openSite(simplest);
    writeSync(site, '{ description: editor, time: editor }');
    writeTalk(site, 'T1,Maps,,2027-03-01,18:00,19:00,');
    await site.sync();
    const { id } = await theTalk(site);

    // Without an edit, the changes of the source are sent after a look. The first PATCH of a process is followed by another look:
    // whether the CMS keeps the attributes that it does not send.
    writeTalk(site, 'T1,Maps,Text of the source,2027-03-01,18:30,19:00,');
    expect(await site.sync()).toMatchObject([{ counts: { updated: 1 } }]);
    expect(reads(site)).toBe(2);
    expect(await theTalk(site)).toMatchObject({ description: 'Text of the source', time: { start: '18:30:00' } });

    // An attribute that changes is read once, regardless of its owner, and stored so that the change can be undone.
    writeTalk(site, 'T1,Old maps,Text of the source,2027-03-01,18:30,19:00,');
    await site.sync();
    expect(reads(site)).toBe(4);

    await edit(site, `calendar/events/${id}`, { description: 'Text of the editor' });
    writeTalk(site, 'T1,Older maps,New text of the source,2027-03-01,20:00,21:00,');
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 1 } }]);
    expect(await theTalk(site)).toMatchObject({
      title: 'Older maps',
      description: 'Text of the editor',
      time: { start: '20:00:00', end: '21:00:00' },
    });
    const before = site.sandbox.stats().total;
    expect(await site.sync()).toMatchObject([{ counts: { unchanged: 1 } }]);
    expect(site.sandbox.stats().total).toBe(before);

    // The edit still takes precedence when the source changes again; then nothing is written.
    site.writes();
    writeTalk(site, 'T1,Older maps,Newest text of the source,2027-03-01,20:00,21:00,');
    expect(await site.sync()).toMatchObject([{ counts: { unchanged: 1, updated: 0 } }]);
    expect(site.writes()).toEqual({});
    expect(await theTalk(site)).toMatchObject({ description: 'Text of the editor' });

    // Given back to the source, the attribute is as the source has it.
    writeSync(site, '{ time: editor }');
    expect(await site.sync()).toMatchObject([{ counts: { updated: 1 } }]);
    expect(await theTalk(site)).toMatchObject({ description: 'Newest text of the source' });
  });

  test('Each item is read once before its PATCH, and only the first of a process once more after it', async () => {
    await using site = await openSite(simplest);
    writeTalksSync(site);
    writeTalks(site, threeTalks);
    await site.sync();
    writeTalks(
      site,
      threeTalks.map((row) => row.replace(',', ',Old ')),
    );
    expect(await site.sync()).toMatchObject([{ counts: { updated: 3 } }]);
    expect(reads(site)).toBe(3 + 1);
  });

  test('An attribute that becomes editor-owned after delivery is compared with the value that was sent', async () => {
    await using site = await openSite(simplest);
    site.write('syncs/feeds/a.png', png(1));
    site.write('syncs/feeds/b.png', png(2));
    writeSync(site, '{}');
    writeTalk(site, 'T1,Maps,Text,2027-03-01,18:00,19:00,a.png');
    await site.sync();
    const { id } = await theTalk(site);
    await edit(site, `calendar/events/${id}`, { title: 'The editor’s', image: null });
    writeSync(site, '{ title: editor, description: editor, image: editor }');
    writeTalk(site, 'T1,New maps,New text,2027-03-01,18:00,19:00,b.png');
    expect(await site.sync()).toMatchObject([{ counts: { updated: 1, uploaded: 0 } }]);
    const talk = await theTalk(site);
    expect(talk).toMatchObject({ title: 'The editor’s', description: 'New text' });
    expect(talk.image ?? null).toBeNull();
  });

  describe('The item of a create without a response', () => {
    async function createUnconfirmed(site: Site): Promise<void> {
      writeTarget(site, '  maxAttempts: 1\n  lookupAfter: 100ms\n');
      site.write('syncs/feeds/a.png', png(1));
      site.write('syncs/feeds/b.png', png(2));
      writeSync(site, '{ description: editor, image: editor, time: initial }');
      await setFaults(site, { kind: 'reset', when: 'after', route: '/calendar/events', method: 'POST' });
      writeTalk(site, 'T1,Maps,Text,2027-03-01,18:00,19:00,a.png');
      expect(await site.sync()).toMatchObject([{ counts: { held: 1, uploaded: 1 } }]);
      await setFaults(site);
    }

    /** Takes the item over with one PATCH. @returns the attributes by which an undo would take it for edited */
    async function takeOver(site: Site): Promise<string | undefined> {
      site.writes();
      const [report] = await site.sync();
      expect(report).toMatchObject({ status: 'success', counts: { created: 1 } });
      expect(site.writes()).toEqual({ 'PATCH /calendar/events/:id': 1 });
      expect(await site.sync()).toMatchObject([{ counts: { unchanged: 1 } }]);
      expect(site.writes()).toEqual({});
      const { skipped } = await site.withContext((context) => previewUndo(report?.run ?? '', context));
      return skipped[0]?.reason.replace(/^.*: /, '');
    }

    test('keeps what editors have changed since', async () => {
      await using site = await openSite(simplest);
      await createUnconfirmed(site);
      const { id, image } = await theTalk(site);
      await edit(site, `calendar/events/${id}`, { description: 'Text of the editor', time: { end: '20:00:00' } });
      expect(await takeOver(site)).toBe('time, description');
      expect(await theTalk(site)).toMatchObject({
        description: 'Text of the editor',
        time: { end: '20:00:00' },
        image,
      });

      // The picture is not the editors', so it follows the source. The text still is.
      writeTalk(site, 'T1,Maps,New text,2027-03-01,18:00,19:00,b.png');
      expect(await site.sync()).toMatchObject([{ counts: { updated: 1, uploaded: 1 } }]);
      const talk = await theTalk(site);
      expect(talk).toMatchObject({ description: 'Text of the editor', time: { end: '20:00:00' } });
      expect(talk.image).not.toEqual(image);
      writeSync(site, '{ image: editor, time: initial }');
      expect(await site.sync()).toMatchObject([{ counts: { updated: 1 } }]);
      expect(await theTalk(site)).toMatchObject({ description: 'New text' });
    });

    test('gets what has changed in the source since, if editors have not', async () => {
      await using site = await openSite(simplest);
      await createUnconfirmed(site);
      writeTalk(site, 'T1,Maps,New text,2027-03-01,20:00,21:00,a.png');
      expect(await takeOver(site)).toBeUndefined();
      expect(await theTalk(site)).toMatchObject({ description: 'New text', time: { start: '18:00:00' } });
      writeSync(site, '{ description: editor, image: editor }');
      expect(await site.sync()).toMatchObject([{ counts: { updated: 1 } }]);
      expect(await theTalk(site)).toMatchObject({ time: { start: '20:00:00' } });
    });

    test("keeps an editor's picture, which is not taken for the record's", async () => {
      await using site = await openSite(simplest);
      await createUnconfirmed(site);
      const { id } = await theTalk(site);
      await edit(site, `calendar/events/${id}`, { image: { src: '/files/of-the-editor.png' } });
      expect(await takeOver(site)).toBe('image');
      writeTalk(site, 'T1,Maps,Text,2027-03-01,18:00,19:00,b.png');
      expect(await site.sync()).toMatchObject([{ counts: { unchanged: 1 } }]);
      expect((await theTalk(site)).image).toMatchObject({ src: '/files/of-the-editor.png' });
    });

    test.each([
      { fault: { kind: 'error', status: 503 }, is: 'out of order' },
      { fault: { kind: 'error', status: 422 }, is: 'refusing' },
    ])('is taken over as well if the CMS was $is when it was found', async ({ fault }) => {
      await using site = await openSite(simplest);
      await createUnconfirmed(site);
      const { id, image } = await theTalk(site);
      await edit(site, `calendar/events/${id}`, { time: { end: '20:00:00' } });
      await setFaults(site, { ...fault, route: '/calendar/events/:id', method: 'PATCH' });
      writeTalk(site, 'T1,Maps,New text,2027-03-01,18:00,19:00,a.png');
      expect(await site.sync()).toMatchObject([{ counts: { failed: 1 } }]);
      await setFaults(site);

      writeTalk(site, 'T1,Maps,Newer text,2027-03-01,18:00,19:00,a.png');
      expect(await takeOver(site)).toBe('time');
      expect(await theTalk(site)).toMatchObject({ description: 'Newer text', time: { end: '20:00:00' }, image });

      writeTalk(site, 'T1,Maps,Newer text,2027-03-01,18:00,19:00,b.png');
      expect(await site.sync()).toMatchObject([{ counts: { updated: 1, uploaded: 1 } }]);
      expect((await theTalk(site)).image).not.toEqual(image);
    });
  });
});
