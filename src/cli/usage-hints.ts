import type { CommanderError } from 'commander';

/** Replacements for commands and options that users know from other programs. */
const instead: Record<string, string> = {
  version: 'Write: `feedferry --version`',
  '-v': 'Write: `feedferry --version`',
  run: 'Write: `feedferry sync`',
  check: 'Write: `feedferry validate` for the config, or `feedferry doctor` for everything',
  '--dry-run': 'To see what a sync would change, write: `feedferry sync --dry-run`',
  '-n': 'To see what a sync would change, write: `feedferry sync --dry-run`',
};

/** Returns a hint with the right arguments after commander has refused the given ones. */
export async function hintFor({ message }: CommanderError, args: readonly string[]): Promise<string> {
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
