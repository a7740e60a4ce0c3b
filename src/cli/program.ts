import { Command, CommanderError } from 'commander';
import { version } from '../app/version.ts';
import { type CommandName, commandList, listedCommand } from './command-list.ts';
import { EXIT } from './exit-codes.ts';
import { loadCommand } from './load-command.ts';
import { print } from './output/print.ts';
import { hintFor } from './usage-hints.ts';

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
