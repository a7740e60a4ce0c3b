import { expect, test } from 'vitest';
import { syncRun } from '../../../src/sync/runs/sync-run.ts';
import { writeTalks, writeTalksSync } from '../fixtures.ts';
import { type Recorded, type RecordingProxy, startRecordingProxy } from '../recording-proxy.ts';
import { runHere } from '../run-here.ts';
import { openSite, png, type Site, simplest } from '../site.ts';

type Refusal = (request: Recorded) => Promise<{ status: number; body: string } | undefined>;

/** A site with a proxy between feedferry and its CMS. */
async function openBehind(target = '') {
  const site = await openSite(simplest, { target });
  const proxy = await startRecordingProxy(site.sandbox.url);
  site.variables.CMS_BASE_URL = proxy.url;
  let damage: Refusal | undefined;
  let uploads = 0;
  proxy.intercept = async (request) => {
    if (request.operation !== 'POST /api/v1/calendar/upload') return damage?.(request);
    uploads += 1;
    const src = `/files/${uploads}.png`;
    const file = { src, fileName: 'a.png', fileExtension: 'png', type: 'image', typeName: 'PNG image' };
    return { status: 201, body: JSON.stringify(file) };
  };
  return {
    site,
    proxy,
    /** Lets the CMS treat writes so; without one, all is well. */
    play: (next?: Refusal) => {
      damage = next;
    },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
    },
  };
}

function writePictures(site: Site, title: string, shades: readonly number[], more = ''): void {
  writeTalksSync(site, `attachments: { image: image }\n${more}`);
  for (const shade of shades) site.write(`syncs/feeds/${shade}.png`, png(shade));
  const rows = shades.map((shade, index) => `T${index},${title} ${index},2027-03-0${index + 1},18:00,${shade}.png`);
  writeTalks(site, rows, { columns: 'id,title,date,start,image' });
}

/** Refuses writes of events with a picture, as the API does; `detail` may name the attribute. */
const refusing =
  (detail: string): Refusal =>
  async ({ operation, body }) => {
    const isEvent = /^(POST|PATCH) \/api\/v1\/calendar\/events/.test(operation);
    if (!isEvent || !body.includes('"image":{"src"')) return undefined;
    return { status: 422, body: JSON.stringify({ errors: [{ code: 422, title: 'Unprocessable Entity', detail }] }) };
  };

/** Takes writes of events without their picture, and says so. */
function losing(site: Site): Refusal {
  return async ({ operation, body }) => {
    const [, method = '', path = ''] = /^(POST|PATCH) \/(api\/v1\/calendar\/events.*)/.exec(operation) ?? [];
    if (method === '') return undefined;
    const { image, ...rest } = JSON.parse(body);
    const item = await site.request(method, path, { ...rest, ...(image ? { image: null } : {}) });
    return { status: method === 'POST' ? 201 : 200, body: JSON.stringify(item) };
  };
}

async function shown(site: Site): Promise<string[]> {
  const items = await site.items('calendar/events');
  return items.map(({ title, image }) => `${title}${image ? ' with picture' : ''}`).toSorted();
}

const writes = ({ requests }: RecordingProxy) =>
  requests.filter(({ operation }) => /^(POST|PATCH) .*events/.test(operation)).length;

test.each(['image: no such file', 'Invalid value'])(
  'Events are published without pictures that the CMS refuses, and get them later (%s)',
  async (detail) => {
    await using behind = await openBehind('  maxAttempts: 1\n');
    const { site, play } = behind;
    play(refusing(detail));
    writePictures(site, 'Talk', [1, 2, 3]);
    const [run] = await site.sync();
    expect(run).toMatchObject({ status: 'success', counts: { created: 3, failed: 0 }, withoutFiles: 3 });
    expect(await shown(site)).toEqual(['Talk 0', 'Talk 1', 'Talk 2']);
    const status = await runHere(['status'], site.variables);
    expect(status.stdout).toMatch(/3 records are delivered without a file[\s\S]*refused[\s\S]*422/);
    expect((await runHere(['verify'], site.variables)).exitCode).toBe(3);

    // The next run tries once more; a change of the event is sent without the picture.
    writePictures(site, 'Lecture', [1, 2, 3]);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 3 }, withoutFiles: 3 }]);
    expect(await shown(site)).toEqual(['Lecture 0', 'Lecture 1', 'Lecture 2']);

    play();
    expect(await site.retry('talks')).toMatchObject({ status: 'success', counts: { updated: 3 } });
    expect(await shown(site)).toEqual(['Lecture 0 with picture', 'Lecture 1 with picture', 'Lecture 2 with picture']);
    expect((await runHere(['verify'], site.variables)).exitCode).toBe(0);
  },
);

