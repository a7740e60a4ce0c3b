import type { CommanderError } from 'commander';

/** What to write instead of commands and options that other programs have. */
const instead: Record<string, string> = {
  version: 'Write: `feedferry --version`',
  '-v': 'Write: `feedferry --version`',
  run: 'Write: `feedferry sync`',
  check: 'Write: `feedferry validate` for the config, or `feedferry doctor` for everything',
  '--dry-run': 'To see what a sync would change, write: `feedferry sync --dry-run`',
  '-n': 'To see what a sync would change, write: `feedferry sync --dry-run`',
};

/** Returns what to write instead of arguments that commander has refused. */
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
    const environment = readEnvironmentWithFile(process.env, at < 0 ? undefined : args[at + 1]);
    const { syncs, broken } = loadUsableAppConfig(environment);
    return ` The syncs are ${[...syncs, ...broken].map(({ name }) => name).join(', ')}.`;
  } catch {
    // Without a config, it has mistakes of its own, which the command will name.
    return '';
  }
}
