import { z } from 'zod';
import { day } from './shared.ts';

/** What was delivered to a calendar in one month, in the site's wall time. */
export const calendarView = z.object({
  /** 2027-03 */
  month: z.string(),
  timezone: z.string(),
  /** Names of the syncs with events in it, in the order of their colours. */
  syncs: z.array(z.string()),
  events: z.array(
    z.object({
      sync: z.string(),
      key: z.string(),
      title: z.string(),
      date: day,
      /** Last day, if it lasts several. */
      endDate: day.optional(),
      /** 19:00; absent: all day. */
      start: z.string().optional(),
      end: z.string().optional(),
      /** It is repeated by a rule; only the occurrences of this month are listed. */
      repeats: z.boolean(),
      cmsId: z.number().optional(),
      /** Another event has the same title and time. */
      doubled: z.boolean(),
    }),
  ),
  /** There are more events than are listed. */
  isCut: z.boolean(),
});

export type CalendarView = z.output<typeof calendarView>;