test('A refused replacement leaves the earlier picture', async () => {
  await using behind = await openBehind();
  const { site, play } = behind;
  writePictures(site, 'Talk', [1]);
  await site.sync();
  const [before] = await site.items('calendar/events');
  play(refusing('Invalid value'));
  writePictures(site, 'Lecture', [2]);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 1 }, withoutFiles: 1 }]);
  expect(await site.items('calendar/events')).toMatchObject([{ title: 'Lecture 0', image: before?.image }]);
});

test('An event that the CMS refuses without its picture, too, fails as before', async () => {
  await using behind = await openBehind();
  const { site, proxy, play } = behind;
  play(async ({ operation }) =>
    operation === 'POST /api/v1/calendar/events'
      ? { status: 422, body: JSON.stringify({ errors: [{ code: 422, title: 'No', detail: 'title: is taken' }] }) }
      : undefined,
  );
  writePictures(site, 'Talk', [1]);
  expect(await site.sync()).toMatchObject([{ counts: { failed: 1 }, problems: [{ code: 'FF_CMS_UNPROCESSABLE' }] }]);
  expect(writes(proxy)).toBe(2);
  // Nothing is sent until the record changes.
  proxy.requests.length = 0;
  expect(await site.sync()).toMatchObject([{ counts: { failed: 1 } }]);
  expect(writes(proxy)).toBe(0);
});

test('With onAttachmentError: hold, an event is not published without its picture', async () => {
  await using behind = await openBehind();
  const { site, play } = behind;
  play(refusing('image: no such file'));
  writePictures(site, 'Talk', [1], 'onAttachmentError: hold\n');
  expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { created: 0, failed: 1 } }]);
  expect(await shown(site)).toEqual([]);
});

test('Events whose pictures the CMS loses are published, and the run says so', async () => {
  await using behind = await openBehind();
  const { site, play } = behind;
  writePictures(site, 'Talk', [1]);
  await site.sync();
  play(losing(site));
  writePictures(site, 'Lecture', [2, 3]);
  const [run] = await site.sync();
  expect(run).toMatchObject({ status: 'success', counts: { created: 1, updated: 1, failed: 0 }, withoutFiles: 2 });
  expect(await shown(site)).toEqual(['Lecture 0', 'Lecture 1']);
  const verified = await runHere(['verify', '--json'], site.variables);
  expect(JSON.stringify(verified.json())).toMatch(/fileMissing.*FF_ATTACHMENT_NOT_TAKEN/);

  play();
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 2 } }]);
  expect(await shown(site)).toEqual(['Lecture 0 with picture', 'Lecture 1 with picture']);
  expect((await runHere(['verify'], site.variables)).exitCode).toBe(0);
});

test('A file is uploaded again once the CMS has refused its path twice', async () => {
  await using behind = await openBehind();
  const { site, play } = behind;
  play(async (request) =>
    request.body.includes('/files/1.png') ? refusing('image: no such file')(request) : undefined,
  );
  writePictures(site, 'Talk', [1]);
  for (const _ of ['first', 'second']) expect(await site.sync()).toMatchObject([{ withoutFiles: 1 }]);
  expect(await site.retry('talks')).toMatchObject({ counts: { updated: 1, uploaded: 1 } });
  expect(await site.items('calendar/events')).toMatchObject([{ image: { src: '/files/2.png' } }]);
});

test('A refused picture says nothing about alternative texts', async () => {
  await using behind = await openBehind();
  const { site, play } = behind;
  writeTalksSync(site, 'attachments: { image: { field: image, alt: title } }\n');
  site.write('syncs/feeds/a.png', png(1));
  const write = (...titles: string[]) =>
    writeTalks(
      site,
      titles.map((title, index) => `T${index},${title},2027-03-01,18:00,a.png`),
      { columns: 'id,title,date,start,image' },
    );
  const refuse = refusing('image: is not a picture of this site');
  play(async (request) => (request.body.includes('"Maps"') ? refuse(request) : undefined));
  await site.withContext(async (context) => {
    write('Maps');
    await syncRun(context);
    write('Maps', 'Ships');
    await syncRun(context);
  });
  const items = await site.items('calendar/events');
  expect(items).toMatchObject([{ title: 'Maps' }, { title: 'Ships', image: { alt: 'Ships' } }]);
});
