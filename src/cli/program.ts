import { Command, CommanderError } from 'commander';
import { version } from '../app/version.ts';
import { type CommandName, commandList, listedCommand } from './command-list.ts';
import { EXIT } from './exit-codes.ts';
import { loadCommand } from './load-command.ts';
import { print } from './output/print.ts';

/** Replacements for commands and options that users know from other programs. */
const instead: Record<string, string> = {
  version: 'Write: `feedferry --version`',
  '-v': 'Write: `feedferry --version`',
  run: 'Write: `feedferry sync`',
  check: 'Write: `feedferry validate` for the config, or `feedferry doctor` for everything',
  '--dry-run': 'To see what a sync would change, write: `feedferry sync --dry-run`',
  '-n': 'To see what a sync would change, write: `feedferry sync --dry-run`',
};

const isCommand = (name: string): name is CommandName => Object.hasOwn(commandList, name);

/** Runs the command line with its arguments, and sets the exit code of the process. */
export async function runProgram(given: readonly string[]): Promise<void> {
  const args = await helpOfCommand(commandFirst(given));
  const program = new Command('feedferry')
    .description('Syncs calendar events and accounts from feeds to a website’s CMS.')
    .version(version())
    .exitOverride()
    .showSuggestionAfterError();
  // Commander runs the first argument that is not an option. The program has no options with values, so this is the same argument.
  const requested = args.find(isCommand);
  // The other commands are only listed.
  for (const name of Object.keys(commandList).filter(isCommand)) {
    const command = name === requested ? await loadCommand[name]() : listedCommand(name);
    program.addCommand(command.copyInheritedSettings(program).helpGroup(`${commandList[name].group}:`));
  }
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode === 0 ? EXIT.success : EXIT.usage;
    if (error.exitCode !== 0) print(await hintFor(error, args), process.stderr);
  }
}

/** Turns `help sync` into `sync --help`, unless the docs have a page named `sync`. */
async function helpOfCommand(args: readonly string[]): Promise<readonly string[]> {
  const [first, topic = ''] = args;
  if (first !== 'help' || !isCommand(topic)) return args;
  const { readTopics } = await import('./help-topics.ts');
  return readTopics().some(({ name }) => name === topic) ? args : [topic, '--help'];
}

/** Moves the common options (`--json`, `--config`) from before the command to after it. */
function commandFirst(args: readonly string[]): readonly string[] {
  let at = 0;
  while (/^--(json$|config(=|$))/.test(args[at] ?? '')) at += args[at] === '--config' ? 2 : 1;
  const [command, ...rest] = args.slice(at);
  return command === undefined ? args : [command, ...args.slice(0, at), ...rest];
}

/** Returns a hint with the right arguments after commander has refused the given ones. */
async function hintFor({ message }: CommanderError, args: readonly string[]): Promise<string> {
  const [, refused = ''] = /unknown (?:command|option) '([^']*)'/.exec(message) ?? [];
  if (Object.hasOwn(instead, refused)) return `  → ${instead[refused]}`;
  const [, missing] = /missing required argument '([^']*)'/.exec(message) ?? [];
  const [command = ''] = args;
  if (missing === 'sync') return `  → Name a sync: \`feedferry ${command} SYNC\`.${await knownSyncs(args)}`;
  if (missing !== undefined)
    return '  → Name the record by its key or a part of its title: `feedferry explain SYNC KEY`.';
  return command.startsWith('-') || message.includes('unknown command')
    ? '  → All commands: `feedferry --help`'
    : `  → All options: \`feedferry ${command} --help\``;
}

async function knownSyncs(args: readonly string[]): Promise<string> {
  const at = args.indexOf('--config');
  try {
    const { readEnvironmentWithFile } = await import('../app/env-file.ts');
    const { loadUsableAppConfig } = await import('../app/load-config.ts');
    const { syncNames } = await import('../config/select.ts');
    const environment = readEnvironmentWithFile(process.env, at < 0 ? undefined : args[at + 1]);
    return ` The syncs are ${syncNames(loadUsableAppConfig(environment)).join(', ')}.`;
  } catch {
    // The config is missing or has mistakes; the command itself will report them.
    return '';
  }
}
