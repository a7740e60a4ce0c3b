// npm run dev -- mutations [--mutations 5000] [--seed N]: damages one record of a feed in one place, and reads the feed as a run does, up
// to the mapping. For each connector: nothing may hang, crash or throw an error without a code, the other records must not change,
// and lost records must be reported.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import fc from 'fast-check';
import { connectors } from '../connectors/index.ts';
import type { AnyConnector } from '../src/core/connector.ts';
import { type ReadFile, readFile } from './corpora/read.ts';

const RECORDS = 12;
const LONGEST_MS = 5_000;

/** A feed in parts: the text before the records, the records, the text between two records, and the text after them. */
interface Parts {
  before: string;
  records: string[];
  between: string;
  after: string;
}

const numbers = Array.from({ length: RECORDS }, (_, number) => number + 1);
const day = (number: number) => `2027-03-${String(number).padStart(2, '0')}`;

const feeds: Record<string, Parts> = {
  csv: {
    before: 'id,title,date,note\r\n',
    // The damage is only inside rows, because two joined rows look like one row.
    records: numbers.map((number) => `T${number},"Talk ${number}, in two parts",${day(number)},says hello`),
    between: '\r\n',
    after: '\r\n',
  },
  ical: {
    before: 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\n',
    records: numbers.map(
      (number) =>
        `BEGIN:VEVENT\r\nUID:t${number}@example.org\r\nSUMMARY:Talk ${number}\\, in two parts\r\n` +
        `DTSTART;TZID=Europe/Berlin:${day(number).replaceAll('-', '')}T183000\r\nDURATION:PT1H30M\r\n` +
        `${number % 3 === 0 ? 'RRULE:FREQ=WEEKLY;COUNT=3\r\n' : ''}DESCRIPTION:A long text that is\r\n  folded\r\nEND:VEVENT\r\n`,
    ),
    between: '',
    after: 'END:VCALENDAR\r\n',
  },
  json: list(
    (number) => ({ id: `T${number}`, title: `Talk “${number}”`, date: day(number), tags: ['a', 'b'] }),
    '[',
    ']',
  ),
  jsonfeed: list(
    (number) => ({
      id: `t${number}`,
      title: `Talk ${number}`,
      content_html: '<p>Hello</p>',
      url: `https://example.org/${number}`,
    }),
    '{"version":"https://jsonfeed.org/version/1.1","title":"Talks","items":[',
    ']}',
  ),
  jsonld: list(
    (number) => ({
      '@type': 'Event',
      '@id': `https://example.org/${number}`,
      name: `Talk ${number}`,
      startDate: day(number),
    }),
    '<script type="application/ld+json">{"@context":"https://schema.org","@graph":[',
    ']}</script>',
  ),
};

function list(item: (number: number) => object, before: string, after: string): Parts {
  return { before, records: numbers.map((number) => JSON.stringify(item(number))), between: ',\n', after };
}

interface Mutation {
  /** Index of the damaged record. */
  index: number;
  kind: 'drop' | 'insert' | 'replace' | 'repeat' | 'cut';
  at: number;
  length: number;
  text: string;
}

const mutations: fc.Arbitrary<Mutation> = fc.record({
  index: fc.nat(RECORDS - 1),
  kind: fc.constantFrom('drop', 'insert', 'replace', 'repeat', 'cut'),
  at: fc.nat(1_000),
  length: fc.nat(30),
  text: fc.oneof(
    fc.string({ maxLength: 6, unit: 'binary' }),
    fc.constantFrom(
      '"',
      ',',
      '\n',
      '\r\n',
      '{',
      '}',
      '[',
      ']',
      '\\',
      ':',
      ';',
      '\0',
      '<!--',
      '</script>',
      'END:VEVENT\r\n',
      '9'.repeat(400),
    ),
  ),
});

function damage(record: string, { kind, at: anywhere, length, text }: Mutation): string {
  const at = anywhere % (record.length + 1);
  const [left, right] = [record.slice(0, at), record.slice(at)];
  if (kind === 'drop') return left + right.slice(length + 1);
  if (kind === 'insert') return left + text + right;
  if (kind === 'replace') return left + text + right.slice(length + 1);
  if (kind === 'repeat') return left + right.slice(0, length + 1) + right;
  return left;
}

function write({ before, records, between, after }: Parts): string {
  return `${before}${records.join(between)}${after}`;
}

type Outcome =
  | 'read'
  | 'read, with a report'
  | 'refused'
  | 'CHANGED SILENTLY'
  | 'LOST SILENTLY'
  | 'UNCODED ERROR'
  | 'HUNG';

