import { expect, test } from 'vitest';
import { either } from '../in-turn.ts';
import type { Site } from '../site.ts';
import { itemsOf, openCampus, type Row, writeCalendar } from './two-calendars.ts';

/** Central publishes the days up to the end of March, unless told otherwise; the other source publishes all days. */
function writeWindows(site: Site, to = '2031-03-31', more = ''): void {
  site.write(
    'syncs/campus.yaml',
    `resource: events
sources:
  central: { connector: csv, url: ./feeds/central.csv, window: { to: ${to} } }
  music: { connector: csv, url: ./feeds/music.csv }
key: id
map: { title: title, date: date, time.start: start, location: hall, description: text }
missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }
${more}`,
  );
}

const april = (key: string, text: string): Row => [key, 'Spring Fair', '2031-04-10', '10:00', 'Yard', text];
const march: Row = ['2', 'Old Maps', '2031-03-02', '18:00', 'Library', ''];
const PAST = '2031-03-31';
const WIDE = '2031-04-30';

test.each(either(1))(
  'An event outside the window of the best source is published by the next one, until the window reaches it, on $ledger',
  async (engines) => {
    await using site = await openCampus({ engines });
    writeWindows(site);
    writeCalendar(site, 'central', [april('1', 'Central'), march]);
    writeCalendar(site, 'music', [april('7', 'Music')]);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 2 } }]);
    const [, fair] = await itemsOf(site);
    expect(fair).toMatchObject({ description: 'Music' });
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 2 } }]);
    writeWindows(site, WIDE);
    expect(await site.sync()).toMatchObject([{ counts: { updated: 1, unchanged: 1 } }]);
    expect((await itemsOf(site))[1]).toMatchObject({ ...fair, description: 'Central' });
  },
);

test('What is outside the window of a source neither changes nor leaves', async () => {
  await using site = await openCampus();
  writeWindows(site, WIDE);
  writeCalendar(site, 'central', [april('1', 'Central'), march, ['3', 'Bazaar', '2031-04-12', '10:00', 'Yard', '']]);
  writeCalendar(site, 'music', [april('7', 'Music'), ['8', 'Jazz', '2031-04-20', '20:00', 'Club', '']]);
  await site.sync();
  const before = await itemsOf(site);
  expect(before).toHaveLength(4);
  writeWindows(site, PAST);
  // Central has changed one, and lost both: it says nothing about April.
  writeCalendar(site, 'central', [april('1', 'Changed'), march]);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 0, deleted: 0, missing: 0 } }]);
  writeCalendar(site, 'central', [march]);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 0, deleted: 0, missing: 0 } }]);
  expect(await itemsOf(site)).toEqual(before);
  // The other source has lost both of its events. Central has had one of them, and does not say whether it still has it.
  writeCalendar(site, 'music', [['9', 'Choir', '2031-05-01', '20:00', 'Club', '']]);
  expect(await site.sync()).toMatchObject([{ counts: { created: 1, deleted: 1 } }]);
  expect((await itemsOf(site)).map((item) => (item as { title: string }).title)).toEqual([
    'Bazaar',
    'Choir',
    'Old Maps',
    'Spring Fair',
  ]);
});

test('A source that publishes an event goes on with its values while another one has the day outside its window', async () => {
  await using site = await openCampus();
  writeWindows(site, WIDE, 'merge: { fill: { description: [music] } }\n');
  writeCalendar(site, 'central', [april('1', ''), march]);
  writeCalendar(site, 'music', [april('7', 'With choir')]);
  await site.sync();
  writeWindows(site, PAST, 'merge: { fill: { description: [music] } }\n');
  writeCalendar(site, 'music', [april('7', 'With organ')]);
  expect(await site.sync()).toMatchObject([{ counts: { updated: 1 } }]);
  expect((await itemsOf(site))[1]).toMatchObject({ description: 'With organ' });
});

test.each(either(0))(
  'An event that its sources move beyond the window of the best one leaves its former day, on $ledger',
  async (engines) => {
    await using site = await openCampus({ engines });
    const fair = (key: string, day: string, text: string): Row => [key, 'Spring Fair', day, '10:00', 'Yard', text];
    writeWindows(site);
    writeCalendar(site, 'central', [fair('1', '2031-03-10', 'Central'), march]);
    writeCalendar(site, 'music', [fair('7', '2031-03-10', 'Music')]);
    await site.sync();
    const [, before] = await itemsOf(site);
    writeCalendar(site, 'central', [fair('1', '2031-04-10', 'Central'), march]);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 1, deleted: 0 } }]);
    writeCalendar(site, 'music', [fair('7', '2031-04-10', 'Music')]);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 1, deleted: 0 } }]);
    expect((await itemsOf(site))[1]).toMatchObject({ ...before, date: '2031-04-10', description: 'Music' });
    writeWindows(site, WIDE);
    await site.sync();
    expect(await itemsOf(site)).toHaveLength(2);
    expect((await itemsOf(site))[1]).toMatchObject({ date: '2031-04-10', description: 'Central' });
  },
);

test('An event that only one source has moves with it out of the window', async () => {
  await using site = await openCampus();
  writeWindows(site);
  const fair = (day: string): Row => ['1', 'Spring Fair', day, '10:00', 'Yard', 'Central'];
  writeCalendar(site, 'central', [fair('2031-03-10'), march]);
  writeCalendar(site, 'music', [['8', 'Jazz', '2031-03-20', '20:00', 'Club', '']]);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 3 } }]);
  const days = async () => (await site.items('calendar/events')).map(({ title, date }) => `${title} ${date}`).sort();
  for (const day of ['2031-04-10', '2031-05-10', '2031-03-12']) {
    writeCalendar(site, 'central', [fair(day), march]);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 1, missing: 0 } }]);
    expect(await days()).toEqual(['Jazz 2031-03-20', 'Old Maps 2031-03-02', `Spring Fair ${day}`]);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 0, missing: 0 } }]);
  }
});
