import { z } from 'zod';
import { addDays, dateAt } from '../../core/dates/iso-date.ts';
import { type Html, html } from '../../core/html/html.ts';
import { calendarPath, recordPath } from '../../core/text/addresses.ts';
import { figureOf } from '../../core/text/figures.ts';
import type { CalendarView } from '../../queries/site/calendar.ts';
import { filterForm, selectField, textField } from '../parts/form.ts';
import { nameText } from '../parts/link.ts';
import { badge, emptyState, notice } from '../parts/notice.ts';
import { consolePage, optionalText, type PageContent, type PageContext } from './page.ts';

const TONES = 8;
/** Further events of a day are folded. */
const MOST_SHOWN = 6;
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

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
  const { month, events, isCut, timezone } = view;
  const doubled = events.filter((event) => event.doubled).length;
  return {
    title: nameOf(`${month}-01`, { month: 'long', year: 'numeric' }),
    section: 'calendar',
    aside: monthLinks(month, only),
    body: html`${monthForm(view, only)}
${doubled > 0 && notice('warning', `${figureOf(doubled, 'event')} ${doubled === 1 ? 'has' : 'have'} the same title and time as another one: look for “double”.`)}
${isCut && notice('info', 'This month has more events than are shown. Choose one sync to see the others.')}
${events.length === 0 ? emptyState('No events were delivered for this month.') : html`${longList(view)}${dayList(view, dateAt(context.now, timezone))}`}
<p class="muted">Times are of ${timezone}.</p>`,
  };
}

function monthLinks(month: string, only: string | undefined): Html {
  const before = addDays(`${month}-01`, -1).slice(0, 7);
  const next = addDays(`${month}-01`, 31).slice(0, 7);
  const name = (each: string) => nameOf(`${each}-01`, { month: 'long' });
  return html`<a class="button" rel="prev" href="${calendarPath(before, only)}">← ${name(before)}</a><a class="button" rel="next" href="${calendarPath(next, only)}">${name(next)} →</a>`;
}

function monthForm({ month, syncs }: CalendarView, only = ''): Html {
  const names = [...new Set([...syncs, only])].filter(Boolean).map((sync) => [sync, sync] as const);
  return filterForm({
    path: '/calendar',
    fields: html`${textField({ name: 'month', label: 'Month', type: 'month', value: month })}${selectField({ name: 'sync', label: 'Sync', value: only, options: [['', 'All'], ...names] })}`,
    button: 'Show',
  });
}

/** Events of several days, once each: in every day of their time, they would hide the others. */
function longList({ events, syncs }: CalendarView): Html | undefined {
  const long = events.filter(({ endDate }) => endDate !== undefined);
  if (long.length === 0) return undefined;
  return html`<details id="long"${long.length <= MOST_SHOWN && html` open`}><summary>${figureOf(long.length, 'event')} of several days</summary><ul>${long.map(
    (event) =>
      html`<li>${eventOn(event, syncs.length > 1)} <span class="muted">${nameOf(event.date, { month: 'short', day: 'numeric' })} – ${nameOf(event.endDate ?? event.date, { month: 'short', day: 'numeric' })}</span></li>`,
  )}</ul></details>`;
}

/** A list of days, which wide screens show as weeks. */
function dayList({ month, events, syncs }: CalendarView, today: string): Html {
  const byDay = Map.groupBy(
    events.filter(({ endDate }) => endDate === undefined),
    ({ date }) => date,
  );
  const tones = new Map(syncs.map((sync, place) => [sync, place % TONES]));
  // Weeks begin on Monday.
  const first = (new Date(`${month}-01`).getUTCDay() + 6) % 7;
  const before = Array.from({ length: first }, () => html`<li class="free" aria-hidden="true"></li>`);
  const heads = html`<div class="weekdays" aria-hidden="true">${WEEKDAYS.map((name) => html`<span>${name}</span>`)}</div>`;
  return html`${heads}<ol class="month">${before}${daysOf(month).map((day) => {
    const its = (byDay.get(day) ?? []).toSorted((one, other) => (one.start ?? '').localeCompare(other.start ?? ''));
    const list = (some: readonly CalendarEvent[]) =>
      html`<ul>${some.map((event) => html`<li class="tone-${tones.get(event.sync) ?? 0}">${eventOn(event, syncs.length > 1)}</li>`)}</ul>`;
    const [shown, more] = [its.slice(0, MOST_SHOWN), its.slice(MOST_SHOWN)];
    return html`<li${its.length === 0 && html` class="free"`}><time datetime="${day}"${day === today && html` aria-current="date"`}>${Number(day.slice(8))}<span> ${nameOf(day, { weekday: 'short' })}</span></time>
${shown.length > 0 && list(shown)}${more.length > 0 && html`<details id="day-${day}"><summary>${figureOf(more.length, 'more event').replace('more events', 'more')}</summary>${list(more)}</details>`}</li>`;
  })}</ol>`;
}

function eventOn({ sync, key, title, start, end, repeats, doubled }: CalendarEvent, withSync: boolean): Html {
  const time = start !== undefined && html`<span class="time">${start}${end !== undefined && `–${end}`}</span> `;
  return html`<a href="${recordPath(sync, key)}">${time}${nameText(title || key)}</a>${repeats && html` <span title="repeats" aria-hidden="true">↻</span><span class="unseen"> (repeats)</span>`}${doubled && html` ${badge('warning', 'double')}`}${withSync && html` <span class="muted">${sync}</span>`}`;
}

function daysOf(month: string): string[] {
  const count = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate();
  return Array.from({ length: count }, (_, place) => addDays(`${month}-01`, place));
}

function nameOf(day: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' }).format(new Date(day));
}
