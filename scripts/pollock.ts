// npm run dev -- pollock DIR: scores the CSV connector with the benchmark Pollock, whose repository (HPI-Information-Systems/Pollock)
// is checked out in DIR. It has no licence: nothing of it may be committed. Fails if an accepted record is not in the clean file, or a score is below its target.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Table from 'cli-table3';
import { parse } from 'csv-parse/sync';
import { csv } from '../connectors/csv/csv.ts';
import { type ReadFile, readFile } from './corpora/read.ts';

const TARGETS = { simple: 9.9, weighted: 9.5 };
const MEASURES = 10;
/** Files for which RFC 4180 gives other values than the clean file, with the reason. */
const DISPUTED: Readonly<Record<string, string>> = {
  'file_quotation_char_0x27.csv': 'its quotes are \', but the " in its values are still written twice',
};
const SHOWN_NAMES = 20;

/** The scores of one file, and its accepted records that are not in the clean file. */
interface FileResult {
  name: string;
  weight: number;
  score: number;
  isRefused: boolean;
  rejected: number;
  differing: number;
}

const [dir] = process.argv.slice(2);
if (dir === undefined) {
  process.stderr.write('Usage: npm run dev -- pollock DIR, a checkout of HPI-Information-Systems/Pollock.\n');
  process.exitCode = 2;
} else {
  const files = join(dir, 'polluted_files');
  const weights = JSON.parse(readFileSync(join(dir, 'pollock_weights.json'), 'utf8')) as Record<string, number>;
  // All files are read with the same columns, because the map of a sync does not change with its feed.
  const [columns = []] = rowsOf(join(files, 'clean', 'source.csv'));
  const detected: FileResult[] = [];
  const configured: FileResult[] = [];
  for (const name of readdirSync(join(files, 'csv')).sort()) {
    const clean = rowsOf(join(files, 'clean', name));
    const read = (options: object) =>
      readFile(csv, join(files, 'csv', name), options, { mappedFields: new Set(columns) });
    const judge = (reading: ReadFile) => judgeReading(name, weights[name] ?? 0, reading, clean);
    const first = await read({});
    detected.push(judge(first));
    configured.push(judge(first.refused === undefined ? first : await read({ header: columns })));
  }
  report('The sync maps the columns', detected);
  // Follows the remedy of the refusal, because no reader can know the columns of a feed without a header row.
  const isGood = report('The sync maps the columns, and names them (source.header) if the feed is refused', configured);
  process.exitCode = isGood ? 0 : 1;

  /** Computes Pollock's measures without the normalisation of numbers and dates, which can only raise the score. */
  function judgeReading(name: string, weight: number, reading: ReadFile, clean: string[][]): FileResult {
    const values = reading.records.map(({ fields }) => columns.map((column) => String(fields[column])));
    // Pollock reads the first row as a header, even in the file without a header.
    const loaded = name === 'file_no_header.csv' ? values : [columns, ...values];
    const isRefused = reading.refused !== undefined;
    const known = new Set(clean.map(keyOf));
    return {
      name,
      weight,
      score: isRefused ? 0 : scoreOf(clean, loaded),
      isRefused,
      rejected: reading.rejections.length,
      differing: values.filter((row) => !known.has(keyOf(row))).length,
    };
  }
}

function rowsOf(path: string): string[][] {
  return parse(readFileSync(path), { relax_column_count: true, skip_empty_lines: true });
}

function keyOf(row: readonly string[]): string {
  return row.join('\0');
}

/** Returns the sum of success (0 or 1) and of precision, recall and F1 for header, records and cells. */
function scoreOf(clean: string[][], loaded: string[][]): number {
  if (clean.length === 0) return MEASURES;
  const measured = [
    compare(clean[0] ?? [], loaded[0] ?? []),
    compare(clean.slice(1).map(keyOf), loaded.slice(1).map(keyOf)),
    compare(clean.flat(), loaded.flat()),
  ];
  return 1 + measured.reduce((sum, score) => sum + score, 0);
}

function compare(wanted: readonly string[], got: readonly string[]): number {
  if (wanted.length === 0) return 3;
  const left = new Map<string, number>();
  for (const value of wanted) left.set(value, (left.get(value) ?? 0) + 1);
  let shared = 0;
  for (const value of got) {
    const count = left.get(value) ?? 0;
    if (count > 0) shared += 1;
    left.set(value, count - 1);
  }
  if (shared === 0) return 0;
  const [precision, recall] = [shared / wanted.length, shared / got.length];
  return precision + recall + (2 * precision * recall) / (precision + recall);
}

/** @returns whether the targets are met */
function report(title: string, results: readonly FileResult[]): boolean {
  const table = new Table({
    head: ['files', 'number', 'refused', 'rejected rows', 'differing records', 'mean score'],
    style: { head: [], border: [] },
  });
  for (const [kind, group] of Map.groupBy(results, ({ name }) => name.replace(/^(row_\D+?)_?\d.*/, '$1_*'))) {
    if (group.every(({ score }) => score === MEASURES)) continue;
    const refused = group.filter(({ isRefused }) => isRefused).length;
    table.push([kind, group.length, refused, sum(group, 'rejected'), sum(group, 'differing'), mean(group).toFixed(3)]);
  }
  const differing = results.filter((result) => result.differing > 0 && DISPUTED[result.name] === undefined);
  const simple = mean(results);
  const weighted = results.reduce((total, { score, weight }) => total + score * weight, 0) / sum(results, 'weight');
  process.stdout.write(`${title}. Files with a score below ${MEASURES}:\n${table.toString()}\n`);
  process.stdout.write(`simple score ${simple.toFixed(3)} (target ${TARGETS.simple}), `);
  process.stdout.write(`weighted ${weighted.toFixed(3)} (target ${TARGETS.weighted}), `);
  process.stdout.write(`accepted records that differ: ${sum(differing, 'differing')} (target 0)\n`);
  const names = differing.slice(0, SHOWN_NAMES).map(({ name }) => name);
  if (names.length > 0) process.stdout.write(`differing in ${differing.length} files: ${names.join(', ')}\n`);
  for (const result of results.filter(({ name }) => DISPUTED[name] !== undefined)) {
    process.stdout.write(`not counted: ${result.differing} in ${result.name}: ${DISPUTED[result.name]}\n`);
  }
  return simple >= TARGETS.simple && weighted >= TARGETS.weighted && differing.length === 0;
}

function sum(results: readonly FileResult[], key: 'weight' | 'rejected' | 'differing'): number {
  return results.reduce((total, result) => total + result[key], 0);
}

function mean(results: readonly FileResult[]): number {
  return results.reduce((total, { score }) => total + score, 0) / results.length;
}
