import { isDeepStrictEqual } from 'node:util';
import { loadMappingTests, type MappingTest } from '../config/mapping-tests.ts';
import { selectSyncs, syncOfSource } from '../config/select.ts';
import type { Config } from '../config/types.ts';
import type { Json, Mapped } from '../core/record.ts';
import type { Mapping } from '../mapping/compile.ts';
import { compileSyncMapping } from '../source/compile-sync-mapping.ts';
import type { Environment } from './environment.ts';

/** An attribute whose value differs from the expected value. */
export type PayloadMismatch = { attribute: string; expected?: Json; actual?: Json };

/** Result of one test. A test passes if it has neither a mistake nor differences. */
export interface TestResult {
  file: string;
  sync: string;
  name: string;
  /** What happened to the record, if that is not what was expected. */
  mistake?: string;
  differences: PayloadMismatch[];
}

/**
 * Runs the mapping tests of all syncs, or of the named syncs, without feeds, ledger or CMS.
 * @throws ConfigError, CodedError FF_SYNC_UNKNOWN
 */
export function runMappingTests(config: Config, { variables }: Environment, names: readonly string[]) {
  const results: TestResult[] = [];
  const wanted = selectSyncs(config, names);
  for (const { file, sync: name, source, now = Date.now(), cases } of loadMappingTests(config, variables)) {
    const sync = wanted.find((candidate) => candidate.name === name);
    if (!sync) continue;
    const mapped = source === undefined ? sync : syncOfSource(sync, source);
    const map = compileSyncMapping(mapped, config.target, () => now);
    for (const test of cases) results.push({ file, sync: name, name: test.name, ...runMappingTest(test, map) });
  }
  return results;
}

/** Runs one test. */
export function runMappingTest(test: MappingTest, map: Mapping): Pick<TestResult, 'mistake' | 'differences'> {
  const mapped = map({ at: test.name, fields: test.fields });
  const expected = test.expect ? 'desired' : test.rejected ? 'rejected' : 'skipped';
  const mistake = (wanted: string) => ({ mistake: `expected ${wanted}, but ${outcome(mapped)}`, differences: [] });
  if (mapped.is !== expected) return mistake(expected);
  if (mapped.is === 'rejected' && test.rejected !== mapped.rejection.code) return mistake(`${test.rejected}`);
  return { differences: mapped.is === 'desired' ? compare(test.expect ?? {}, mapped.record.payload) : [] };
}

function outcome(mapped: Mapped): string {
  if (mapped.is === 'rejected') return `it was rejected: ${mapped.rejection.code} ${mapped.rejection.reason}`;
  return mapped.is === 'skipped' ? `it was skipped: ${mapped.reason}` : 'it was mapped';
}

function compare(expected: Record<string, Json>, actual: Record<string, Json>): PayloadMismatch[] {
  return [...new Set([...Object.keys(expected), ...Object.keys(actual)])]
    .filter((attribute) => !isDeepStrictEqual(expected[attribute], actual[attribute]))
    .map((attribute) => ({ attribute, expected: expected[attribute], actual: actual[attribute] }));
}
