import { describe, expect, test } from 'vitest';
import { setFaults, writePeople, writePeopleSync } from '../../fixtures.ts';
import { openSite, simplest, writeTarget } from '../../site.ts';
import { deliver, explain, undelivered } from './commands.ts';
import { type Answer, play } from './faults.ts';
import {
  DELETE,
  expectSettled,
  feed,
  items,
  NO_IMAGES,
  openTalks,
  retry,
  sync,
  type Talk,
  type TalksOptions,
  without,
} from './talks.ts';

/** A talk whose create was answered so; its item has the id 3 if it was applied. */
async function openCreated(answers: Answer[], options: TalksOptions = {}, talk: Talk = {}, said = 'partial: 1 held') {
  const site = await openTalks(options);
  await play(site, { method: 'POST', answers });
  feed(site, talk);
  expect(await sync(site)).toBe(said);
  await play(site);
  return site;
}

const cut: Answer[] = [{ applied: 0 }];

describe('A create that was applied, and answered with an error', () => {
  test.each([
    ['without external ids', { externalId: false }],
    ['without images', { beside: NO_IMAGES }],
  ])('The source changes title and day before the next run, %s', async (_, options) => {
    await using site = await openCreated([{ applied: 500 }], options);
    feed(site, { title: 'Charts', date: '2031-05-01' });
    expect(await sync(site)).toBe('success: 1 created');
    await expectSettled(site, '3 Charts 2031-05-01 A Old');
  });

  test.each([422])('The talk is refused, changes, and takes its item (%i)', async (status) => {
    await using site = await openCreated([{ applied: status }], {}, {}, 'partial: 1 failed');
    feed(site, { title: 'Charts', date: '2031-05-01' });
    expect(await sync(site)).toBe('success: 1 created');
    await expectSettled(site, '3 Charts 2031-05-01 A Old');
  });
});

test.each([
  [408, 'delivered'],
  // The CMS may have refused it because of another one that has its names.
  [422, 'held'],
])('An account that the CMS has, but has answered with %i, is %s', async (status, is) => {
  await using site = await openSite(simplest);
  writeTarget(site, '  maxAttempts: 3\n  backoff: 20ms\n  lookupAfter: 40ms\n');
  writePeopleSync(site, '', { key: 'login' });
  writePeople(site, { login: 'ada', email: 'ada@example.edu' });
  await setFaults(site, { kind: 'error', status, when: 'after', times: 1, method: 'POST', route: '/account/accounts' });
  await site.sync();
  await site.retry('people');
  expect(await site.items('account/accounts')).toHaveLength(1);
  expect((await site.explain('people', 'ada')).record).toMatchObject({ status: is });
});

describe('Several creates without an answer', () => {
  test.each<[string, Answer, Answer]>([
    ['the first was applied', { applied: 0 }, { refused: 0 }],
    ['the second was applied', { refused: 0 }, { applied: 0 }],
  ])('They carried different content; %s', async (_, first, second) => {
    await using site = await openCreated([first], { externalId: false });
    await play(site, { method: 'POST', answers: [second] });
    feed(site, { title: 'Charts', date: '2031-05-01' });
    await sync(site);
    await play(site);
    feed(site, { title: 'Globes', date: '2031-07-01' });
    expect(await sync(site)).toMatch(/^success: 1 (created|updated)$/);
    await expectSettled(site, '3 Globes 2031-07-01 A Old');
  });

  test('Initial attributes of the item that is found stay', async () => {
    await using site = await openCreated(cut, { sync: 'authority: { description: initial }\n' });
    feed(site, { room: 'B', text: 'New' });
    expect(await sync(site)).toBe('success: 1 created');
    await expectSettled(site, '3 Maps 2031-03-01 B Old');
  });

  test('What an editor has written into the item that is found stays', async () => {
    await using site = await openCreated(cut, { sync: 'authority: { description: editor }\n' });
    await site.request('PATCH', 'api/v1/calendar/events/3', { description: 'Edited' });
    feed(site, { room: 'B', text: 'New' });
    expect(await sync(site)).toBe('success: 1 created');
    expect(await items(site)).toEqual(['3 Maps 2031-03-01 B Edited']);
  });

  test('An item that is found, whose update is cut and taken back', async () => {
    await using site = await openCreated(cut);
    await play(site, { method: 'PATCH', answers: [{ applied: 500 }, { refused: 422 }] });
    feed(site, { room: 'B' });
    expect(await sync(site)).toBe('partial: 1 failed');
    await play(site);
    feed(site);
    expect(await sync(site)).toMatch(/^success: 1 (created|updated)$/);
    await expectSettled(site, '3 Maps 2031-03-01 A Old');
  });

  test('An item that is found, whose update is refused, is deleted if the talk leaves', async () => {
    await using site = await openCreated(cut, { sync: DELETE });
    await play(site, { method: 'PATCH', answers: [{ refused: 422 }] });
    feed(site, { room: 'B' });
    expect(await sync(site)).toBe('partial: 1 failed');
    await play(site);
    without(site);
    expect(await sync(site)).toBe('success: 1 missing, 1 deleted');
    await expectSettled(site);
  });

  // Broken rule: an error of a read never refuses a write, nor ends doubt.
  test('An item that is found, but cannot be read, is looked at again', async () => {
    await using site = await openCreated(cut);
    await play(site, { method: 'GET', route: 'item', answers: [{ refused: 403 }] });
    feed(site, { room: 'B' });
    expect(await sync(site)).not.toMatch(/^success/);
    await play(site);
    expect(await sync(site)).toMatch(/^success: 1 (created|updated)$/);
    await expectSettled(site, '3 Maps 2031-03-01 B Old');
  });
});

describe('A create in doubt', () => {
  test('is forgotten by release, and its item is found by its external id', async () => {
    await using site = await openCreated(cut);
    const run = await deliver(site, 'release', 'talks', '--yes');
    expect(run?.status).toBe('success');
    expect(await sync(site)).toMatch(/^success/);
    await expectSettled(site, '3 Maps 2031-03-01 A Old');
  });

  test('is looked up by retry', async () => {
    await using site = await openCreated(cut);
    expect(await retry(site)).toMatch(/^success: 1 created/);
    await expectSettled(site, '3 Maps 2031-03-01 A Old');
  });

  test('is counted as held, and as undelivered by verify, while its item is there', async () => {
    await using site = await openCreated(cut);
    expect(await undelivered(site)).toBe('1 held');
    expect(await explain(site)).toMatchObject({ record: { status: 'held', maybeSent: true } });
  });
});
