import { Temporal } from 'temporal-polyfill';
import type { CmsItem } from '../../cms/client.ts';
import type { Finding } from '../findings/finding.ts';
import { type CmsList, ITEMS_A_PAGE } from './cms-list.ts';

interface Dated {
  id: number;
  date: string;
  endDate: string;
}

/** What startDate and endDate do, and on which of its days an event of several days counts (API: "Event list filters"). */
export async function* checkDateFilter(list: CmsList, items: readonly CmsItem[]): AsyncGenerator<Finding> {
  const check = 'cms.date-filter';
  const events = items.flatMap(dated);
  const earliest = events.toSorted((one, other) => one.endDate.localeCompare(other.endDate))[0];
  if (!earliest) {
    yield { check, is: 'ok', message: `${list.name}: no events yet to try startDate and endDate with.` };
    return;
  }
  if (!(await heedsDates(list, earliest))) {
    yield {
      check,
      is: 'warning',
      message: `${list.name}: startDate is ignored: events that were over before come, too.`,
      follows: 'Looking for creates in doubt reads the whole calendar: slower, but not wrong.',
      remedy: 'Ask the host of the site.',
    };
    return;
  }
  const several = events.find(({ date, endDate }) => date < endDate);
  const days = several
    ? await daysOf(list, several)
    : 'which days count of one that lasts several is not known: there is none';
  yield { check, is: 'ok', message: `${list.name}: startDate and endDate are heeded; ${days}.` };
}

async function heedsDates(list: CmsList, { endDate }: Dated): Promise<boolean> {
  const startDate = Temporal.PlainDate.from(endDate).add({ days: 1 }).toString();
  const { data } = await list.page({ limit: ITEMS_A_PAGE, startDate });
  return data.flatMap(dated).every((event) => event.endDate >= startDate);
}

async function daysOf(list: CmsList, { id, endDate }: Dated): Promise<string> {
  const { data } = await list.page({ limit: ITEMS_A_PAGE, startDate: endDate, endDate });
  if (data.some((event) => event.id === id)) return 'an event of several days counts on each of them';
  if (data.length === ITEMS_A_PAGE) return 'which days count of one that lasts several cannot be told on a day so full';
  return 'an event of several days counts on the first of them alone';
}

function dated({ id, date, endDate }: CmsItem): Dated[] {
  if (!isDate(date)) return [];
  return [{ id, date, endDate: isDate(endDate) ? endDate : date }];
}

function isDate(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
}
