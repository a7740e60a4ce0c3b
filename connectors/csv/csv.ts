import { defineConnector } from '../../src/core/connector.ts';
import { csvOptions } from './options.ts';

/** Reads CSV (RFC 4180) and its common variants. */
export const csv = defineConnector({
  kind: 'csv',
  options: csvOptions,
  async *read(feed, options, context) {
    yield* (await import('./read-csv.ts')).readCsv(feed, options, context);
  },
});
