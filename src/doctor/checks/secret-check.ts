import type { Environment } from '../../app/environment.ts';
import type { Config, SyncConfig } from '../../config/types.ts';
import { type Finding, ok } from '../findings/finding.ts';

/** Checks that every process that may deliver a pending password can decrypt it. */
export async function* checkSecret(
  environment: Environment,
  { syncs }: Pick<Config, 'syncs'>,
): AsyncGenerator<Finding> {
  const { secret, redisUrl, databaseUrl } = environment;
  const check = 'secret';
  const names = syncs.filter(mayHavePasswords).map(({ name }) => name);
  if (names.length === 0) return;
  if (secret) {
    yield ok(check, 'FEEDFERRY_SECRET is set. It must be the same for all processes.');
  } else if (redisUrl && databaseUrl) {
    yield {
      check,
      is: 'warning',
      message: `FEEDFERRY_SECRET is not set, but accounts may have passwords (${names.join(', ')}).`,
      follows: 'A worker with another data directory cannot decrypt them: those accounts fail (FF_SECRET_UNREADABLE).',
      remedy: 'Set the same FEEDFERRY_SECRET for all processes, or let them share one data directory.',
    };
  } else {
    yield ok(check, 'Passwords are encrypted with the key in the data directory.');
  }
}

/** Whether a sync may send passwords. Without a map, a field named `password` is sent as the password. */
function mayHavePasswords({ resource, generatePassword, map }: SyncConfig): boolean {
  return resource === 'accounts' && (generatePassword === true || map === undefined || 'password' in map);
}
