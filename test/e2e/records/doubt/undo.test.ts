import { describe, expect, test } from 'vitest';
import { deliver, said } from './commands.ts';
import { type Answer, play } from './faults.ts';
import {
  DELETE,
  edit,
  expectSettled,
  feed,
  items,
  NO_IMAGES,
  openMaps,
  openTalks,
  retry,
  sync,
  undoLast,
  without,
} from './talks.ts';

const cut: Answer[] = [{ applied: 0 }];
/** Applied, but answered with an error by one try, and refused by the next. */
const refused: Answer[] = [{ applied: 500 }, { refused: 422 }];
const answered: Array<[string, Answer[]]> = [
  ['a broken connection', cut],
  ['500, then 422', refused],
];

describe('An undo whose requests have no answer', () => {
  test('An update: the source has it again', () => sourceHasItAgain(cut));

  // Broken rule: a call may be applied if any of its tries may be.
  test('An update: the source has it again, although a repeat was refused', () => sourceHasItAgain(refused));

  async function sourceHasItAgain(answers: Answer[]): Promise<void> {
    await using site = await openMaps();
    feed(site, { room: 'B' });
    await sync(site);
    await play(site, { method: 'PATCH', answers });
    expect(await undoLast(site)).toBe('partial: 1 failed');
    expect(await items(site)).toEqual(['1 Maps 2031-03-01 A Old']);
    await play(site);
    expect(await sync(site)).toBe('success: 1 updated');
    await expectSettled(site, '1 Maps 2031-03-01 B Old');
  }

  test.each(answered.slice(1))('An update: the source follows the undo (%s)', async (_, answers) => {
    await using site = await openMaps();
    feed(site, { room: 'B' });
    await sync(site);
    await play(site, { method: 'PATCH', answers });
    expect(await undoLast(site)).toBe('partial: 1 failed');
    await play(site);
    feed(site, { text: 'New' });
    expect(await sync(site)).toBe('success: 1 updated');
    await expectSettled(site, '1 Maps 2031-03-01 A New');
  });

  test.each(answered.slice(1))(
    'An update: retry finishes the undo, and the next run sends the source (%s)',
    async (_, answers) => {
      await using site = await openMaps();
      feed(site, { room: 'B' });
      await sync(site);
      await play(site, { method: 'PATCH', answers });
      expect(await undoLast(site)).toBe('partial: 1 failed');
      await play(site);
      expect(await retry(site)).toMatch(/^success: 1 (updated|unchanged)$/);
      expect(await items(site)).toEqual(['1 Maps 2031-03-01 A Old']);
      feed(site);
      expect(await sync(site)).toMatch(/^success: 1 (updated|unchanged)$/);
      await expectSettled(site, '1 Maps 2031-03-01 A Old');
    },
  );

  test('A create: the source still has the talk', () => sourceKeepsTheTalk(cut));

  // Broken rule: a call may be applied if any of its tries may be.
  test('A create: the source still has the talk, although a repeat was refused', () => sourceKeepsTheTalk(refused));

  async function sourceKeepsTheTalk(answers: Answer[]): Promise<void> {
    await using site = await openTalks();
    feed(site);
    await sync(site);
    await play(site, { method: 'DELETE', answers: [...answers.slice(0, 1), answers[1] ?? { refused: 500 }] });
    expect(await undoLast(site)).toMatch(/^partial/);
    expect(await items(site)).toEqual([]);
    await play(site);
    expect(await sync(site)).toBe('success: 1 created');
    await expectSettled(site, '4 Maps 2031-03-01 A Old');
  }

  test.each<[string, Answer[]]>([['a broken connection', cut]])(
    'A delete: the talk returns with other content (%s)',
    async (_, answers) => {
      await using site = await openMaps({ sync: DELETE });
      without(site);
      expect(await sync(site)).toBe('success: 1 missing, 1 deleted');
      await play(site, { method: 'POST', answers });
      await undoLast(site);
      await play(site);
      feed(site, { title: 'Charts', date: '2031-05-01' });
      expect(await sync(site)).toMatch(/^success: 1 (created|updated)$/);
      await expectSettled(site, '4 Charts 2031-05-01 A Old');
    },
  );

  test('A delete: the talk stays missing, so its item is deleted again', async () => {
    await using site = await openMaps({ sync: DELETE });
    without(site);
    expect(await sync(site)).toBe('success: 1 missing, 1 deleted');
    await play(site, { method: 'POST', answers: cut });
    await undoLast(site);
    await play(site);
    expect(await sync(site)).toBe('success: 1 missing, 1 deleted');
    await expectSettled(site);
  });

  test('A delete: an edit of the item that was created again stays', async () => {
    await using site = await openMaps({ sync: DELETE });
    without(site);
    await sync(site);
    await play(site, { method: 'POST', answers: cut });
    await undoLast(site);
    await play(site);
    await edit(site, 4, { description: 'Edited' });
    expect(await retry(site)).toBe('success: 1 created');
    expect(await items(site)).toEqual(['4 Maps 2031-03-01 A Edited']);
  });
});

