import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What came of one suite of cases. */
export interface SuiteResult {
  /** Name of the suite: that of its folder. */
  suite: string;
  /** Cases that have an expected result. */
  cases: number;
  right: number;
  /** Names of the cases that came out wrong. */
  wrong: string[];
  /** Cases that a correct run may fail, since their expectation is disputed; default 0. */
  allowedWrong?: number;
  /** Worth telling beside the numbers, such as cases without an expected result. */
  note?: string;
}

/** The cases of a suite: its folder's `manifest.ndjson`, one object a line. */
export function readManifest<Case>(dir: string): Case[] {
  const lines = readFileSync(join(dir, 'manifest.ndjson'), 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as Case);
}
