import { expect, test } from 'vitest';
import type { Site } from '../site.ts';
import { openCampus } from './two-calendars.ts';

const SYNC = `resource: events
sources:
  central: { connector: ical, url: ./feeds/central.ics }
  music: { connector: ical, url: ./feeds/music.ics }
merge: { fill: { description: [music] } }
map: { title: summary, start: start, end: end, location: location, description: description }
missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }
changes: { threshold: false, core: false, churn: false }
`;

/** A course of three weeks. */
function writeCourse(site: Site, source: string, start: string, text = ''): void {
  const end = start.replace(/T(\d\d)/, (_, hour) => `T${Number(hour) + 1}`);
  const lines = [`UID:${source}-course`, 'SUMMARY:Yoga', 'LOCATION:Gym', `DTSTART;TZID=America/New_York:${start}`];
  const event = [...lines, `DTEND;TZID=America/New_York:${end}`, 'RRULE:FREQ=WEEKLY;COUNT=3', `DESCRIPTION:${text}`];
  const all = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'BEGIN:VEVENT', ...event, 'END:VEVENT', 'END:VCALENDAR', ''];
  site.write(`syncs/feeds/${source}.ics`, all.join('\r\n'));
}

const shown = async (site: Site) =>
  ((await site.items('calendar/events')) as Array<Record<string, unknown>>)
    .map(({ id, date, time, description }) => [
      ...[id, date, (time as { start?: string }).start?.slice(0, 5), description ?? ''],
    ])
    .sort(([one], [other]) => Number(one) - Number(other));

async function openCourse(): Promise<Site> {
  const site = await openCampus();
  site.write('syncs/campus.yaml', SYNC);
  writeCourse(site, 'central', '20310107T180000');
  writeCourse(site, 'music', '20310107T180000', 'Bring a mat');
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 3 } }]);
  return site;
}

test.each([
  ['time', '20310107T190000', ['2031-01-07', '2031-01-14', '2031-01-21'], '19:00'],
  ['day', '20310108T180000', ['2031-01-08', '2031-01-15', '2031-01-22'], '18:00'],
])(
  'A series that the best source moves to another %s, and then the other one, keeps its items',
  async (_, start, days, time) => {
    await using site = await openCourse();
    const ids = (await shown(site)).map(([id]) => id);
    writeCourse(site, 'central', start);
    expect(await site.sync()).toMatchObject([{ counts: { created: 0, deleted: 0, updated: 3 } }]);
    const moved = days.map((day, place) => [ids[place], day, time, 'Bring a mat']);
    expect(await shown(site)).toEqual(moved);
    writeCourse(site, 'music', start, 'Bring a towel');
    await site.sync();
    expect(await site.sync()).toMatchObject([{ counts: { created: 0, deleted: 0 } }]);
    expect(await shown(site)).toEqual(days.map((day, place) => [ids[place], day, time, 'Bring a towel']));
  },
);

test('A series that the other source moves first stays until the best one follows', async () => {
  await using site = await openCourse();
  const before = await shown(site);
  writeCourse(site, 'music', '20310107T190000', 'Bring a towel');
  expect(await site.sync()).toMatchObject([{ counts: { created: 0, deleted: 0 } }]);
  expect((await shown(site)).map(([id, day, time]) => [id, day, time])).toEqual(
    before.map(([id, day, time]) => [id, day, time]),
  );
  writeCourse(site, 'central', '20310107T190000');
  await site.sync();
  await site.sync();
  expect(await shown(site)).toEqual(before.map(([id, day]) => [id, day, '19:00', 'Bring a towel']));
});
