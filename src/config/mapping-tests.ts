import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type ErrorCode, errorTable } from '../core/errors.ts';
import type { Json } from '../core/record.ts';
import { didYouMean } from '../core/suggest.ts';
import { problemsOf } from './check/report.ts';
import { validate } from './check/validate.ts';
import type { Variables } from './files/interpolate.ts';
import { ConfigError, type ConfigProblem } from './files/problems.ts';
import { readYamlFile } from './files/yaml-file.ts';
import { text } from './schema/scalars.ts';
import type { Config } from './types.ts';

/** What one record is expected to become. */
export type Expectation =
  | { is: 'desired'; payload: Record<string, Json> }
  | { is: 'rejected'; code: ErrorCode }
  | { is: 'skipped' };

/** One test of a mapping: the fields of a record, as its connector reads them. */
export interface MappingTest {
  name: string;
  fields: Record<string, unknown>;
  expected: Expectation;
}

/** The tests of one sync. */
export interface MappingTests {
  file: string;
  sync: string;
  /** Ms since 1970 that templates, expressions and windows see. */
  now?: number;
  cases: MappingTest[];
}

const codes = Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]];

const mappingTest = z
  .strictObject({
    name: text.describe('what the test shows'),
    fields: z.record(z.string(), z.unknown()).describe('the fields of a record, as its connector reads them'),
    expect: z.record(z.string(), z.json()).optional().describe('the whole payload'),
    rejected: z.enum(codes).optional().describe('the code of the error'),
    skipped: z.literal(true).optional().describe('`true` where `when` or the window leave the record out'),
  })
  .transform(({ name, fields, expect, rejected, skipped }, context): MappingTest => {
    const expectations: Expectation[] = [
      ...(expect ? [{ is: 'desired' as const, payload: expect as Record<string, Json> }] : []),
      ...(rejected ? [{ is: 'rejected' as const, code: rejected }] : []),
      ...(skipped ? [{ is: 'skipped' as const }] : []),
    ];
    const [expected, ...others] = expectations;
    if (expected && others.length === 0) return { name, fields, expected };
    context.addIssue('needs exactly one of expect, rejected and skipped');
    return z.NEVER;
  });

/** config/tests/*.yaml. */
export const testsFile = z.strictObject({
  sync: text.describe('name of a sync'),
  now: z.iso.datetime({ offset: true }).optional().describe('the time that templates, expressions and windows see'),
  cases: z.array(mappingTest).min(1).describe('the tests'),
});

/**
 * Reads and checks the tests of a config folder: tests/*.yaml, in the order of their names; none where there is no such
 * folder.
 * @throws ConfigError with every mistake of all files at once
 */
export function loadMappingTests(config: Config, env: Variables): MappingTests[] {
  const folder = join(config.dir, 'tests');
  const problems: ConfigProblem[] = [];
  const names = config.syncs.map(({ name }) => name);
  const files = existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => /^[^.].*\.ya?ml$/.test(name))
        .sort()
    : [];
  const tests = files.flatMap((name): MappingTests[] => {
    const yaml = readYamlFile(join(folder, name), env);
    const { data, issues } = yaml.usable ? validate(testsFile, yaml.value) : { data: undefined, issues: [] };
    const unknown = data && !names.includes(data.sync);
    const message = `names a sync that does not exist${didYouMean(data?.sync ?? '', names)}`;
    const found = unknown ? [{ path: ['sync'], part: 'value' as const, message }] : issues;
    problems.push(...problemsOf(yaml, found));
    if (!data) return [];
    return [{ file: yaml.file, sync: data.sync, cases: data.cases, ...(data.now && { now: Date.parse(data.now) }) }];
  });
  if (problems.length > 0) throw new ConfigError(problems);
  return tests;
}
