import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The result of one suite. */
export interface SuiteResult {
  /** Name of the suite's folder. */
  suite: string;
  /** Number of cases with an expected result. */
  cases: number;
  right: number;
  /** Names of the wrong cases. */
  wrong: string[];
  /** Number of cases that may be wrong because their expectation is disputed. Default 0. */
  allowedWrong?: number;
  /** Note below the numbers. */
  note?: string;
}

/** Reads the cases of a suite from `manifest.ndjson` in its folder, one object per line. */
export function readManifest<Case>(dir: string): Case[] {
  const lines = readFileSync(join(dir, 'manifest.ndjson'), 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as Case);
}
