// Reads once, in its own process: ical-one.ts <node-ical|feedferry|one-year> <file>
import { readFileSync } from 'node:fs';
import nodeIcal from 'node-ical';
import { ical } from '../connectors/ical/ical.ts';
import { readFeeds } from '../src/feed/open.ts';

/** Printed as JSON. `peakBytes` is the largest resident set. */
export interface IcalReading {
  records: number;
  seconds: number;
  cpuSeconds: number;
  peakBytes: number;
}

const ways: Record<string, (file: string) => Promise<number>> = {
  'node-ical': async (file) => Object.keys(nodeIcal.sync.parseICS(readFileSync(file, 'utf8'))).length,
  feedferry: (file) => readWithConnector(file, {}, fail),
  'one-year': (file) => readWithConnector(file, { from: '2026-01-01', to: '2026-12-31' }, () => undefined),
};

const [way = '', file = ''] = process.argv.slice(2);
const [startedAt, cpuBefore] = [performance.now(), process.cpuUsage()];
const records = await ways[way]?.(file);
if (records === undefined) throw new Error(`"${way}" is none of ${Object.keys(ways).join(', ')}`);
const cpu = process.cpuUsage(cpuBefore);
const reading: IcalReading = {
  records,
  seconds: (performance.now() - startedAt) / 1000,
  cpuSeconds: (cpu.user + cpu.system) / 1e6,
  peakBytes: process.resourceUsage().maxRSS * 1024,
};
process.stdout.write(JSON.stringify(reading));

function fail(problem: unknown): never {
  throw new Error(JSON.stringify(problem));
}

async function readWithConnector(
  path: string,
  window: { from?: string; to?: string },
  onProblem: (problem: unknown) => void,
): Promise<number> {
  const context = {
    timezone: 'America/New_York',
    siteTimezone: 'America/New_York',
    window,
    mappedFields: new Set<string>(),
    reject: onProblem,
    warn: onProblem,
    report: () => undefined,
    incomplete: onProblem,
  };
  let total = 0;
  for await (const feed of readFeeds(path, { maxBytes: 1e9 }).feeds()) {
    for await (const _ of ical.read(feed, ical.options.parse({}), context)) total += 1;
  }
  return total;
}
