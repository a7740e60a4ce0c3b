import { z } from 'zod';
import { day, view } from './shared.ts';

/** The delivered events of one month, in the site's wall time. */
export const calendarView = view('Calendar', {
  /** The month, such as 2027-03. */
  month: z.string(),
  timezone: z.string(),
  /** Names of the syncs with events in the month, in the order of their colours. */
  syncs: z.array(z.string()),
  events: z.array(
    z.object({
      sync: z.string(),
      key: z.string(),
      title: z.string(),
      date: day,
      /** Last day of an event that lasts several days. */
      endDate: day.optional(),
      /** Start, such as 19:00; absent for an all-day event. */
      start: z.string().optional(),
      end: z.string().optional(),
      /** Whether a rule repeats the event; only the occurrences of this month are listed. */
      repeats: z.boolean(),
      cmsId: z.number().optional(),
      /** Whether another event has the same title and time. */
      doubled: z.boolean(),
    }),
  ),
  /** Whether there are more events than are listed. */
  isCut: z.boolean(),
});

export type CalendarView = z.output<typeof calendarView>;
