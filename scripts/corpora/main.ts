// npm run dev -- corpora DIR: runs the public test suites in the folders of DIR through the real connectors.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import Table from 'cli-table3';
import { runCsvSuite } from './csv.ts';
import { runIcalSuite } from './ical.ts';
import { runJsonSuite } from './json.ts';
import type { SuiteResult } from './suite.ts';

const SHOWN_NAMES = 20;

/** The runner of a suite, by the prefix of its folder name. */
const runners: Record<string, (dir: string) => Promise<SuiteResult>> = {
  csv: runCsvSuite,
  ical: runIcalSuite,
  json: runJsonSuite,
};

const [dir] = process.argv.slice(2);
const suites = dir === undefined ? [] : suitesIn(dir);
if (suites.length === 0) {
  process.stderr.write('Usage: npm run dev -- corpora DIR, with suites in its folders csv-*, ical-* and json-*.\n');
  process.exitCode = 2;
} else {
  const results: SuiteResult[] = [];
  for (const { run, path } of suites) results.push(await run(path));
  report(results);
  if (results.some(({ wrong, allowedWrong = 0 }) => wrong.length > allowedWrong)) process.exitCode = 1;
}

function suitesIn(parent: string) {
  return readdirSync(parent)
    .sort()
    .flatMap((name) => {
      const run = runners[name.split('-')[0] ?? ''];
      const path = join(parent, name);
      return run && existsSync(join(path, 'manifest.ndjson')) ? [{ run, path }] : [];
    });
}

function report(results: readonly SuiteResult[]): void {
  const table = new Table({ head: ['suite', 'cases', 'right', 'wrong'], style: { head: [], border: [] } });
  for (const { suite, cases, right, wrong } of results) table.push([suite, cases, right, wrong.length]);
  process.stdout.write(`${table.toString()}\n`);
  for (const { suite, wrong, note } of results) {
    if (note !== undefined) process.stdout.write(`${suite}: ${note}\n`);
    if (wrong.length === 0) continue;
    const more = wrong.length > SHOWN_NAMES ? ` and ${wrong.length - SHOWN_NAMES} more` : '';
    process.stdout.write(`${suite}, wrong: ${wrong.slice(0, SHOWN_NAMES).join(', ')}${more}\n`);
  }
}
