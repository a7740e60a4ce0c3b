import { connectors } from '../../../connectors/index.ts';
import type { AnyConnector } from '../../core/connector.ts';
import type { Feed } from '../../core/feed.ts';
import type { Rejection, SourceRecord, Warning } from '../../core/record.ts';
import type { DocumentFacts } from '../../core/source-reading.ts';
import { withoutSecretFields } from '../../core/text/secret-names.ts';

const MOST_RECORDS = 5000;

/** Result of reading the beginning of a feed with a connector. */
export interface SampleReading {
  records: SourceRecord[];
  rejections: Rejection[];
  warnings: Warning[];
  /** Why a part could not be read. */
  gaps: string[];
  facts: DocumentFacts;
  /** Whether the connector reached the end. */
  isEnded: boolean;
}

/**
 * Reads the first 5,000 records of a feed without a sync, and without the values of passwords and other secrets.
 * @param zones IANA zones of times that name none, and of the site
 * @throws CodedError FF_FEED_… if the feed is not in the format of the connector
 */
export async function readSample(
  feed: Feed,
  kind: string,
  options: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
  zones = { timezone: 'UTC', siteTimezone: 'UTC' },
): Promise<SampleReading> {
  const connector = connectors.find((candidate) => candidate.kind === kind) as AnyConnector;
  const reading: SampleReading = { records: [], rejections: [], warnings: [], gaps: [], facts: {}, isEnded: false };
  const { records, rejections, warnings, gaps, facts } = reading;
  const context = {
    ...zones,
    mappedFields: new Set<string>(),
    reject: (rejection: Rejection) => rejections.push(rejection),
    warn: (warning: Warning) => warnings.push(warning),
    incomplete: (reason: string) => gaps.push(reason),
    report: (reported: DocumentFacts) => Object.assign(facts, reported),
  };
  for await (const record of connector.read(feed, options, context)) {
    signal.throwIfAborted();
    const problem = record.problems?.find(({ field }) => field === undefined);
    if (problem === undefined) records.push({ ...record, fields: withoutSecretFields(record.fields) });
    else rejections.push({ at: record.at, code: 'FF_RECORD_MALFORMED', reason: problem.reason });
    if (records.length + rejections.length >= MOST_RECORDS) return reading;
  }
  return { ...reading, isEnded: true };
}
