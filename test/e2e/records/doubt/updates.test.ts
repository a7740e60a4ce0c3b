import { describe, expect, test } from 'vitest';
import { setFaults } from '../../fixtures.ts';
import { drift, explain, undelivered } from './commands.ts';
import { type Answer, play } from './faults.ts';
import {
  edit,
  expectSettled,
  feed,
  items,
  NO_IMAGES,
  openMaps,
  patched,
  retry,
  sync,
  type TalksOptions,
} from './talks.ts';

/** A talk in room A whose update to room B was answered so. */
async function openUpdated(answers: Answer[], options: TalksOptions = {}) {
  const site = await openMaps(options);
  await play(site, { method: 'PATCH', answers });
  feed(site, { room: 'B' });
  expect(await sync(site)).toMatch(/^partial: 1 (failed|held)$/);
  await play(site);
  await patched(site);
  return site;
}

/** Nothing but the item itself says what it was. */
const plain: TalksOptions = { beside: NO_IMAGES, externalId: false };
const unanswered: Answer[] = [{ applied: 500 }];

describe('An update that was applied, and whose repeat was refused', () => {
  test.each([[500, 404]])('the source takes it back (%i, then %i)', takesItBack);

  // Broken rule: a call may be applied if any of its tries may be.
  test.each([
    [500, 400],
    [500, 422],
    [0, 422],
  ])('the source takes it back (%i, then %i)', takesItBack);

  async function takesItBack(applied: number, refused: number): Promise<void> {
    await using site = await openUpdated([{ applied }, { refused }]);
    feed(site);
    expect(await sync(site)).toBe('success: 1 updated');
    await expectSettled(site, '1 Maps 2031-03-01 A Old');
  }

  // Broken rule: a call may be applied if any of its tries may be.
  test('the source takes it back, without images and external ids', async () => {
    await using site = await openUpdated([{ applied: 500 }, { refused: 422 }], plain);
    feed(site);
    expect(await sync(site)).toBe('success: 1 updated');
    await expectSettled(site, '1 Maps 2031-03-01 A Old');
  });

  // Broken rule: a call may be applied if any of its tries may be.
  test('the source takes it back in part', async () => {
    await using site = await openMaps();
    await play(site, { method: 'PATCH', answers: [{ applied: 500 }, { refused: 422 }] });
    feed(site, { room: 'B', text: 'New' });
    expect(await sync(site)).toBe('partial: 1 failed');
    await play(site);
    feed(site, { text: 'New' });
    await sync(site);
    await expectSettled(site, '1 Maps 2031-03-01 A New');
  });

  // Broken rule: a call may be applied if any of its tries may be.
  test('the source takes it back and changes something else', async () => {
    await using site = await openUpdated([{ applied: 500 }, { refused: 422 }]);
    feed(site, { text: 'New' });
    expect(await sync(site)).toBe('success: 1 updated');
    expect(await patched(site)).toEqual([['location', 'description']]);
    await expectSettled(site, '1 Maps 2031-03-01 A New');
  });

  // Broken rule: a call may be applied if any of its tries may be.
  test('the next update was refused, too, and then the source takes all back', async () => {
    await using site = await openUpdated([{ applied: 500 }, { refused: 422 }]);
    await play(site, { method: 'PATCH', answers: [{ refused: 422 }] });
    feed(site, { text: 'New' });
    expect(await sync(site)).toBe('partial: 1 failed');
    await play(site);
    feed(site);
    expect(await sync(site)).toBe('success: 1 updated');
    await expectSettled(site, '1 Maps 2031-03-01 A Old');
  });

  // Broken rule: a call may be applied if any of its tries may be.
  test('verify does not blame an editor for it', async () => {
    await using site = await openUpdated([{ applied: 500 }, { refused: 422 }]);
    expect(await items(site)).toEqual(['1 Maps 2031-03-01 B Old']);
    expect(await drift(site)).toEqual(['T1 undelivered location']);
  });

  test('retry sends it again', async () => {
    await using site = await openUpdated([{ applied: 500 }, { refused: 422 }]);
    expect(await retry(site)).toBe('success: 1 updated');
    await expectSettled(site, '1 Maps 2031-03-01 B Old');
  });

  // Broken rule: a call may be applied if any of its tries may be.
  test('the same value of an attribute of editors is no edit, if the source changes it again', async () => {
    await using site = await openUpdated([{ applied: 500 }, { refused: 422 }], {
      sync: 'authority: { location: editor }\n',
    });
    feed(site, { room: 'C' });
    expect(await sync(site)).toBe('success: 1 updated');
    await expectSettled(site, '1 Maps 2031-03-01 C Old');
  });

  // Broken rule: a call may be applied if any of its tries may be.
  test('the attribute of editors goes back', async () => {
    await using site = await openUpdated([{ applied: 500 }, { refused: 422 }], {
      sync: 'authority: { location: editor }\n',
    });
    feed(site);
    expect(await sync(site)).toBe('success: 1 updated');
    await expectSettled(site, '1 Maps 2031-03-01 A Old');
  });
});

