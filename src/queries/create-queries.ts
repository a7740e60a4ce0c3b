import type { Logger } from 'pino';
import { BYTE_ORDER_MARK } from '../alerts/digests/csv-line.ts';
import type { App } from '../app/app.ts';
import type { Environment } from '../app/environment.ts';
import { withBroken } from '../config/select.ts';
import { configuredSync } from './answers/configured-sync.ts';
import type { Paging, RecordSearch, RejectSearch, RunSearch } from './answers/paging.ts';
import { picturesOf } from './records/pictures.ts';
import { createRecordLookups, createRecordQuery } from './records/record.ts';
import { createRejectionQuery } from './records/rejection.ts';
import { searchEverywhere } from './records/search.ts';
import { createDayQuery } from './runs/day.ts';
import { createHeldPlanQueries } from './runs/held-plan.ts';
import { createPurgePreview, createRunQueries, createUndoPreview } from './runs/run.ts';
import { runPageOf } from './runs/runs.ts';
import { createCalendar } from './site/calendar.ts';
import { hearersView } from './site/hearers.ts';
import { createExaminations, createQueueView } from './site/machine.ts';
import { letterOf, ownerPageOf } from './site/owner-page.ts';
import { newsOf, overviewOf } from './syncs/overview.ts';
import { questionsOf } from './syncs/questions.ts';
import { allRejectsOf, readingOf, rejectionLines, rejectsOf } from './syncs/rejects.ts';
import { syncDetailOf } from './syncs/sync.ts';
import { verificationOf } from './syncs/verification.ts';
import type { RecordPageView } from './views/sync.ts';

export type Queries = ReturnType<typeof createQueries>;
export type LedgerQueries = ReturnType<typeof createLedgerQueries>;

/**
 * Creates the queries of people and programs: the console, the JSON API and the command line use the same functions. No query changes
 * anything. Each throws CodedError FF_SYNC_UNKNOWN, FF_RUN_UNKNOWN or FF_RECORD_UNKNOWN for unknown names.
 * @param app returns the app of the config in force
 */
export function createQueries(app: () => App, options: { environment: Environment; log: Logger }) {
  return {
    ...createLedgerQueries(app),
    ...createUndoPreview(app),
    ...createRecordLookups(app),
    ...createExaminations(options),
    ...createQueueView(app),
  };
}

/** Creates the queries that need neither the CMS nor a feed. */
export function createLedgerQueries(app: () => Pick<App, 'config' | 'ledger'>) {
  return {
    overview: async () => overviewOf(app()),
    /** @param since ISO instant; absent: this time yesterday */
    news: async (since?: string) => newsOf(since, app()),
    sync: async (name: string) => syncDetailOf(name, app()),
    runs: async (search: RunSearch) => {
      const { config, ledger } = app();
      const page = await runPageOf(search, config.target.timezone, ledger);
      // Only a sync without such runs is looked up in the config: an orphan has runs but no file.
      if (search.sync !== undefined && page.runs.length === 0) configuredSync(search.sync, config);
      return page;
    },
    records: async (search: RecordSearch): Promise<RecordPageView> => {
      if (search.sync !== undefined) configuredSync(search.sync, app().config);
      return searchEverywhere(search, app());
    },
    rejects: async (sync: string, { run, limit }: RejectSearch = {}) => {
      const { config, ledger } = app();
      const { name } = configuredSync(sync, config);
      return rejectsOf(name, await readingOf(name, run, ledger), app(), limit);
    },
    allRejects: async () => allRejectsOf(withBroken(app().config).syncs, app().ledger),
    rejectsCsv,
    verification: async (sync: string, paging: Paging) => verificationOf(sync, paging, app()),
    /** @param limit how many are listed; absent: the first 100 */
    questions: async (sync: string, limit?: number) => questionsOf(sync, app(), limit),
    hearers: async () => hearersView(app()),
    letter: async (sync: string) => letterOf(sync, app()),
    /** What the owner of a feed may see of it by a link. */
    ownerPage: async (sync: string, link: string) => ownerPageOf(sync, link, app()),
    pictures: async (sync: string, paging: Paging) => picturesOf(sync, paging, app()),
    ...createDayQuery(app),
    ...createRunQueries(app),
    ...createHeldPlanQueries(app),
    ...createPurgePreview(app),
    ...createRecordQuery(app),
    ...createRejectionQuery(app),
    ...createCalendar(app),
  };

  /**
   * The byte order mark makes Excel read the file as UTF-8.
   * @param shown changes what is shown of each rejection
   */
  async function* rejectsCsv(
    sync: string,
    id?: string,
    shown?: <Value>(rejected: Value) => Value,
  ): AsyncGenerator<string> {
    const { config, ledger } = app();
    const run = await readingOf(configuredSync(sync, config).name, id, ledger);
    yield BYTE_ORDER_MARK;
    yield* rejectionLines(run, ledger, shown);
  }
}
