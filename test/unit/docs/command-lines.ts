import { Command, CommanderError } from 'commander';
import { type CommandName, commandList } from '../../../src/cli/command-list.ts';
import { readTopics } from '../../../src/cli/help-topics.ts';
import { loadCommand } from '../../../src/cli/load-command.ts';
import { CodedError } from '../../../src/core/errors.ts';

const topics = readTopics().map(({ name }) => name);
const names = Object.keys(commandList) as CommandName[];

/** The commands by their names. */
export const commands = new Map<string, Command>(
  await Promise.all(names.map(async (name) => [name, await loadCommand[name]()] as const)),
);

/** Splits a shell script into the words of its simple commands. */
export function commandsIn(script: string): string[][] {
  const tokens = script
    .replaceAll('\\\n', ' ')
    .matchAll(/#[^\n]*|(?:'[^']*'|"[^"]*"|\$\([^)]*\)|[^\s'"|&;])+|[|&;\n]+/g);
  const found: string[][] = [[]];
  for (const [token] of tokens) {
    if (token.startsWith('#')) continue;
    if (/^[|&;\n]/.test(token)) found.push([]);
    else found.at(-1)?.push(token.replace(/^(['"])(.*)\1$/s, '$2'));
  }
  return found.filter((words) => words.length > 0);
}

/** Returns the arguments that a simple command gives to feedferry, if it runs feedferry. */
export function feedferryArgs(words: readonly string[]): string[] | undefined {
  const bundle = words.findIndex((word) => word.endsWith('dist/src/cli/main.js'));
  if (bundle >= 0) return words.slice(bundle + 1);
  const line = words
    .join('\0')
    .replace(/^sudo\0-u\0\w+\0/, '')
    .replace(/^(env\0|npx\0|\w+=[^\0]*\0|\$\([^\0]*\)\0)+/, '')
    .replace(
      /^docker\0run\0.*?\0(?:ghcr\.io\/[\w./-]+\/)?feedferry:[\d.]+\0|^docker\0compose\0(?:--file\0[^\0]+\0)?run\0--rm\0\w+\0|^npm\0run\0feedferry\0--\0|^npm\0run\0(?=demo\b)/,
      'feedferry\0',
    )
    .replace(/^feedferry\0demo\0--\0/, 'feedferry\0demo\0');
  const [program, ...args] = line.split('\0');
  const redirected = args.findIndex((arg) => /^\d?[<>]/.test(arg));
  return program === 'feedferry' ? args.slice(0, redirected < 0 ? args.length : redirected) : undefined;
}

/** Returns what is wrong with the arguments of feedferry, without running it. */
export function mistakeIn(args: readonly string[]): string | undefined {
  const [name = '', ...rest] = args;
  if (['--help', '--version', '-V'].includes(name)) return undefined;
  if (name === 'help' && !isTopic(rest[0])) return `there is no help about "${rest[0]}"`;
  const command = commands.get(name);
  if (!command) return `there is no command "${name}"`;
  // A copy, because commands keep the options that they have parsed.
  const copy = new Command(name).exitOverride().configureOutput({ writeOut() {}, writeErr() {} });
  for (const option of command.options) copy.addOption(option);
  for (const argument of command.registeredArguments) copy.addArgument(argument);
  try {
    copy.action(() => {}).parse(rest, { from: 'user' });
    return undefined;
  } catch (error) {
    if (error instanceof CommanderError && error.code === 'commander.helpDisplayed') return undefined;
    if (error instanceof CommanderError || error instanceof CodedError) return error.message;
    throw error;
  }
}

/** A page, a command, an error code, or a word in capitals that stands for one. */
function isTopic(topic = 'topics'): boolean {
  return commands.has(topic) || topics.includes(topic) || topic === 'topics' || /^[A-Z_]+$/.test(topic);
}
