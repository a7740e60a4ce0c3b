import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The result of one suite. */
export interface SuiteResult {
  /** The name of its folder. */
  suite: string;
  /** Cases that have an expected result. */
  cases: number;
  right: number;
  /** Names of the wrong cases. */
  wrong: string[];
  /** Cases that may be wrong because their expectation is disputed. Default 0. */
  allowedWrong?: number;
  /** Shown below the numbers. */
  note?: string;
}

/** Reads the cases of a suite from `manifest.ndjson` in its folder, one object a line. */
export function readManifest<Case>(dir: string): Case[] {
  const lines = readFileSync(join(dir, 'manifest.ndjson'), 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as Case);
}
