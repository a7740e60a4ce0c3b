import { expect, test } from 'vitest';
import { runHere } from '../run-here.ts';
import { CONCERT, itemsOf, openCampus, TALK, writeCalendar } from './two-calendars.ts';

test('A source that changes its keys, and changes them back, keeps its items', async () => {
  await using site = await openCampus({ more: 'missing: { policy: delete, after: 1 run }' });
  const rows = [...Array(12).keys()].map((index) => `2027-05-${10 + index}`);
  writeCalendar(
    site,
    'central',
    rows.map((day, index) => [`c${index}`, `Lecture ${index}`, day, '18:00', 'Aula', '']),
  );
  const music = (...keys: string[]) =>
    writeCalendar(site, 'music', [
      [keys[0] ?? '', ...CONCERT, ''],
      [keys[1] ?? '', ...TALK, ''],
    ]);
  music('1', '2');
  await site.sync();
  const before = await itemsOf(site);
  for (const keys of [
    ['a', 'b'],
    ['1', '2'],
    ['a', 'b'],
    ['2', '1'],
  ]) {
    music(...keys);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 0, deleted: 0, unchanged: 14 } }]);
    expect(await itemsOf(site)).toEqual(before);
  }
});

test('A record with a new key and another title waits, also if it is that of one of several sources', async () => {
  await using site = await openCampus();
  const musical = (key: string, title: string) =>
    writeCalendar(site, 'music', [
      [key, title, '2031-03-01', '19:00', 'Main Hall', ''],
      ['2', ...TALK, ''],
    ]);
  writeCalendar(site, 'central', [['1', 'Opening', '2031-04-01', '10:00', 'Aula', '']]);
  musical('7', 'Requiem');
  await site.sync();
  const before = await itemsOf(site);
  musical('8', 'Requiem by Fauré');
  expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { held: 1, created: 0, missing: 0 } }]);
  const ask = (...args: string[]) => runHere(['questions', 'campus', ...args], site.variables);
  expect((await ask('--json')).json()).toMatchObject({
    questions: [{ id: 'music/8', why: 'keyChanged', records: [{ key: 'music/8' }, { key: 'music/7' }] }],
  });
  expect((await ask('--same')).exitCode).toBe(0);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 1, created: 0, missing: 0 } }]);
  expect(await itemsOf(site)).toEqual(
    before.map((item) => ('title' in item && item.title === 'Requiem' ? { ...item, title: 'Requiem by Fauré' } : item)),
  );
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 3 } }]);
});

test('An event that several sources have waits, if one of them changes its key and time together', async () => {
  await using site = await openCampus({ sources: ['music', 'central'] });
  const musical = (key: string, start: string) =>
    writeCalendar(site, 'music', [
      [key, 'Requiem', '2031-03-01', start, 'Main Hall', ''],
      ['2', ...TALK, ''],
    ]);
  writeCalendar(site, 'central', [['1', ...CONCERT, 'With the university choir.']]);
  musical('7', '19:00');
  await site.sync();
  const before = await itemsOf(site);
  expect(before).toHaveLength(2);
  musical('8', '20:00');
  expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { held: 1, created: 0 } }]);
  expect(await itemsOf(site)).toEqual(before);
  const explained = await runHere(['explain', 'campus', 'music/8'], site.variables);
  expect(explained.stdout).toContain('feedferry retry campus "music/8" --same');
  const answered = await runHere(['retry', 'campus', 'music/8', '--same', '--json'], site.variables);
  expect(answered.json()).toMatchObject({ runs: [{ counts: { updated: 1, created: 0 } }] });
  const moved = before.map((item) =>
    'title' in item && item.title === 'Requiem' ? { ...item, start: '20:00' } : item,
  );
  expect(await itemsOf(site)).toMatchObject(
    moved.map(({ description: _, ...item }: { description?: unknown }) => item),
  );
  for (const _ of [1, 2]) {
    expect(await site.sync()).toMatchObject([{ counts: { created: 0, held: 0, missing: 0 } }]);
    expect(await itemsOf(site)).toHaveLength(2);
  }
});

test.each(['same', 'distinct'] as const)(
  'What an incomplete reading has under new keys waits for the answer "%s", or for a complete one',
  async (answer) => {
    await using site = await openCampus();
    const events = [...Array(6).keys()].map(
      (no) => [`Lecture ${no}`, `2031-04-${10 + no}`, '18:00', 'Aula', ''] as const,
    );
    const calendar = (keys: (no: number) => string, end = '') => {
      const lines = events.map((event, no) => [keys(no), ...event].join(','));
      site.write('syncs/feeds/central.csv', `id,title,date,start,hall,text\n${lines.join('\n')}\n${end}`);
    };
    writeCalendar(site, 'music', [['1', ...CONCERT, '']]);
    calendar((no) => `a${no}`);
    await site.sync();
    const before = await itemsOf(site);
    // A quote that does not end: the reading is cut.
    calendar((no) => (no === 3 ? 'b3' : `a${no}`), '"');
    expect(await site.sync()).toMatchObject([{ counts: { created: 0, held: 1 } }]);
    expect(await itemsOf(site)).toEqual(before);
    await runHere(['questions', 'campus', `--${answer}`], site.variables);
    calendar((no) => (no === 3 ? 'b3' : `a${no}`));
    expect(await site.sync()).toMatchObject([
      { status: 'success', counts: { created: 0, held: 0, missing: 0, unchanged: 7 } },
    ]);
    expect(await itemsOf(site)).toEqual(before);
  },
);

test('People are asked about keys of a source that pass on to other events; different ones keep their items', async () => {
  await using site = await openCampus({ more: 'missing: { policy: delete, after: 1 run }' });
  const talks = [...Array(6).keys()].map(
    (no) => [`Talk ${'ABCDEF'[no]}`, `2031-05-${10 + no}`, '18:00', `Room ${no}`, ''] as const,
  );
  writeCalendar(site, 'central', [['1', ...CONCERT, '']]);
  const numbered = (from: number, to: number) =>
    writeCalendar(
      site,
      'music',
      talks.slice(from, to).map((talk, no) => [`${no}`, ...talk] as const),
    );
  numbered(0, 4);
  await site.sync();
  const before = await itemsOf(site);
  numbered(1, 5);
  expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { held: 4, created: 0, updated: 0 } }]);
  expect(await itemsOf(site)).toEqual(before);
  const differ = () => runHere(['questions', 'campus', '--distinct'], site.variables);
  await differ();
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1 } }]);
  for (const _ of [1, 2]) expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 0 } }]);
  const [requiem, , ...rest] = before;
  expect(await itemsOf(site)).toMatchObject([requiem, ...rest, { title: 'Talk E' }]);
  // All that names an event changes under its key, and so does another one.
  const shown = await itemsOf(site);
  writeCalendar(site, 'music', [
    ['0', 'Chess', '2031-08-01', '10:00', 'Cellar', ''],
    ['1', 'Bowls', '2031-08-02', '11:00', 'Garden', ''],
    ...talks.slice(3, 5).map((talk, no) => [`${no + 2}`, ...talk] as const),
  ]);
  expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { held: 2, created: 0, updated: 0 } }]);
  expect(await itemsOf(site)).toEqual(shown);
  await differ();
  expect(await site.sync()).toMatchObject([{ counts: { created: 2 } }]);
  const titles = (await itemsOf(site)).map((item) => ('title' in item ? item.title : ''));
  expect(titles).toEqual(expect.arrayContaining(['Chess', 'Bowls', 'Talk D', 'Talk E', 'Requiem']));
});
