import { Help } from 'commander';
import { expect, test } from 'vitest';
import { type CommandName, commandList, listedCommand } from '../../../src/cli/command-list.ts';
import { loadCommand } from '../../../src/cli/load-command.ts';

const help = new Help();

test.each(Object.keys(commandList) as CommandName[])(
  'The help lists %s with its arguments and summary',
  async (name) => {
    const listed = listedCommand(name);
    const command = await loadCommand[name]();
    expect(help.subcommandTerm(listed)).toBe(help.subcommandTerm(command));
    expect(help.subcommandDescription(listed)).toBe(help.subcommandDescription(command));
  },
);
