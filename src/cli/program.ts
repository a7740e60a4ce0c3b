import { Command, CommanderError } from 'commander';
import { version } from '../app/version.ts';
import { type CommandName, commandList, listedCommand } from './command-list.ts';
import { EXIT } from './exit-codes.ts';
import { loadCommand } from './load-command.ts';

const program = new Command('feedferry')
  .description('Syncs calendar events and accounts from feeds to a website’s CMS.')
  .version(version())
  .exitOverride()
  .showSuggestionAfterError();

const isCommand = (name: string): name is CommandName => Object.hasOwn(commandList, name);
// Commander runs the first argument that is not an option; as the program has no options with values, that is this one.
const requested = process.argv.slice(2).find(isCommand);
// The others are only listed.
for (const name of Object.keys(commandList).filter(isCommand)) {
  const command = name === requested ? await loadCommand[name]() : listedCommand(name);
  program.addCommand(command.copyInheritedSettings(program));
}

// A reader that closes the pipe (`feedferry preview … | head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? EXIT.success);
  throw error;
});

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? EXIT.success : EXIT.usage;
}
