import type { App } from '../app/app.ts';
import { BYTE_ORDER_MARK } from './csv-line.ts';
import { overviewOf } from './overview.ts';
import type { Queries } from './queries.ts';
import { searchRecords } from './records.ts';
import { rejectionLines, rejectsOf } from './rejects.ts';
import { runPageOf } from './runs.ts';
import { knownSync, syncDetailOf, usableSync } from './sync.ts';
import { unmappedFields } from './unmapped.ts';

type SyncQueries = Pick<Queries, 'overview' | 'sync' | 'runs' | 'records' | 'rejects' | 'rejectsCsv' | 'unmapped'>;

/**
 * Creates what the console, the JSON API and commands ask.
 * @param app returns the app of the config in force
 */
export function createQueries(app: () => App): SyncQueries {
  return {
    overview: async () => overviewOf(app()),
    sync: async (name) => syncDetailOf(name, app(), []),
    runs: async ({ sync, ...paging }) => {
      if (sync !== undefined) knownSync(sync, app().config);
      return runPageOf(sync, paging, app().ledger);
    },
    records: async (search) => {
      if (search.sync !== undefined) knownSync(search.sync, app().config);
      return searchRecords(search, app().ledger);
    },
    rejects: async (sync) => rejectsOf(knownSync(sync, app().config).name, app().ledger),
    rejectsCsv,
    unmapped: async (sync, signal) => unmappedFields(usableSync(sync, app().config), app().config, signal),
  };

  /** Excel reads it as UTF-8. */
  async function* rejectsCsv(sync: string): AsyncGenerator<string> {
    const { config, ledger } = app();
    const run = await ledger.runs.lastReading(knownSync(sync, config).name);
    yield BYTE_ORDER_MARK;
    yield* rejectionLines(run, ledger);
  }
}
