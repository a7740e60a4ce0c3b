import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { CodedError, messageOf } from '../core/errors.ts';
import { configFolder, type Environment, readEnvironment } from './environment.ts';

/** The path of the `.env` file: beside the config folder, so that it does not depend on the working directory. */
export function envFileOf(variables: NodeJS.ProcessEnv, configDir?: string): string {
  return join(configFolder(variables, configDir), '..', '.env');
}

/**
 * Reads the environment as `readEnvironment` does, and adds the variables of the `.env` file, if there is one. Variables of the
 * environment win, including those set as NAME_FILE.
 * @throws CodedError FF_ENV_FILE, and as `readEnvironment` does
 */
export function readEnvironmentWithFile(variables: NodeJS.ProcessEnv, configDir?: string): Environment {
  const entries = Object.entries(readEnvFile(envFileOf(variables, configDir)));
  const unset = entries.filter(([name]) => !variables[`${name}_FILE`]);
  return readEnvironment({ ...Object.fromEntries(unset), ...variables }, configDir);
}

function readEnvFile(file: string): NodeJS.Dict<string> {
  const text = contentOf(file).replace(/^\uFEFF/, '');
  const line = brokenLine(text);
  if (line !== undefined) throw new CodedError('FF_ENV_FILE', `${file}:${line} is not NAME=value.`);
  return parseEnv(text);
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    // A folder of that name belongs to another program, for example to Python.
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw new CodedError('FF_ENV_FILE', `${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

const value = /"[^"]*"|'[^']*'|`[^`]*`|[^"'`\s#][^\n]*|/;
const entry = new RegExp(`^[ \\t]*(?:export[ \\t]+)?[\\w.-]+[ \\t]*=[ \\t]*(?:${value.source})[ \\t]*(?:#.*)?$`, 'gm');

/** Returns the number of the first line that Node would skip or cut without an error, such as a line with an unclosed quote. */
function brokenLine(text: string): number | undefined {
  const rest = text.replaceAll('\r', '').replace(entry, (lines) => lines.replace(/.+/g, ''));
  const index = rest.split('\n').findIndex((line) => /^\s*[^\s#]/.test(line));
  return index < 0 ? undefined : index + 1;
}
