import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type ErrorCode, errorTable } from '../core/errors.ts';
import { didYouMean } from '../core/suggest.ts';
import { checkFile } from './check/report.ts';
import { type Issue, type Validated, validate } from './check/validate.ts';
import type { Variables } from './files/interpolate.ts';
import { ConfigError, type ConfigProblem } from './files/problems.ts';
import { parseYaml, readYamlFile } from './files/yaml-file.ts';
import { text } from './schema/scalars.ts';
import { syncNames } from './select.ts';
import type { Config, SyncConfig } from './types.ts';

const codes = Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]];

const mappingTest = z
  .strictObject({
    name: text.describe('what the test shows'),
    fields: z.record(z.string(), z.unknown()).describe('the fields of a record, as its connector reads them'),
    expect: z.record(z.string(), z.json()).optional().describe('the whole payload'),
    rejected: z.enum(codes).optional().describe('the code of the error'),
    skipped: z.literal(true).optional().describe('`true` if `when` or the window leaves the record out'),
  })
  .refine(
    ({ expect, rejected, skipped }) => [expect, rejected, skipped].filter(Boolean).length === 1,
    'needs exactly one of expect, rejected and skipped',
  );

/** A test of a mapping: a record, and its expected payload, error code or skip. */
export type MappingTest = z.output<typeof mappingTest>;

/** Schema of config/tests/*.yaml. */
export const testsFile = z.strictObject({
  sync: text.describe('name of a sync'),
  source: text.optional().describe('of a sync with several sources: the one whose records these are'),
  now: z.iso
    .datetime({ offset: true })
    .transform((iso) => Date.parse(iso))
    .optional()
    .describe('the current time for templates and windows'),
  cases: z.array(mappingTest).min(1).describe('the tests'),
});

type MappingTests = z.output<typeof testsFile>;

/**
 * Reads and checks the mapping tests of a config folder: tests/*.yaml, in the order of their names. The folder is
 * optional.
 * @throws ConfigError with all mistakes of all files
 */
export function loadMappingTests(config: Config, env: Variables): Array<MappingTests & { file: string }> {
  const folder = join(config.dir, 'tests');
  const problems: ConfigProblem[] = [];
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => /^[^.].*\.ya?ml$/.test(name)) : [];
  const tests = names.sort().flatMap((name) => {
    const yaml = readYamlFile(join(folder, name), env);
    const data = checkFile(yaml, (value) => checkTests(value, config), problems);
    return data ? [{ ...data, file: yaml.file }] : [];
  });
  if (problems.length > 0) throw new ConfigError(problems);
  return tests;
}

/**
 * Checks the text of a file with mapping tests; the file need not exist.
 * @throws ConfigError with all mistakes of the text
 */
export function checkTestsText(file: string, text: string): MappingTests {
  const problems: ConfigProblem[] = [];
  const tests = checkFile(parseYaml(file, text, {}), (value) => validate(testsFile, value), problems);
  if (!tests) throw new ConfigError(problems);
  return tests;
}

function checkTests(value: unknown, { syncs, broken }: Config): Validated<MappingTests> {
  const result = validate(testsFile, value);
  const names = syncNames({ syncs, broken });
  if (!result.data) return result;
  if (names.includes(result.data.sync)) {
    const issues = checkSource(result.data, syncs);
    return issues.length > 0 ? { data: undefined, issues } : result;
  }
  const message = `names a sync that does not exist${didYouMean(result.data.sync, names)}`;
  return { data: undefined, issues: [{ path: ['sync'], part: 'value', message }] };
}

/** Checks that tests of a sync with several sources name one of them. */
function checkSource({ sync: name, source }: MappingTests, syncs: readonly SyncConfig[]): Issue[] {
  const sync = syncs.find((candidate) => candidate.name === name);
  const known = sync?.sources?.map((candidate) => candidate.name);
  const report = (part: Issue['part'], message: string): Issue[] => [{ path: ['source'], part, message }];
  if (!sync || (known === undefined && source === undefined)) return [];
  if (known === undefined) return report('key', 'is only allowed for a sync with several sources');
  if (source === undefined) return report('key', `is required: the sources of "${name}" are ${known.join(', ')}`);
  if (known.includes(source)) return [];
  return report('value', `is not one of the sources${didYouMean(source, known) || `, which are ${known.join(', ')}`}`);
}
