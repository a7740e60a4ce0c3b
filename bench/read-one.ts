// Reads once, in its own process, so that its peak memory is measured alone: read-one.ts <way> <config folder>
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse';
import { csv } from '../connectors/csv/csv.ts';
import { readEnvironment } from '../src/app/environment.ts';
import { loadAppConfig } from '../src/app/load-config.ts';
import { readSource } from '../src/source/read-source.ts';
import { countRecords } from './count-records.ts';

/** Printed as JSON. `peakBytes` is the largest resident set. */
export interface Reading {
  records: number;
  seconds: number;
  peakBytes: number;
}

const ways: Record<string, (dir: string) => Promise<number>> = {
  'csv-rows': (dir) => countRecords(csv, join(dir, 'people.csv'), { mappedFields: ['email'] }),
  csv: (dir) => readAndMap('csv', dir),
  json: (dir) => readAndMap('json', dir),
  'csv-parse': (dir) => count(createReadStream(join(dir, 'people.csv')).pipe(parse({ columns: true }))),
};

const [way = '', dir = ''] = process.argv.slice(2);
// Sampled, because the peak that the system records includes the process that this one was forked from.
let peakBytes = 0;
const measure = () => {
  peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
};
const timer = setInterval(measure, 20);
const startedAt = performance.now();
const records = await ways[way]?.(dir);
if (records === undefined) throw new Error(`"${way}" is none of ${Object.keys(ways).join(', ')}`);
measure();
clearInterval(timer);
const reading: Reading = { records, seconds: (performance.now() - startedAt) / 1000, peakBytes };
process.stdout.write(JSON.stringify(reading));

/** Does what `feedferry preview` does, without printing. */
async function readAndMap(name: string, configDir: string): Promise<number> {
  const config = loadAppConfig(readEnvironment({}, configDir));
  const sync = config.syncs.find((candidate) => candidate.name === name);
  if (!sync) throw new Error(`no sync "${name}"`);
  const reading = readSource(sync, config.target, { signal: new AbortController().signal });
  let mapped = 0;
  for await (const { is } of reading.records) {
    if (is !== 'desired') throw new Error(`a record was ${is}`);
    mapped += 1;
  }
  if (!reading.receipt().complete) throw new Error('the feed was not read to its end');
  return mapped;
}

async function count(rows: AsyncIterable<unknown>): Promise<number> {
  let total = 0;
  for await (const _ of rows) total += 1;
  return total;
}