describe('An undo of a run whose request has no answer', () => {
  test('An update in doubt is not reverted, and the undo says why', () => isNotReverted(cut));

  // Broken rule: release, crash, undo and explain see the same facts.
  test('An update in doubt is not reverted, and the undo says why, although a repeat was refused', () =>
    isNotReverted(refused));

  async function isNotReverted(answers: Answer[]): Promise<void> {
    await using site = await openMaps();
    await play(site, { method: 'PATCH', answers });
    feed(site, { room: 'B' });
    const run = await deliver(site, 'sync', 'talks');
    await play(site);
    expect(said(await deliver(site, 'undo', run?.run ?? '', '--yes'))).toMatch(/T1 FF_UNDO_UNSETTLED/);
    expect(await items(site)).toEqual(['1 Maps 2031-03-01 B Old']);
  }

  test('The undo of the run before does not blame an editor', () => blamesNoEditor(cut));

  // Broken rule: release, crash, undo and explain see the same facts.
  test('The undo of the run before does not blame an editor, although a repeat was refused', () =>
    blamesNoEditor(refused));

  async function blamesNoEditor(answers: Answer[]): Promise<void> {
    await using site = await openMaps();
    feed(site, { text: 'New' });
    const run = await deliver(site, 'sync', 'talks');
    await play(site, { method: 'PATCH', answers });
    feed(site, { text: 'Newer' });
    await sync(site);
    await play(site);
    expect(said(await deliver(site, 'undo', run?.run ?? '', '--yes'))).toMatch(/T1 FF_UNDO_(UNSETTLED|LATER)/);
    expect(await items(site)).toEqual(['1 Maps 2031-03-01 A Newer']);
  }

  test('After a retry, the update can be undone', () => canBeUndone(cut));

  // Broken rule: release, crash, undo and explain see the same facts.
  test('After a retry, the update can be undone, although a repeat was refused', () => canBeUndone(refused));

  async function canBeUndone(answers: Answer[]): Promise<void> {
    await using site = await openMaps();
    await play(site, { method: 'PATCH', answers });
    feed(site, { room: 'B' });
    expect(await sync(site)).toBe('partial: 1 failed');
    await play(site);
    expect(await retry(site)).toBe('success: 1 updated');
    expect(await undoLast(site)).toBe('success: 1 updated');
    expect(await items(site)).toEqual(['1 Maps 2031-03-01 A Old']);
  }

  test('Without images, the update stays', async () => {
    await using site = await openMaps({ beside: NO_IMAGES });
    await play(site, { method: 'PATCH', answers: cut });
    feed(site, { room: 'B' });
    await sync(site);
    await play(site);
    expect(await retry(site)).toBe('success: 1 updated');
    expect(await undoLast(site)).toMatch(/T1 FF_UNDO_FORGOTTEN/);
    await expectSettled(site, '1 Maps 2031-03-01 B Old');
  });

  test('A delete in doubt: the undo after a retry restores the talk', async () => {
    await using site = await openMaps({ sync: DELETE });
    without(site);
    await play(site, { method: 'DELETE', answers: [{ applied: 0 }, { refused: 0 }] });
    expect(await sync(site)).toBe('partial: 1 missing, 1 unremoved');
    await play(site);
    await retry(site);
    expect(await undoLast(site)).toBe('success: 1 created');
    expect(await items(site)).toEqual(['4 Maps 2031-03-01 A Old']);
  });
});
