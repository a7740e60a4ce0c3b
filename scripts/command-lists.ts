import type { Argument, Command, Option } from 'commander';
import { type CommandName, commandList } from '../src/cli/command-list.ts';
import { loadCommand } from '../src/cli/load-command.ts';

/** Options that all commands have. */
const SHARED = ['--config', '--json'];

/**
 * Returns the arguments and options of each command as Markdown, by the names in the markers: `<!-- list of options of sync -->` …
 * `<!-- end of list -->`. docs/sandbox.md describes the options of the sandbox.
 */
export async function listsOfCommands(): Promise<Record<string, string>> {
  const names = Object.keys(commandList).filter((name) => name !== 'sandbox') as CommandName[];
  const lists = await Promise.all(
    names.map(async (name) => [`options of ${name}`, describe(name, await loadCommand[name]())] as const),
  );
  return Object.fromEntries(lists);
}

function describe(name: CommandName, command: Command): string {
  const { registeredArguments: args, options } = command;
  const usage = `\`${[name, ...args.map(usageOf)].join(' ')}\`: ${commandList[name].summary}.`;
  const rows = [
    // What the name of a sync or run is needs no explanation.
    ...args.filter((arg) => !['sync', 'run'].includes(arg.name())).map((arg) => [usageOf(arg), arg.description]),
    ...options.filter(({ long }) => !SHARED.includes(long ?? '')).map((option) => [option.flags, meaningOf(option)]),
  ];
  const items = rows.map(([of, description]) => `- \`${of}\`: ${description}`);
  return [usage, ...(items.length > 0 ? ['', ...items] : [])].join('\n');
}

function meaningOf({ description, defaultValue }: Option): string {
  return typeof defaultValue === 'string' ? `${description} (default: ${defaultValue})` : description;
}

function usageOf(arg: Argument): string {
  const name = `${arg.name().toUpperCase()}${arg.variadic ? '…' : ''}`;
  return arg.required ? name : `[${name}]`;
}
