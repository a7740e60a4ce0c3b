import { Temporal } from 'temporal-polyfill';
import type { CmsItem } from '../../cms/client.ts';
import { type Finding, ok } from '../findings/finding.ts';
import { type CmsList, ITEMS_A_PAGE } from './cms-list.ts';

interface Dated {
  id: number;
  date: string;
  endDate: string;
}

/** Checks startDate and endDate, and on which days the filter finds a multi-day event (API: "Event list filters"). */
export async function checkDateFilter(list: CmsList, items: readonly CmsItem[]): Promise<Finding> {
  const check = 'cms.date-filter';
  const events = items.flatMap(dated);
  const earliest = events.toSorted((one, other) => one.endDate.localeCompare(other.endDate))[0];
  if (!earliest) return ok(check, `${list.name}: there are no events yet to test startDate and endDate with.`);
  if (!(await respectsDates(list, earliest))) {
    return {
      check,
      is: 'warning',
      message: `${list.name}: startDate is ignored: the list contains events that ended before it.`,
      follows: 'Looking up unconfirmed creates reads the whole calendar, which is slower but correct.',
      remedy: 'Ask the host of the site.',
    };
  }
  const several = events.find(({ date, endDate }) => date < endDate);
  const days = several
    ? await daysOf(list, several)
    : 'how multi-day events are filtered is unknown, because there are none';
  return ok(check, `${list.name}: startDate and endDate work; ${days}.`);
}

async function respectsDates(list: CmsList, { endDate }: Dated): Promise<boolean> {
  const startDate = Temporal.PlainDate.from(endDate).add({ days: 1 }).toString();
  const { data } = await list.page({ limit: ITEMS_A_PAGE, startDate });
  return data.flatMap(dated).every((event) => event.endDate >= startDate);
}

async function daysOf(list: CmsList, { id, endDate }: Dated): Promise<string> {
  const { data } = await list.page({ limit: ITEMS_A_PAGE, startDate: endDate, endDate });
  if (data.some((event) => event.id === id)) return 'multi-day events count on each of their days';
  if (data.length === ITEMS_A_PAGE)
    return 'how multi-day events are filtered is unknown, because the sample day fills a whole page';
  return 'multi-day events count on their first day only';
}

function dated({ id, date, endDate }: CmsItem): Dated[] {
  if (!isDate(date)) return [];
  return [{ id, date, endDate: isDate(endDate) ? endDate : date }];
}

function isDate(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
}
