import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CodedError } from '../../../core/errors.ts';
import { inEnvFile, withVariables } from '../sandbox/sandbox-env-file.ts';

/** A file that init writes. */
export interface NewFile {
  path: string;
  text: string;
}

const ENV_EXAMPLE = `# Copy this file to .env and fill it in. \`feedferry sandbox\` writes a .env of its own.
CMS_BASE_URL=https://www.example.org
CMS_API_TOKEN=
`;

/**
 * Checks that a sync has no files yet.
 * @param isForced whether the files of the sync may be overwritten; a sync file in another format never is
 * @throws CodedError FF_INIT_EXISTS
 */
export function checkNewSync(dir: string, name: string, isForced: boolean): void {
  const own = [join(dir, 'syncs', `${name}.yaml`), join(dir, 'tests', `${name}.yaml`)];
  const rivals = [join(dir, 'syncs', `${name}.yml`), join(dir, 'syncs', `${name}.ts`)];
  const rival = rivals.find((path) => existsSync(path));
  const found = rival ?? (isForced ? undefined : own.find((path) => existsSync(path)));
  if (found === undefined) return;
  const remedy = rival ? `Give the sync another name: --name ${name}-2` : undefined;
  throw new CodedError('FF_INIT_EXISTS', `${found} exists already. Nothing was written.`, { remedy });
}

/** Writes the files, and creates their folders. */
export function writeFiles(files: readonly NewFile[]): void {
  for (const { path, text } of files) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

/** The file .env.example to write beside a config folder; undefined if there is one. */
export function envExample(dir: string): NewFile | undefined {
  const path = join(dir, '..', '.env.example');
  return existsSync(path) ? undefined : { path, text: ENV_EXAMPLE };
}

/**
 * Adds variables to the `.env` file beside a config folder; only the file's owner may read it.
 * @throws CodedError FF_ENV_FILE if the lines of the file cannot be replaced
 */
export function addToEnvFile(dir: string, variables: Readonly<Record<string, string>>): string {
  const path = join(dir, '..', '.env');
  const text = withVariables(existsSync(path) ? readFileSync(path, 'utf8') : '', variables);
  if (text === undefined) {
    const names = Object.keys(variables).join(', ');
    throw new CodedError('FF_ENV_FILE', `The lines of ${path} cannot be replaced safely, so ${names} is not in it.`, {
      remedy: `Set ${names} in the file or in the environment.`,
    });
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode: 0o600 });
  chmodSync(path, 0o600);
  return path;
}

/** Returns what is wrong with a secret that a person types, if it cannot be written to `.env`. */
export function mistakeInValue(text = ''): string | undefined {
  return inEnvFile(text) === undefined
    ? 'The file .env cannot hold this value, because of its quotes. Press Ctrl-C, set the variable in the environment, and start again.'
    : undefined;
}
