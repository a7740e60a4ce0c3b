import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const main = join(import.meta.dirname, '../../../src/cli/main.ts');

/** The commands that `feedferry --help` lists. */
export const cliCommands: readonly string[] = listCommands();

function listCommands(): string[] {
  const help = execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', main, '--help'], {
    encoding: 'utf8',
  });
  return [...help.matchAll(/^ {2}(\w+) \[options\]/gm)].flatMap((match) => match[1] ?? []);
}
