import { expect, test } from 'vitest';
import { previewUndo } from '../../../src/sync/undo/preview-undo.ts';
import { undoRun } from '../../../src/sync/undo/undo-run.ts';
import { either } from '../in-turn.ts';
import { runHere } from '../run-here.ts';
import { serveConsole } from '../serve-console.ts';
import { type Site, simplest } from '../site.ts';
import { CONCERT, itemsOf, openCampus, TALK, writeCalendar } from './two-calendars.ts';

const undo = (site: Site, run: string) => site.withContext((context) => undoRun(run, context));
const preview = (site: Site, run: string) => site.withContext((context) => previewUndo(run, context));
const answers = async (site: Site) =>
  (await runHere(['questions', 'campus', '--answered', '--json'], site.variables)).json<{
    answers: Array<{ id: string; note?: string; answer: string }>;
  }>().answers;

/** A concert that the music department has published, and then the central calendar, too. */
async function openJoined(engines = simplest): Promise<{ site: Site; run: string }> {
  const site = await openCampus({ engines });
  writeCalendar(site, 'central', [['2', ...TALK, '']]);
  writeCalendar(site, 'music', [['7', ...CONCERT, 'With choir']]);
  await site.sync();
  writeCalendar(site, 'central', [
    ['1', ...CONCERT, 'By Mozart'],
    ['2', ...TALK, ''],
  ]);
  // What a plan has joined counts for the run that publishes it.
  await runHere(['plan', 'campus'], site.variables);
  const [joined] = await site.sync();
  expect(joined).toMatchObject({ status: 'success', counts: { created: 0, updated: 1 } });
  return { site, run: joined?.run ?? '' };
}

test.each(either(1))(
  'The undo of a run that joined two records restores the item, and the next run publishes both, on $ledger',
  async (engines) => {
    const { site: opened, run } = await openJoined(engines);
    await using site = opened;
    expect(await preview(site, run)).toMatchObject({
      changes: [{ op: 'restore', key: 'music/7' }],
      separated: [{ key: 'central/1', from: 'music/7' }],
    });
    expect(await undo(site, run)).toMatchObject({ status: 'success', counts: { updated: 1 } });
    expect(await itemsOf(site)).toMatchObject([{ title: 'Old Maps' }, { title: 'Requiem', description: 'With choir' }]);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1, unchanged: 2 } }]);
    expect(await itemsOf(site)).toMatchObject([
      { title: 'Old Maps' },
      { title: 'Requiem', description: 'With choir' },
      { title: 'Requiem', description: 'By Mozart' },
    ]);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 3 } }]);
    const verified = await runHere(['verify', 'campus', '--json'], site.variables);
    expect(verified.json()).toMatchObject({ verified: [{ drift: [] }] });
  },
);

test('The answer of an undo can be taken back, and the next run joins the records again', async () => {
  const { site: opened, run } = await openJoined();
  await using site = opened;
  await undo(site, run);
  const [answer] = await answers(site);
  expect(answer).toMatchObject({ answer: 'distinct', note: `undo of ${run}` });
  await runHere(['questions', 'campus', '--take-back', answer?.id ?? ''], site.variables);
  expect(await site.sync()).toMatchObject([{ counts: { created: 0, updated: 1 } }]);
  expect(await itemsOf(site)).toMatchObject([{ title: 'Old Maps' }, { title: 'Requiem', description: 'By Mozart' }]);
});

test('The undo of the undo takes its answer back', async () => {
  const { site: opened, run } = await openJoined();
  await using site = opened;
  const undone = await undo(site, run);
  await undo(site, undone.run);
  expect(await answers(site)).toEqual([]);
  expect(await site.sync()).toMatchObject([{ counts: { created: 0, unchanged: 2 } }]);
  expect(await itemsOf(site)).toMatchObject([{ title: 'Old Maps' }, { title: 'Requiem', description: 'By Mozart' }]);
});

test('A run that covered a record without any change in the CMS can be undone', async () => {
  await using site = await openCampus();
  writeCalendar(site, 'central', [['1', ...CONCERT, 'By Mozart']]);
  writeCalendar(site, 'music', [['8', ...TALK, '']]);
  await site.sync();
  writeCalendar(site, 'music', [
    ['7', ...CONCERT, 'With choir'],
    ['8', ...TALK, ''],
  ]);
  const [covering] = await site.sync();
  expect(covering).toMatchObject({ counts: { unchanged: 2, created: 0 } });
  const url = await serveConsole(site);
  const page = await (await fetch(`${url}/runs/${covering?.run}/undo`)).text();
  expect(page).toContain('What would be different events');
  expect(await undo(site, covering?.run ?? '')).toMatchObject({ status: 'success' });
  expect(await site.sync()).toMatchObject([{ counts: { unchanged: 2, created: 1 } }]);
});

test('The undo of the run that created the item says nothing about its records: the next run joins them again', async () => {
  await using site = await openCampus();
  writeCalendar(site, 'central', [['1', ...CONCERT, 'By Mozart']]);
  writeCalendar(site, 'music', [['7', ...CONCERT, 'With choir']]);
  const [first] = await site.sync();
  await undo(site, first?.run ?? '');
  expect(await answers(site)).toEqual([]);
  expect(await site.sync()).toMatchObject([{ counts: { created: 1 } }]);
});

test('If the item was edited since, the records stay joined', async () => {
  const { site: opened, run } = await openJoined();
  await using site = opened;
  const [, concert] = (await itemsOf(site)) as Array<{ id: number }>;
  await site.request('PATCH', `api/v1/calendar/events/${concert?.id}`, { description: 'Sold out' });
  expect(await undo(site, run)).toMatchObject({ status: 'partial' });
  expect(await answers(site)).toEqual([]);
});

test('A person separates a record from the event as which it is published', async () => {
  await using site = await openCampus({ more: 'merge: { fill: { description: [music] } }' });
  writeCalendar(site, 'central', [['1', ...CONCERT, '']]);
  writeCalendar(site, 'music', [['7', ...CONCERT, 'With choir']]);
  await site.sync();
  const refused = await runHere(['questions', 'campus', '--same', 'music/7'], site.variables);
  expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('no open question "music/7"')]);
  await runHere(['questions', 'campus', '--distinct', 'music/7', '--note', 'two choirs'], site.variables);
  expect(await answers(site)).toMatchObject([{ answer: 'distinct', note: 'two choirs' }]);
  expect(await site.sync()).toMatchObject([{ counts: { created: 1, updated: 1 } }]);
  const [own, other] = (await itemsOf(site)) as Array<{ description?: string | null }>;
  expect([own?.description ?? '', other?.description]).toEqual(['', 'With choir']);
});
