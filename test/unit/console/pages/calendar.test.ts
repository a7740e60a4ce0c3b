import { describe, expect, test } from 'vitest';
import { monthContent } from '../../../../src/console/pages/calendar.ts';
import type { CalendarView } from '../../../../src/queries/site/calendar.ts';
import { ATTACK, aContext } from '../sample-views.ts';
import { servePages } from './serve-pages.ts';

type CalendarEvent = CalendarView['events'][number];

function anEvent(more: Partial<CalendarEvent>): CalendarEvent {
  return { sync: 'talks', key: 'a', title: 'Talk', date: '2027-03-09', repeats: false, doubled: false, ...more };
}

function aMonth(events: CalendarEvent[], more: Partial<CalendarView> = {}): CalendarView {
  return { month: '2027-03', timezone: 'America/New_York', syncs: ['music', 'talks'], events, isCut: false, ...more };
}

/** What the page has for a day. */
function dayOf(view: CalendarView, day: string): string {
  const text = String(monthContent(view, undefined, aContext()).body);
  const from = text.indexOf(`<time datetime="${day}"`);
  const to = text.indexOf('<time datetime=', from + 1);
  return text.slice(from, to < 0 ? undefined : to);
}

describe('The calendar', () => {
  test('An event has its times, title, colour and sync on its day', () => {
    const view = aMonth([anEvent({ start: '19:00', end: '21:30', key: 'k 1' })]);
    const day = dayOf(view, '2027-03-09');
    expect(day).toContain('>9<span> Tue</span><');
    expect(day).toMatch(/class="tone-1".*href="\/syncs\/talks\/record\?key=k\+1".*19:00–21:30.*Talk.*talks/s);
    expect(dayOf(view, '2027-03-10')).not.toContain('Talk');
  });

  test('An event of several days is above the days, once, and a full day is folded', () => {
    const lasting = anEvent({ title: 'Fair', date: '2027-02-27', endDate: '2027-03-02', start: '08:00', end: '18:00' });
    const busy = Array.from({ length: 9 }, (_, nth) =>
      anEvent({ title: `Talk ${nth}`, date: '2027-03-02', start: `1${nth}:00` }),
    );
    const text = String(monthContent(aMonth([lasting, ...busy]), undefined, aContext()).body);
    expect(text.match(/Fair/g)).toHaveLength(1);
    expect(text).toMatch(/1 event of several days.*Fair.*Feb 27 – Mar 2.*datetime="2027-03-01"/s);
    expect(dayOf(aMonth(busy), '2027-03-02')).toMatch(/Talk 5.*<summary>3 more<\/summary>.*Talk 6/s);
  });

  test('All days of the month are there, weeks begin on Monday, and today is marked', () => {
    const days = (month: string) =>
      String(monthContent(aMonth([anEvent({ date: `${month}-02` })], { month }), undefined, aContext()).body);
    expect(days('2027-03').match(/<time datetime="2027-03-/g)).toHaveLength(31);
    expect(days('2028-02').match(/<time datetime="2028-02-/g)).toHaveLength(29);
    // 2027-03-01 is a Monday, 2027-05-01 a Saturday.
    expect(days('2027-03')).not.toContain('aria-hidden="true"></li>');
    expect(days('2027-05').match(/aria-hidden="true"><\/li>/g)).toHaveLength(5);
    expect(days('2027-03')).toContain('<time datetime="2027-03-01" aria-current="date">');
  });

  test('Doubled and repeated events are visible as such', () => {
    const view = aMonth([anEvent({ doubled: true }), anEvent({ key: 'b', doubled: true, repeats: true })]);
    expect(dayOf(view, '2027-03-09').match(/double</g)).toHaveLength(2);
    expect(dayOf(view, '2027-03-09').match(/repeats\)/g)).toHaveLength(1);
    expect(String(monthContent(view, undefined, aContext()).body)).toContain('2 events have the same title and time');
  });

  test('Texts of a feed are escaped', () => {
    expect(dayOf(aMonth([anEvent({ title: ATTACK, key: ATTACK })]), '2027-03-09')).not.toContain('<script');
  });

  test.each([
    ['2027-12', '2027-11', '2028-01'],
    ['2027-01', '2026-12', '2027-02'],
    ['2027-03', '2027-02', '2027-04'],
  ])('From %s links lead to %s and %s, and keep the sync', (month, before, next) => {
    const { aside } = monthContent(aMonth([], { month }), 'talks', aContext());
    expect(String(aside)).toContain(`/calendar?month=${before}&amp;sync=talks`);
    expect(String(aside)).toContain(`/calendar?month=${next}&amp;sync=talks`);
  });

  test('Without a month it shows the one of the site; a wrong one is refused', async () => {
    const asked: unknown[][] = [];
    const { get } = await servePages({
      calendar: async (...given) => {
        asked.push(given);
        return aMonth([]);
      },
    });
    await get('/calendar?month=&sync=');
    await get('/calendar?month=2027-03&sync=talks');
    expect(asked).toEqual([
      [expect.stringMatching(/^\d{4}-\d\d$/), undefined],
      ['2027-03', 'talks'],
    ]);
    expect((await get('/calendar?month=2027-13')).status).toBe(400);
  });
});
