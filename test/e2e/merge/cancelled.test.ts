import { expect, test } from 'vitest';
import { runHere } from '../run-here.ts';
import type { Site } from '../site.ts';
import { itemsOf, openCampus, writeCalendar } from './two-calendars.ts';

const FAIR = ['Fair', '2031-05-01', '10:00', 'Yard', 'Bring a bag'] as const;

function writeCentral(
  site: Site,
  status: string | undefined,
  { start = '20310501T100000', talkStatus = 'CONFIRMED', uid = '1' } = {},
): void {
  const event = [`UID:${uid}`, 'SUMMARY:Fair', `DTSTART:${start}`, 'LOCATION:Yard', `STATUS:${status}`];
  const talk = ['UID:2', 'SUMMARY:Talk', 'DTSTART:20310502T100000', 'LOCATION:Hall', `STATUS:${talkStatus}`];
  const events = [...(status ? [event] : []), talk].flatMap((lines) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']);
  site.write(
    'syncs/feeds/central.ics',
    ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events, 'END:VCALENDAR', ''].join('\r\n'),
  );
}

async function openFairs(): Promise<Site> {
  const site = await openCampus();
  site.write(
    'syncs/campus.yaml',
    `resource: events
sources:
  central:
    connector: ical
    url: ./feeds/central.ics
    map: { title: summary, start: start, end: end, location: location }
  music:
    connector: csv
    url: ./feeds/music.csv
    key: id
    map: { title: title, date: date, time.start: start, location: hall, description: text }
missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }
`,
  );
  return site;
}

test('If the better source cancels an event, no other one carries it on without an answer', async () => {
  await using site = await openFairs();
  writeCentral(site, 'CONFIRMED');
  writeCalendar(site, 'music', [['7', ...FAIR]]);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 2 } }]);
  writeCentral(site, 'CANCELLED');
  expect(await site.sync()).toMatchObject([{ counts: { deleted: 1, unchanged: 1 } }]);
  expect(await itemsOf(site)).toMatchObject([{ title: 'Talk' }]);
  const asked = await runHere(['questions', 'campus', '--json'], site.variables);
  const [question] = asked.json<{ questions: Array<{ id: string; why: string }> }>().questions;
  expect(question).toMatchObject({ why: 'withdrawn', records: [{ key: 'music/7' }, { key: 'central/1' }] });
  // The other source knows better.
  await runHere(['questions', 'campus', '--distinct', question?.id ?? ''], site.variables);
  expect(await site.sync()).toMatchObject([{ counts: { created: 1, unchanged: 1 } }]);
  expect(await itemsOf(site)).toMatchObject([{ title: 'Fair', description: 'Bring a bag' }, { title: 'Talk' }]);
});

test('An event that the better source has cancelled before is not published by another one', async () => {
  await using site = await openFairs();
  writeCentral(site, 'CANCELLED');
  writeCalendar(site, 'music', [['7', ...FAIR]]);
  expect(await site.sync()).toMatchObject([{ counts: { created: 1 } }]);
  expect(await itemsOf(site)).toMatchObject([{ title: 'Talk' }]);
});

test('A worse source that cancels an event changes nothing', async () => {
  await using site = await openFairs();
  site.write(
    'syncs/campus.yaml',
    `resource: events
sources:
  music: { connector: csv, url: ./feeds/music.csv, key: id, map: { title: title, date: date, time.start: start, location: hall } }
  central: { connector: ical, url: ./feeds/central.ics, map: { title: summary, start: start, location: location } }
`,
  );
  writeCentral(site, 'CONFIRMED');
  writeCalendar(site, 'music', [['7', ...FAIR]]);
  await site.sync();
  writeCentral(site, 'CANCELLED');
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 2 } }]);
});

test('An event that a calendar writes with an impossible date is rejected, not missing', async () => {
  await using site = await openFairs();
  writeCalendar(site, 'music', []);
  writeCentral(site, 'CONFIRMED');
  await site.sync();
  const before = await itemsOf(site);
  writeCentral(site, 'CONFIRMED', { start: '20310230T100000' });
  expect(await site.sync()).toMatchObject([
    {
      status: 'partial',
      counts: { read: 2, rejected: 1, unchanged: 1, deleted: 0 },
      rejections: [{ key: 'central/1' }],
    },
  ]);
  expect(await itemsOf(site)).toEqual(before);
});

