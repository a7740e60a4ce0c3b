import { readFileSync } from 'node:fs';
import { CodedError } from '../../core/errors.ts';
import { nearest } from '../../core/suggest.ts';

/** Environment variables by name. */
export type Variables = Readonly<Record<string, string | undefined>>;

const reference = /\$\$\{|\$\{(?!\{)([^}]*)\}/g;
const nameAndDefault = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s;

/**
 * Fills in `${NAME}` and `${NAME:-default}`; `$${` is a literal `${`, and so is the `${{` of a price in a template. As in a shell, the default also applies when the
 * variable is empty. If CMS_API_TOKEN is not set, it is read from the file that CMS_API_TOKEN_FILE names.
 * @throws CodedError FF_CONFIG_ENV for a variable that has no value, FF_CONFIG_INVALID for an invalid reference
 */
export function interpolate(source: string, env: Variables): string {
  return source.replace(reference, (whole, inside?: string) => {
    if (inside === undefined) return '${';
    const [, name, fallback] = nameAndDefault.exec(inside) ?? [];
    if (name === undefined) {
      const mistake = `${whole} is not a valid variable reference; write $\${ for a literal \${`;
      throw new CodedError('FF_CONFIG_INVALID', mistake);
    }
    const value = variableIn(env, name);
    if (fallback !== undefined) return value || fallback;
    if (value === undefined) {
      const message = `the environment variable ${name} is not set${setInstead(name, env)}`;
      throw new CodedError('FF_CONFIG_ENV', message);
    }
    return value;
  });
}

/** Returns the names of the variables that a text refers to. */
export function variablesIn(source: string): string[] {
  const names = [...source.matchAll(reference)].map(([, inside = '']) => nameAndDefault.exec(inside)?.[1]);
  return names.filter((name) => name !== undefined);
}

/** Suggests a variable that is set and was probably meant: one with a similar name, or with the same words and more. */
function setInstead(name: string, env: Variables): string {
  const set = Object.keys(env).filter((other) => env[other] !== undefined);
  const words = name.split('_');
  const isPart = (some: string[], all: string[]) => some.length > 1 && some.every((word) => all.includes(word));
  const hasSameWords = (other: string) => isPart(words, other.split('_')) || isPart(other.split('_'), words);
  const meant = nearest(name, set) ?? set.find(hasSameWords);
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}

function variableIn(env: Variables, name: string): string | undefined {
  const secretFile = name === 'CMS_API_TOKEN' && !env[name] ? env.CMS_API_TOKEN_FILE : undefined;
  if (!secretFile) return env[name];
  try {
    return readFileSync(secretFile, 'utf8').trim();
  } catch {
    throw new CodedError('FF_CONFIG_ENV', `the file named by CMS_API_TOKEN_FILE cannot be read: ${secretFile}`);
  }
}
