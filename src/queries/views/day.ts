import { z } from 'zod';
import { runRow } from './overview.ts';
import { changeView } from './run.ts';
import { day, deedView, view } from './shared.ts';

/** What all syncs did on one day, in the site's zone. */
export const dayView = view('Day', {
  day,
  timezone: z.string(),
  /** In the order in which they began. */
  runs: z.array(runRow),
  /** The items that the runs created, changed or removed. */
  changed: z.array(
    z.object({
      run: z.string(),
      sync: z.string(),
      items: z.array(
        changeView.pick({ key: true, title: true, effect: true }).extend({
          /** Names of the changed attributes. */
          attributes: z.array(z.string()),
        }),
      ),
      /** Whether the run changed more items than are listed. */
      hasMore: z.boolean(),
    }),
  ),
  /** What people and programs did, the oldest first. */
  deeds: z.array(deedView),
  /** Whether there is more than is listed. */
  isCut: z.boolean(),
});

export type DayView = z.output<typeof dayView>;
