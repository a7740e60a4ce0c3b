import type { AnyConnector } from '../src/core/connector.ts';
import { readFeeds } from '../src/feed/open.ts';

interface CountOptions {
  window?: { from?: string; to?: string };
  mappedFields?: readonly string[];
  /** Called for what is rejected, warned of or incomplete. */
  onProblem?: (problem: unknown) => void;
}

/** Reads a file with a connector, as `feedferry preview` does, but does not map it. By default, any problem is an error. */
export async function countRecords(
  connector: AnyConnector,
  path: string,
  { window = {}, mappedFields = [], onProblem = fail }: CountOptions = {},
): Promise<number> {
  const context = {
    timezone: 'America/New_York',
    siteTimezone: 'America/New_York',
    window,
    mappedFields: new Set(mappedFields),
    reject: onProblem,
    warn: onProblem,
    report: () => undefined,
    incomplete: onProblem,
  };
  let total = 0;
  for await (const feed of readFeeds(path, { maxBytes: 1e11 }).feeds()) {
    for await (const _ of connector.read(feed, connector.options.parse({}), context)) total += 1;
  }
  return total;
}

function fail(problem: unknown): never {
  throw new Error(JSON.stringify(problem));
}