describe('An update without an answer', () => {
  test('goes back with the source, without images and external ids', async () => {
    await using site = await openUpdated(unanswered, plain);
    expect(await undelivered(site)).toBe('1 failed');
    feed(site);
    expect(await explain(site)).toMatchObject({ verdict: { is: 'update' }, record: { cmsId: 1 } });
    expect(await sync(site)).toBe('success: 1 updated');
    await expectSettled(site, '1 Maps 2031-03-01 A Old');
  });

  test('Only what was sent is sent again', async () => {
    await using site = await openUpdated(unanswered);
    await edit(site, 1, { title: 'Charts' });
    feed(site);
    expect(await sync(site)).toBe('success: 1 updated');
    expect(await patched(site)).toEqual([['location']]);
    expect(await items(site)).toEqual(['1 Charts 2031-03-01 A Old']);
  });

  test('Two of them leave all their attributes unknown', async () => {
    await using site = await openUpdated(unanswered);
    await play(site, { method: 'PATCH', answers: [{ applied: 0 }] });
    feed(site, { text: 'New' });
    expect(await sync(site)).toBe('partial: 1 failed');
    await play(site);
    feed(site);
    await patched(site);
    expect(await sync(site)).toBe('success: 1 updated');
    expect(await patched(site)).toEqual([['location', 'description']]);
    await expectSettled(site, '1 Maps 2031-03-01 A Old');
  });

  test('verify does not blame an editor for it', async () => {
    await using site = await openUpdated(unanswered);
    expect(await drift(site)).toEqual(['T1 undelivered location']);
  });
});

describe('An update without an answer, after which the CMS takes no other', () => {
  test.each<[string, TalksOptions]>([
    ['once a run', {}],
    ['twice a run', { attempts: 2 }],
    ['without images and external ids', plain],
  ])('The next value was not taken (%s)', async (_name, options) => {
    await using site = await openUpdated(unanswered, options);
    await setFaults(site, { kind: 'unapplied', method: 'PATCH' });
    feed(site, { room: 'C' });
    for (const _ of ['first', 'second', 'third']) expect(await sync(site)).toBe('partial: 1 failed');
    expect(await items(site)).toEqual(['1 Maps 2031-03-01 B Old']);
    expect(await drift(site)).toEqual(['T1 undelivered location']);
    await setFaults(site);
    expect(await sync(site)).toBe('success: 1 updated');
    await expectSettled(site, '1 Maps 2031-03-01 C Old');
  });

  test('The first was not applied either', async () => {
    await using site = await openMaps({ attempts: 2 });
    await play(site, { method: 'PATCH', answers: [{ refused: 500 }] });
    feed(site, { room: 'B' });
    expect(await sync(site)).toBe('partial: 1 failed');
    await setFaults(site, { kind: 'unapplied', method: 'PATCH' });
    feed(site, { room: 'C' });
    for (const _ of ['first', 'second']) expect(await sync(site)).toBe('partial: 1 failed');
    expect(await drift(site)).toEqual(['T1 undelivered location']);
  });

  test('The same value counts, as the CMS has made it of the first try', async () => {
    await using site = await openUpdated(unanswered);
    await edit(site, 1, { location: 'b' });
    await setFaults(site, { kind: 'unapplied', method: 'PATCH' });
    expect(await sync(site)).toBe('success: 1 updated');
  });
});

describe('An update that certainly was not applied', () => {
  test.each([
    ['PATCH', 422],
    ['GET', 403],
  ] as const)('leaves nothing unknown if the source goes back (%s: %i)', leavesNothingUnknown);

  // Broken rule: doubt begins when a request may leave, and ends when it certainly did not.
  test.each([['GET', 500]] as const)('leaves nothing unknown if the source goes back (%s: %i)', leavesNothingUnknown);

  async function leavesNothingUnknown(method: 'GET' | 'PATCH', refused: number): Promise<void> {
    await using site = await openMaps();
    await play(site, { method, route: 'item', answers: [{ refused }] });
    feed(site, { room: 'B' });
    expect(await sync(site)).toBe('partial: 1 failed');
    await play(site);
    await edit(site, 1, { location: 'Z' });
    feed(site);
    await patched(site);
    expect(await sync(site)).toBe('success: 1 unchanged');
    expect(await patched(site)).toEqual([]);
    expect(await drift(site)).toEqual(['T1 edited location']);
  }

  // Broken rule: an error of a read never refuses a write, nor ends doubt.
  test.each([403])('is sent by the next run if only its read has failed (%i)', async (refused) => {
    await using site = await openMaps();
    await play(site, { method: 'GET', route: 'item', answers: [{ refused }] });
    feed(site, { room: 'B' });
    expect(await sync(site)).toBe('partial: 1 failed');
    await play(site);
    expect(await sync(site)).toBe('success: 1 updated');
    await expectSettled(site, '1 Maps 2031-03-01 B Old');
  });
});