test('A calendar whose events are all cancelled is not empty', async () => {
  await using site = await openFairs();
  writeCentral(site, 'CONFIRMED');
  writeCalendar(site, 'music', [['8', 'Jazz', '2031-06-01', '20:00', 'Club', '']]);
  await site.sync();
  writeCentral(site, 'CANCELLED', { talkStatus: 'CANCELLED' });
  expect(await site.sync()).toMatchObject([
    { status: 'success', complete: true, counts: { deleted: 2, unchanged: 1 } },
  ]);
  expect(await itemsOf(site)).toMatchObject([{ title: 'Jazz' }]);
});

test('A feed is not empty if its records wait for answers', async () => {
  await using site = await openFairs();
  writeCentral(site, 'CONFIRMED');
  writeCalendar(site, 'music', [
    ['7', 'Fair', '2031-05-01', '10:00', 'Club', ''],
    ['8', 'Talk', '2031-05-02', '10:00', 'Club', ''],
  ]);
  expect(await site.sync()).toMatchObject([{ counts: { created: 2 } }]);
  writeCentral(site, 'CANCELLED', { talkStatus: 'CANCELLED' });
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { deleted: 2 } }]);
});

test('A cancelled event is not another one that another source lists at the same time', async () => {
  await using site = await openFairs();
  writeCentral(site, 'CONFIRMED');
  writeCalendar(site, 'music', [['7', ...FAIR]]);
  await site.sync();
  writeCalendar(site, 'music', [
    ['7', ...FAIR],
    ['8', ...FAIR],
  ]);
  expect(await site.sync()).toMatchObject([{ counts: { created: 1 } }]);
  writeCentral(site, 'CANCELLED');
  expect(await site.sync()).toMatchObject([{ counts: { deleted: 1, unchanged: 2 } }]);
  expect(await site.sync()).toMatchObject([{ counts: { deleted: 0, unchanged: 2 } }]);
  const asked = await runHere(['questions', 'campus', '--json'], site.variables);
  expect(asked.json()).toMatchObject({ questions: [{ records: [{ key: 'music/7' }, { key: 'central/1' }] }] });
});

test('An answer holds when the source gives a cancelled event another key', async () => {
  await using site = await openFairs();
  writeCentral(site, 'CONFIRMED');
  writeCalendar(site, 'music', [['7', ...FAIR]]);
  await site.sync();
  writeCentral(site, 'CANCELLED');
  await site.sync();
  writeCentral(site, 'CANCELLED', { uid: '11' });
  expect(await site.sync()).toMatchObject([{ counts: { created: 0 } }]);
  const asked = await runHere(['questions', 'campus', '--json'], site.variables);
  const [question] = asked.json<{ questions: Array<{ id: string }> }>().questions;
  expect(question).toMatchObject({ records: [{ key: 'music/7' }, { key: 'central/11' }] });
  await runHere(['questions', 'campus', '--distinct', question?.id ?? ''], site.variables);
  expect(await site.sync()).toMatchObject([{ counts: { created: 1 } }]);
  writeCentral(site, 'CANCELLED', { uid: '21' });
  expect(await site.sync()).toMatchObject([{ counts: { created: 0, unchanged: 2, deleted: 0 } }]);
});

test('A cancelled event that its source no longer has is not published by another source without an answer', async () => {
  await using site = await openFairs();
  writeCentral(site, 'CONFIRMED');
  writeCalendar(site, 'music', [['7', ...FAIR]]);
  await site.sync();
  writeCentral(site, 'CANCELLED');
  await site.sync();
  writeCentral(site, undefined);
  expect(await site.sync()).toMatchObject([{ counts: { created: 0, unchanged: 1 } }]);
  expect(await site.sync()).toMatchObject([{ counts: { created: 0, unchanged: 1 } }]);
});

test('A cancelled event stays cancelled while its calendar writes it with an impossible date', async () => {
  await using site = await openFairs();
  writeCentral(site, 'CONFIRMED');
  writeCalendar(site, 'music', [['7', ...FAIR]]);
  await site.sync();
  writeCentral(site, 'CANCELLED');
  await site.sync();
  writeCentral(site, 'CANCELLED', { start: '20310230T100000' });
  expect(await site.sync()).toMatchObject([{ counts: { rejected: 1, created: 0, unchanged: 1 } }]);
});