/** Compares the records that were read with those of the undamaged feed. */
function judge(whole: ReadFile, { index }: Mutation, read: ReadFile): Outcome {
  if (read.refused) return read.refused.code === 'FF_BUG' ? 'UNCODED ERROR' : 'refused';
  const isReported = read.rejections.length > 0 || read.incomplete.length > 0;
  const keyOf = ({ fields }: ReadFile['records'][number]) => String(fields.id ?? fields['@id'] ?? fields.uid);
  const seriesOf = ({ fields }: ReadFile['records'][number]) => String(fields.series ?? fields.id ?? fields['@id']);
  const damaged = [...new Set(whole.records.map(seriesOf))][index];
  const found = Map.groupBy(read.records, keyOf);
  let isLost = false;
  for (const record of whole.records) {
    if (seriesOf(record) === damaged) continue;
    const same = found.get(keyOf(record)) ?? [];
    if (same.length === 0) isLost = true;
    // The damaged key may now be the key of another record. A run rejects both records.
    else if (!same.some(({ fields }) => hasAll(fields, record.fields))) return 'CHANGED SILENTLY';
  }
  if (isLost && !isReported) return 'LOST SILENTLY';
  return isReported ? 'read, with a report' : 'read';
}

/** Whether a record has all wanted fields. More fields are allowed, because joined lines may be a property with a new name. */
function hasAll(fields: Record<string, unknown>, wanted: Record<string, unknown>): boolean {
  const names = Object.keys(wanted).filter((name) => name !== 'params');
  return names.every((name) => isDeepStrictEqual(fields[name], wanted[name]));
}

/** Reads the damaged feeds of one connector. Runs in a worker thread, which can be ended if it hangs. */
async function readAll({ kind, count, seed }: { kind: string; count: number; seed: number }): Promise<void> {
  const [connector, parts] = [connectors.find((each) => each.kind === kind), feeds[kind]];
  if (!connector || !parts) throw new Error(`There is no feed for the connector ${kind}.`);
  const dir = mkdtempSync(join(tmpdir(), 'feedferry-mutations-'));
  try {
    const whole = await read(connector, write(parts), dir);
    for (const mutation of fc.sample(mutations, { numRuns: count, seed })) {
      const records = parts.records.with(mutation.index, damage(parts.records[mutation.index] ?? '', mutation));
      parentPort?.postMessage({ mutation });
      const outcome = await read(connector, write({ ...parts, records }), dir).then(
        (result) => judge(whole, mutation, result),
        () => 'UNCODED ERROR' as const,
      );
      parentPort?.postMessage({ mutation, outcome });
    }
  } finally {
    rmSync(dir, { recursive: true });
  }
}

function read(connector: AnyConnector, content: string, dir: string): Promise<ReadFile> {
  const file = join(dir, connector.kind === 'jsonld' ? 'feed.html' : 'feed');
  writeFileSync(file, content);
  const mappedFields = new Set(connector.kind === 'csv' ? ['id', 'title', 'date', 'note'] : []);
  return readFile(connector, file, {}, { window: { from: '2027-01-01', to: '2027-12-31' }, mappedFields });
}

/** Returns how often each outcome occurred, and prints the mutations with a bad outcome. */
async function mutate(kind: string, count: number, seed: number): Promise<Map<Outcome, number>> {
  const outcomes = new Map<Outcome, number>();
  const worker = new Worker(new URL(import.meta.url), { workerData: { kind, count, seed } });
  let current: Mutation | undefined;
  const hung = () => {
    note('HUNG');
    void worker.terminate();
  };
  let timer = setTimeout(hung, 10 * LONGEST_MS);
  worker.on('message', ({ mutation, outcome }: { mutation: Mutation; outcome?: Outcome }) => {
    current = mutation;
    clearTimeout(timer);
    timer = setTimeout(hung, LONGEST_MS);
    if (outcome) note(outcome);
  });
  await new Promise((resolve, reject) => worker.on('exit', resolve).on('error', reject));
  clearTimeout(timer);
  return outcomes;

  function note(outcome: Outcome): void {
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    if (/^[A-Z ]+$/.test(outcome)) console.log(`${kind}: ${outcome}: ${JSON.stringify(current)}`);
  }
}

if (isMainThread) {
  const { values } = parseArgs({ options: { mutations: { type: 'string' }, seed: { type: 'string' } } });
  const [count, seed] = [Number(values.mutations ?? 5_000), Number(values.seed ?? 1)];
  for (const { kind } of connectors) {
    const outcomes = await mutate(kind, count, seed);
    console.log(`${kind}: ${[...outcomes].map(([outcome, times]) => `${times} ${outcome}`).join(', ')}`);
    if ([...outcomes.keys()].some((outcome) => /^[A-Z ]+$/.test(outcome))) process.exitCode = 1;
  }
} else await readAll(workerData as { kind: string; count: number; seed: number });
