import type { AnyConnector, ReadContext } from '../../src/core/connector.ts';
import { CodedError } from '../../src/core/errors.ts';
import type { Rejection, SourceRecord } from '../../src/core/record.ts';
import { readFeeds } from '../../src/feed/open.ts';

/** The result of reading a file with a connector. */
export interface ReadFile {
  records: SourceRecord[];
  rejections: Rejection[];
  /** Why the read is incomplete. */
  incomplete: string[];
  /** Why the file was refused. */
  refused?: CodedError;
}

/** Reads a file like a run, up to the mapping. */
export async function readFile(
  connector: AnyConnector,
  path: string,
  options: object = {},
  settings: Partial<Pick<ReadContext, 'window' | 'mappedFields'>> = {},
): Promise<ReadFile> {
  const result: ReadFile = { records: [], rejections: [], incomplete: [] };
  try {
    const context: ReadContext = {
      timezone: 'UTC',
      siteTimezone: 'UTC',
      mappedFields: new Set(),
      ...settings,
      reject: (rejection) => result.rejections.push(rejection),
      warn: () => undefined,
      report: () => undefined,
      incomplete: (reason) => result.incomplete.push(reason),
    };
    for await (const feed of readFeeds(path, { acceptsHtml: connector.acceptsHtml }).feeds()) {
      const records = connector.read(feed, connector.options.parse(options), context);
      for await (const record of records) {
        const problem = record.problems?.find(({ field }) => field === undefined);
        if (problem === undefined) result.records.push(record);
        else result.rejections.push({ at: record.at, code: 'FF_RECORD_MALFORMED', reason: problem.reason });
      }
    }
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    result.refused = error;
  }
  return result;
}
