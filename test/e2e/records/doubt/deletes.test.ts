import { describe, expect, test } from 'vitest';
import { purgeRun } from '../../../../src/sync/runs/purge-run.ts';
import { setFaults } from '../../fixtures.ts';
import type { Site } from '../../site.ts';
import { drift, explain, undelivered } from './commands.ts';
import { type Answer, play, type Script } from './faults.ts';
import {
  backup,
  DELETE,
  expectSettled,
  feed,
  items,
  itemsOf,
  MARK,
  NO_IMAGES,
  openMaps,
  patched,
  purge,
  remove,
  retry,
  sync,
  type TalksOptions,
  without,
} from './talks.ts';

/** A talk that is missing in the feed, and whose delete met these faults. */
async function openMissing(
  script: Omit<Script, 'route'>,
  options: TalksOptions = {},
  said = 'partial: 1 missing, 1 unremoved',
) {
  const site = await openMaps({ sync: DELETE, ...options });
  without(site);
  await play(site, { route: 'item', ...script });
  expect(await sync(site)).toBe(said);
  await play(site);
  return site;
}

/** Creates an item as an editor does. */
function post(site: Site): Promise<unknown> {
  const day = { date: '2031-09-01', endDate: '2031-09-01', time: { start: '09:00:00', type: 'timed' } };
  return site.request('POST', 'api/v1/calendar/events', { title: 'Opening', ...day });
}

describe('A delete that was not sent, because the item could not be read', () => {
  test.each([403])('leaves an item deleted that an editor deletes (%i)', leavesItDeleted);

  // Broken rule: doubt begins when a request may leave, and ends when it certainly did not.
  test.each([500])('leaves an item deleted that an editor deletes (%i)', leavesItDeleted);

  async function leavesItDeleted(refused: number): Promise<void> {
    await using site = await openMissing({ method: 'GET', answers: [{ refused }] });
    expect(site.writes()).toEqual({});
    await remove(site, 1);
    feed(site, { text: 'New' });
    expect(await sync(site)).toBe('success: 1 skipped');
    expect(await items(site)).toEqual([]);
  }

  test('leaves it deleted as without the run that has failed', async () => {
    await using site = await openMaps({ sync: DELETE });
    await remove(site, 1);
    feed(site, { text: 'New' });
    expect(await sync(site)).toBe('success: 1 skipped');
    expect(await items(site)).toEqual([]);
  });

  // Broken rule: doubt begins when a request may leave, and ends when it certainly did not.
  test('changes nothing if the talk returns', async () => {
    await using site = await openMissing({ method: 'GET', answers: [{ refused: 500 }] });
    feed(site);
    expect(await sync(site)).toBe('success: 1 unchanged');
    expect(site.writes()).toEqual({});
    await expectSettled(site, '1 Maps 2031-03-01 A Old');
  });

  test.each([403])('is sent by the next run (%i)', async (refused) => {
    await using site = await openMissing({ method: 'GET', answers: [{ refused }] });
    expect(await sync(site)).toBe('success: 1 missing, 1 deleted');
    await expectSettled(site);
  });
});

describe('A delete that was applied without an answer', () => {
  test('is done, and the talk that returns is created', () => isDone([{ applied: 0 }, { refused: 0 }]));

  // Broken rule: a call may be applied if any of its tries may be.
  test.each([422])('is done, and the talk that returns is created, although the repeat was refused (%i)', (refused) =>
    isDone([{ applied: 500 }, { refused }]),
  );

  async function isDone(answers: Answer[]): Promise<void> {
    await using site = await openMissing({ method: 'DELETE', answers });
    expect(await undelivered(site)).toBe('1 failed');
    feed(site);
    expect(await sync(site)).toBe('success: 1 created');
    await expectSettled(site, '4 Maps 2031-03-01 A Old');
  }

  test('is done, and the talk that returns with other content is created, without images and external ids', async () => {
    const plain = { beside: NO_IMAGES, externalId: false };
    await using site = await openMissing({ method: 'DELETE', answers: [{ applied: 0 }, { refused: 0 }] }, plain);
    feed(site, { text: 'New' });
    expect(await sync(site)).toBe('success: 1 created');
    await expectSettled(site, '4 Maps 2031-03-01 A New');
  });

  test('retry finishes it', async () => {
    await using site = await openMissing({ method: 'DELETE', answers: [{ applied: 0 }, { refused: 0 }] });
    expect(await retry(site)).toMatch(/^success: .*1 deleted/);
    await expectSettled(site);
  });

  test('purge finishes it', async () => {
    await using site = await openMissing({ method: 'DELETE', answers: [{ applied: 0 }, { refused: 0 }] });
    await post(site);
    expect(await purge(site)).toBe('success: 3 missing, 3 deleted');
    expect(await items(site)).toEqual([expect.stringContaining('Opening')]);
  });

  test('An item that an editor restores before the talk returns is kept', async () => {
    await using site = await openMaps({ sync: DELETE });
    const restore = await backup(site);
    without(site);
    await play(site, { method: 'DELETE', answers: [{ applied: 0 }, { refused: 0 }] });
    expect(await sync(site)).toBe('partial: 1 missing, 1 unremoved');
    await play(site);
    await restore();
    feed(site, { text: 'New' });
    expect(await sync(site)).toBe('success: 1 updated');
    await expectSettled(site, '1 Maps 2031-03-01 A New');
  });

  test('The CMS takes longer than the time-out, and the talk returns unchanged', async () => {
    await using site = await openMaps({ sync: DELETE, target: '  timeout: 400ms\n' });
    without(site);
    await setFaults(site, { kind: 'latency', ms: 450, method: 'DELETE' });
    expect(await sync(site)).toBe('partial: 1 missing, 1 unremoved');
    await setFaults(site);
    feed(site);
    expect(await sync(site)).toBe('success: 1 created');
    await expectSettled(site, '4 Maps 2031-03-01 A Old');
  });

  test.each([403])('A list that cannot be read does not end doubt (%i)', async (refused) => {
    await using site = await openMissing({ method: 'DELETE', answers: [{ applied: 0 }, { refused: 0 }] });
    await play(site, { method: 'GET', route: 'items', answers: [{ refused }] });
    feed(site);
    expect(await sync(site)).not.toMatch(/^success/);
    await play(site);
    expect(await sync(site)).toBe('success: 1 created');
    await expectSettled(site, '4 Maps 2031-03-01 A Old');
  });
});

