import { z } from 'zod';
import { addDays, dateAt } from '../../core/dates/iso-date.ts';
import { type Html, html } from '../../core/html/html.ts';
import type { CalendarView } from '../../queries/site/calendar.ts';
import { calendarPath, recordPath } from '../parts/addresses.ts';
import { badge } from '../parts/badge.ts';
import { figureOf } from '../parts/figures.ts';
import { textField } from '../parts/form.ts';
import { emptyState, notice } from '../parts/notice.ts';
import { consolePage, optionalText, type PageContent, type PageContext } from './page.ts';

const TONES = 8;

/** The delivered events of a month; each sync has a colour. */
export const monthPage = consolePage({
  path: '/calendar',
  query: z.object({
    /** An empty field of the form counts as absent. */
    month: z.preprocess(
      (month) => month || undefined,
      z
        .string()
        .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'Enter a month such as 2027-03.')
        .optional(),
    ),
    sync: optionalText,
  }),
  async show({ month, sync }, { queries }, context) {
    const { now, timezone } = context;
    return monthContent(await queries.calendar(month ?? dateAt(now, timezone).slice(0, 7), sync), sync, context);
  },
});

type CalendarEvent = CalendarView['events'][number];

/** @param only the sync whose events are shown; if absent, the events of all syncs */
export function monthContent(view: CalendarView, only: string | undefined, context: PageContext): PageContent {
  const { month, events, syncs, isCut, timezone } = view;
  const doubled = events.filter((event) => event.doubled).length;
  return {
    title: nameOf(`${month}-01`, { month: 'long', year: 'numeric' }),
    section: 'calendar',
    aside: monthLinks(month, only),
    body: html`${monthForm(month, only)}
${legend(view, only)}
${doubled > 0 && notice('warning', `${figureOf(doubled, 'event')} ${doubled === 1 ? 'has' : 'have'} the same title and time as another one: look for “double”.`)}
${isCut && notice('info', 'This month has more events than are shown. Choose one sync to see the others.')}
${events.length === 0 ? emptyState('No events were delivered for this month.') : dayList(view, dateAt(context.now, timezone))}
<p class="muted">Times are of ${timezone}.${syncs.length > 0 && ' A colour stands for a sync.'}</p>`,
  };
}

function monthLinks(month: string, only: string | undefined): Html {
  const before = addDays(`${month}-01`, -1).slice(0, 7);
  const next = addDays(`${month}-01`, 31).slice(0, 7);
  const name = (each: string) => nameOf(`${each}-01`, { month: 'long' });
  return html`<a class="button" rel="prev" href="${calendarPath(before, only)}">← ${name(before)}</a><a class="button" rel="next" href="${calendarPath(next, only)}">${name(next)} →</a>`;
}

function monthForm(month: string, only: string | undefined): Html {
  return html`<form class="search" method="get" action="/calendar">${textField({ name: 'month', label: 'Month', type: 'month', value: month })}${
    only !== undefined && html`<input type="hidden" name="sync" value="${only}">`
  }<button>Show</button></form>`;
}

/** The colour of each sync; each name is a link to the events of that sync only. */
function legend({ syncs, month }: CalendarView, only: string | undefined): Html | undefined {
  if (only !== undefined) return html`<p>Only ${only}. <a href="${calendarPath(month)}">Show all syncs</a></p>`;
  if (syncs.length === 0) return undefined;
  return html`<p class="legend">${syncs.map((sync, place) => html`<span class="tone-${place % TONES}"><a href="${calendarPath(month, sync)}">${sync}</a></span>`)}</p>`;
}

/** A list of days, which wide screens show as weeks. */
function dayList({ month, events, syncs }: CalendarView, today: string): Html {
  const days = daysOf(month);
  const byDay = new Map(days.map((day) => [day, [] as CalendarEvent[]]));
  for (const event of events) {
    const { date, endDate = date } = event;
    for (const day of days) if (day >= date && day <= endDate) byDay.get(day)?.push(event);
  }
  const tones = new Map(syncs.map((sync, place) => [sync, place % TONES]));
  // Weeks begin on Monday.
  const first = (new Date(`${month}-01`).getUTCDay() + 6) % 7;
  const before = Array.from({ length: first }, () => html`<li class="free" aria-hidden="true"></li>`);
  return html`<ol class="month">${before}${days.map((day) => {
    const its = (byDay.get(day) ?? []).toSorted((one, other) => order(one, day).localeCompare(order(other, day)));
    return html`<li${its.length === 0 && html` class="free"`}><time datetime="${day}"${day === today && html` aria-current="date"`}>${nameOf(day, { weekday: 'short', day: 'numeric' })}</time>
${its.length > 0 && html`<ul>${its.map((event) => html`<li class="tone-${tones.get(event.sync) ?? 0}">${eventOn(day, event, syncs.length > 1)}</li>`)}</ul>`}</li>`;
  })}</ol>`;
}

function eventOn(day: string, event: CalendarEvent, withSync: boolean): Html {
  const { sync, key, title, repeats, doubled } = event;
  return html`<a href="${recordPath(sync, key)}">${timesOn(day, event)}${title || key}</a>${repeats && html` <span title="repeats" aria-hidden="true">↻</span><span class="unseen"> (repeats)</span>`}${doubled && html` ${badge('warning', 'double')}`}${withSync && html` <span class="muted">${sync}</span>`}`;
}

/** Times of an event on a day: the start on its first day, and the end if the event ends on that day, too. */
function timesOn(day: string, { date, endDate, start, end }: CalendarEvent): Html | undefined {
  if (start === undefined || day !== date) return undefined;
  return html`<span class="time">${start}${end !== undefined && (endDate ?? date) === date && `–${end}`}</span> `;
}

/** Sort key: events that began on an earlier day or last the whole day come first. */
function order({ date, start = '' }: CalendarEvent, day: string): string {
  return day === date ? start : '';
}

function daysOf(month: string): string[] {
  const count = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate();
  return Array.from({ length: count }, (_, place) => addDays(`${month}-01`, place));
}

function nameOf(day: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' }).format(new Date(day));
}
