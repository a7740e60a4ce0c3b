import { expect, test } from 'vitest';
import type { App } from '../../../src/app/app.ts';
import type { DeliveredEvent } from '../../../src/ledger/records/event-days.ts';
import { createCalendar } from '../../../src/queries/site/calendar.ts';

let nextId = 1;

function event(sync: string, key: string, delivered: DeliveredEvent['delivered']): DeliveredEvent {
  return { sync, key, cmsId: nextId++, delivered };
}

function calendarOf(events: DeliveredEvent[]) {
  const asked: Array<{ days: readonly string[]; sync?: string }> = [];
  const eventsOn = async (options: (typeof asked)[number]) => {
    asked.push(options);
    return { events, isCut: false };
  };
  const config = { target: { timezone: 'America/New_York' }, syncs: [{ name: 'talks' }], broken: [] };
  const app = { config, ledger: { records: { eventsOn } } } as unknown as App;
  return { ...createCalendar(() => app), asked };
}

const talk = { title: 'Talk', date: '2027-02-10', endDate: '2027-02-10' };

test('A month has the wall times that were delivered, in their order', async () => {
  const { calendar, asked } = calendarOf([
    event('tours', 'c', { ...talk, time: { start: '19:00:00', end: '20:30:00', type: 'timed' }, repeats: true }),
    event('talks', 'b', { ...talk, time: { start: '09:15:00', end: '09:15:00' } }),
    event('talks', 'a', { title: 'Fair', date: '2027-01-30', endDate: '2027-02-02', time: allDay() }),
    event('talks', 'no date', { title: 'Talk' }),
    event('talks', 'moved away', { ...talk, date: '2027-03-01', endDate: '2027-03-01' }),
  ]);
  const view = await calendar('2027-02');
  expect(asked[0]?.days).toHaveLength(28);
  expect(view).toMatchObject({ month: '2027-02', timezone: 'America/New_York', syncs: ['talks', 'tours'] });
  const common = { repeats: false, doubled: false, cmsId: expect.any(Number) };
  expect(view.events).toEqual([
    { ...common, sync: 'talks', key: 'a', title: 'Fair', date: '2027-01-30', endDate: '2027-02-02' },
    { ...common, sync: 'talks', key: 'b', title: 'Talk', date: '2027-02-10', start: '09:15' },
    {
      ...common,
      sync: 'tours',
      key: 'c',
      title: 'Talk',
      date: '2027-02-10',
      start: '19:00',
      end: '20:30',
      repeats: true,
    },
  ]);
});

test('Events with the same title and time are doubled, in one sync or in two', async () => {
  const time = { start: '19:00:00', end: '20:00:00' };
  const { calendar } = calendarOf([
    event('talks', 'a', { ...talk, time }),
    event('tours', 'b', { ...talk, title: 'talk ', time }),
    event('tours', 'an hour later', { ...talk, time: { start: '20:00:00', end: '21:00:00' } }),
  ]);
  const { events } = await calendar('2027-02');
  expect(events.filter(({ doubled }) => doubled).map(({ key }) => key)).toEqual(['a', 'b']);
});

test('A month or sync that does not exist is an error; one without events is not', async () => {
  const { calendar } = calendarOf([]);
  await expect(calendar('2027-13')).rejects.toMatchObject({ code: 'FF_HTTP_REQUEST' });
  await expect(calendar('2027-02', 'none')).rejects.toMatchObject({ code: 'FF_SYNC_UNKNOWN' });
  expect((await calendar('2027-02', 'talks')).events).toEqual([]);
});

function allDay() {
  return { start: '00:00:00', end: '23:59:59', type: 'timed' };
}
