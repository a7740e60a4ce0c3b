import type { App } from '../../app/app.ts';
import type { RunRowView } from '../views/overview.ts';
import { createRunQueries } from './run.ts';
import { timeOfDay } from './runs.ts';

/** Limits of the page of a day: people read it, and it is printed. */
const MOST_RUNS = 500;
const MOST_DETAILED_RUNS = 30;
const MOST_CHANGES = 20;
const MOST_DEEDS = 500;

/** What all syncs did on one day, in the site's zone. */
export type DayView = Awaited<ReturnType<ReturnType<typeof createDayQuery>['day']>>;

/** Creates the query for what all syncs did on a day. */
export function createDayQuery(app: () => Pick<App, 'config' | 'ledger'>) {
  const { changes } = createRunQueries(app);
  return { day };

  async function day(date: string) {
    const { ledger, config } = app();
    const { timezone } = config.target;
    const began = timeOfDay(date, timezone);
    const [found, deeds] = await Promise.all([
      ledger.runs.newest({ began, limit: MOST_RUNS + 1 }),
      ledger.history.deeds(began, MOST_DEEDS),
    ]);
    const runs: RunRowView[] = found.slice(0, MOST_RUNS).toReversed();
    const changing = runs.filter(({ counts }) => counts.created + counts.updated + counts.deleted + counts.marked > 0);
    const changed = await Promise.all(
      changing.slice(0, MOST_DETAILED_RUNS).map(async ({ run, sync }) => {
        const { changes: rows, next } = await changes(run, { limit: MOST_CHANGES });
        const items = rows.map(({ key, title, effect, differences }) => {
          return { key, title, effect, attributes: differences.map(({ attribute }) => attribute) };
        });
        return { run, sync, items, hasMore: next !== undefined };
      }),
    );
    return {
      day: date,
      timezone,
      /** In the order in which they began. */
      runs,
      /** The items that the runs created, changed or removed. */
      changed,
      /** What people and programs did, the oldest first. */
      deeds: deeds.toReversed(),
      /** Whether there is more than is listed. */
      isCut: found.length > MOST_RUNS || changing.length > MOST_DETAILED_RUNS || deeds.length === MOST_DEEDS,
    };
  }
}
