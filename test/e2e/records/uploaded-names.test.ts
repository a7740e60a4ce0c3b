import { describe, expect, test } from 'vitest';
import { releaseRun } from '../../../src/sync/runs/release-run.ts';
import { writeTalks, writeTalksSync } from '../fixtures.ts';
import { either } from '../in-turn.ts';
import { type RecordingProxy, startRecordingProxy } from '../recording-proxy.ts';
import { openSite, png, type Site, simplest } from '../site.ts';

/** Lets a site deliver through a proxy that stores uploads under a path that depends on their names alone. */
async function storeByName(site: Site, pathOf: (fileName: string) => string): Promise<RecordingProxy> {
  const proxy = await startRecordingProxy(site.sandbox.url);
  site.variables.CMS_BASE_URL = proxy.url;
  proxy.intercept = async ({ operation, body }) => {
    const [, fileName = ''] = /filename="([^"]*)"/.exec(body) ?? [];
    if (operation !== 'POST /api/v1/calendar/upload') return undefined;
    const file = { src: pathOf(fileName), fileName, fileExtension: 'png', type: 'image', typeName: 'PNG image' };
    return { status: 201, body: JSON.stringify(file) };
  };
  return proxy;
}

/** Writes talks, each with a picture of its own, by the paths of the pictures. */
function writePictures(site: Site, paths: readonly string[], more = ''): void {
  writeTalksSync(site, `attachments: { image: image }\n${more}`);
  const rows = paths.map((path, index) => `T${index},Talk ${index},2027-03-0${index + 1},18:00,${path}`);
  for (const [index, path] of paths.entries()) site.write(`syncs/feeds/${path}`, png(index));
  writeTalks(site, rows, { columns: 'id,title,date,start,image' });
}

async function sources(site: Site): Promise<Array<string | undefined>> {
  const items = await site.items('calendar/events');
  return items.map(({ image }) => (image as { src: string } | undefined)?.src);
}

const photos = [1, 2, 3, 4, 5].map((event) => `event-${event}/photo.png`);

test('Five pictures with one name have five paths in a CMS that stores files by their names', async () => {
  await using site = await openSite(simplest);
  await using proxy = await storeByName(site, (fileName) => `/files/${fileName}`);
  writePictures(site, photos);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 5, uploaded: 5 } }]);
  const before = await sources(site);
  expect(new Set(before).size).toBe(5);
  for (const src of before) expect(src).toMatch(/^\/files\/[\da-f]{12}-photo\.png$/);

  proxy.requests.length = 0;
  expect(await site.sync()).toMatchObject([{ counts: { unchanged: 5, uploaded: 0 } }]);
  expect(proxy.requests.filter(({ operation }) => operation.startsWith('POST'))).toEqual([]);
});

test.each([
  ['no ending', 'photo', /^[\da-f]{12}-photo\.png$/],
  ['letters beyond ASCII', '写真 ä.png', /^[\da-f]{12}-写真 ä\.png$/],
  ['only dots', '....png', /^[\da-f]{12}-png\.png$/],
  ['a long name', `${'x'.repeat(200)}.png`, /^[\da-f]{12}-x{100}\.png$/],
])('The name of an upload has its content, and ends as it should: %s', async (_case, path, expected) => {
  await using site = await openSite(simplest);
  const names: string[] = [];
  await using _proxy = await storeByName(site, (fileName) => {
    names.push(fileName);
    return `/files/${names.length}.png`;
  });
  writePictures(site, [path]);
  await site.sync();
  expect(names).toEqual([expect.stringMatching(expected)]);
});

describe.each(either(0))('With $ledger and $queue, a CMS that gives all files one path', (engines) => {
  test('sets it for one content, and the other events are published without their picture', async () => {
    await using site = await openSite(engines);
    await using _proxy = await storeByName(site, () => '/files/photo.png');
    writePictures(site, photos);
    const [run] = await site.sync();
    expect(run).toMatchObject({ status: 'success', counts: { created: 5 }, withoutFiles: 4 });
    expect((await sources(site)).filter(Boolean)).toEqual(['/files/photo.png']);
    const undelivered = await site.withContext(({ ledger }) => ledger.records.withoutFiles('talks', 5));
    expect(JSON.stringify(undelivered)).toContain('FF_ATTACHMENT_SAME_PATH');
    // A later run does not set the path either.
    expect(await site.sync()).toMatchObject([{ counts: { unchanged: 5 }, withoutFiles: 4 }]);
    expect((await sources(site)).filter(Boolean)).toHaveLength(1);
  });
});

test('An event waits for its picture with onAttachmentError: hold, and equal bytes share a path', async () => {
  await using site = await openSite(simplest);
  await using proxy = await storeByName(site, () => '/files/photo.png');
  writePictures(site, photos.slice(0, 2), 'onAttachmentError: hold\n');
  const [run] = await site.sync();
  expect(run).toMatchObject({ status: 'partial', counts: { created: 1, held: 1 } });
  expect(run?.problems).toMatchObject([
    { code: 'FF_ATTACHMENT_SAME_PATH', reason: expect.stringContaining('/files/photo.png') },
  ]);
  site.write(`syncs/feeds/${photos[0]}`, png(7));
  site.write(`syncs/feeds/${photos[1]}`, png(7));
  await site.withContext((context) => releaseRun(context));
  proxy.intercept = undefined;
  await site.sync();
  expect(new Set(await sources(site)).size).toBe(1);
});

test('After a release, paths that a restored CMS gives out again are accepted', async () => {
  await using site = await openSite(simplest);
  let next = 0;
  await using _proxy = await storeByName(site, () => {
    next += 1;
    return `/files/${next}.png`;
  });
  const empty = await site.request('GET', '_sandbox/snapshot');
  writePictures(site, photos);
  await site.sync();
  await site.request('PUT', '_sandbox/snapshot', empty);
  next = 0;
  await site.withContext((context) => releaseRun(context));
  for (const [index, path] of photos.entries()) site.write(`syncs/feeds/${path}`, png(100 + index));
  const [run] = await site.sync();
  expect(run).toMatchObject({ status: 'success', counts: { created: 5, uploaded: 5 } });
  expect(run).not.toHaveProperty('withoutFiles');
});
