import { basename } from 'node:path';
import { loadUsableAppConfig } from '../../app/load-config.ts';
import { type PayloadMismatch, runMappingTests, type TestResult } from '../../app/mapping-tests.ts';
import { type CommandContext, defineCommand, execute } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { colour, print, printJson } from '../output/print.ts';
import { warnOfBroken } from '../select-sync.ts';

export const testCommand = defineCommand('test')
  .argument('[sync...]', 'names of sync files (default: all)')
  .action(execute(test));

async function test({ environment, json }: CommandContext, names: string[]): Promise<number> {
  const config = loadUsableAppConfig(environment);
  warnOfBroken(config);
  const results = runMappingTests(config, environment, names);
  const failed = results.filter((result) => !passed(result));
  if (json) printJson({ tests: results.length, failed });
  else {
    for (const result of results) print(describe(result));
    const tests = results.length === 1 ? '1 test' : `${results.length} tests`;
    print(`${tests}, ${failed.length} failed`);
  }
  return failed.length > 0 ? EXIT.failed : EXIT.success;
}

function passed({ mistake, differences }: TestResult): boolean {
  return mistake === undefined && differences.length === 0;
}

function describe(result: TestResult): string {
  const { file, name, mistake, differences } = result;
  const sign = passed(result) ? colour('green', '✓') : colour('red', '✗');
  const lines = [`${sign} ${basename(file)}: ${name}`, ...(mistake ? [`    ${mistake}`] : [])];
  return [...lines, ...differences.flatMap(differenceLines)].join('\n');
}

function differenceLines({ attribute, expected, actual }: PayloadMismatch): string[] {
  const line = (sign: '-' | '+', value: PayloadMismatch['actual']) =>
    value === undefined
      ? []
      : [`    ${colour(sign === '-' ? 'red' : 'green', sign)} ${attribute}: ${JSON.stringify(value)}`];
  return [...line('-', expected), ...line('+', actual)];
}