describe('A delete whose answer was lost, by a CMS that shows nothing afterwards', () => {
  const hidden = [{ kind: 'itemMissing' }, { kind: 'emptyList' }];

  test.each<[string, Answer[]]>([
    ['not applied, reset', [{ refused: 0 }]],
    ['not applied, 500', [{ refused: 500 }]],
    ['applied, reset', [{ applied: 0 }, { refused: 0 }]],
  ])('is believed once it shows anything again (%s)', async (_, answers) => {
    await using site = await openMissing({ method: 'DELETE', answers });
    for (const again of [sync, retry]) {
      await setFaults(site, ...hidden);
      expect(await again(site)).not.toContain('deleted');
      expect(await explain(site)).toMatchObject({ record: { cmsId: 1, error: { code: 'FF_CMS_UNPROVEN' } } });
    }
    await setFaults(site);
    expect(await retry(site)).toMatch(/^success: .*1 deleted/);
    await expectSettled(site);
  });

  test('is not believed if the only item of the site was to be deleted, until there is another one', async () => {
    await using site = await openMaps({ sync: DELETE });
    const purged = () => site.withContext((context) => purgeRun(context));
    await play(site, { method: 'DELETE', answers: ['served', 'served', { applied: 0 }, { refused: 0 }] });
    expect(await purged()).toMatchObject({ counts: { deleted: 2, unremoved: 1 } });
    await play(site);
    expect(await purged()).toMatchObject({ counts: { unremoved: 1 }, problems: [{ code: 'FF_CMS_UNPROVEN' }] });
    await post(site);
    expect(await purged()).toMatchObject({ status: 'success' });
    expect(await items(site)).toEqual([expect.stringContaining('Opening')]);
  });
});

describe('A delete that was not applied', () => {
  test('leaves an item deleted that an editor deletes, if the CMS has refused it', async () => {
    await using site = await openMissing({ method: 'DELETE', answers: [{ refused: 422 }] });
    await remove(site, 1);
    feed(site, { text: 'New' });
    expect(await sync(site)).toBe('success: 1 skipped');
    expect(await items(site)).toEqual([]);
  });

  test.each<[string, Answer[]]>([
    ['500', [{ refused: 500 }]],
    ['422', [{ refused: 422 }]],
  ])('keeps the item of a talk that returns (%s)', async (_, answers) => {
    await using site = await openMissing({ method: 'DELETE', answers });
    feed(site, { text: 'New' });
    expect(await sync(site)).toBe('success: 1 updated');
    await expectSettled(site, '1 Maps 2031-03-01 A New');
  });

  test('keeps the item of a talk that returns unchanged', async () => {
    await using site = await openMissing({ method: 'DELETE', answers: [{ refused: 500 }] });
    feed(site);
    expect(await sync(site)).toMatch(/^success/);
    await expectSettled(site, '1 Maps 2031-03-01 A Old');
  });
});

describe('A mark without an answer', () => {
  const flags = async (site: Site) => (await itemsOf(site)).map(({ isFeatured }) => isFeatured);

  test('is taken back if the talk returns', () => isTakenBack([{ applied: 0 }]));

  // Broken rule: a call may be applied if any of its tries may be.
  test('is taken back if the talk returns, although the repeat was refused', () =>
    isTakenBack([{ applied: 500 }, { refused: 422 }]));

  async function isTakenBack(answers: Answer[]): Promise<void> {
    await using site = await openMissing({ method: 'PATCH', answers }, { sync: MARK });
    expect(await flags(site)).toEqual([true]);
    feed(site);
    expect(await sync(site)).toBe('success: 1 updated');
    expect(await flags(site)).toEqual([false]);
    await expectSettled(site, '1 Maps 2031-03-01 A Old');
  }

  test('is not an edit, if it is sent again', async () => {
    await using site = await openMissing(
      { method: 'PATCH', answers: [{ applied: 500 }, { refused: 422 }] },
      { sync: MARK },
    );
    expect(await drift(site)).toEqual(['T1 undelivered isFeatured']);
    expect(await retry(site)).toMatch(/^success/);
    expect(await flags(site)).toEqual([true]);
    expect(await drift(site)).toEqual([]);
  });

  test('was not sent if the item could not be read: the talk that returns is unchanged', async () => {
    await using site = await openMissing({ method: 'GET', answers: [{ refused: 500 }] }, { sync: MARK });
    feed(site);
    await patched(site);
    expect(await sync(site)).toBe('success: 1 unchanged');
    expect(await patched(site)).toEqual([]);
    expect(await explain(site)).toMatchObject({ verdict: { is: 'unchanged' } });
  });
});
