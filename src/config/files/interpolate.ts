import { readFileSync } from 'node:fs';

/** Environment variables by name. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Why a variable cannot be filled in. */
interface Mistake {
  code: 'FF_CONFIG_ENV' | 'FF_CONFIG_INVALID';
  message: string;
}

const reference = /\$\$\{|\$\{([^}]*)\}/g;
const nameAndDefault = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s;

/**
 * Fills in `${NAME}` and `${NAME:-default}`; `$${` is a literal `${`. As in a shell, the default also applies when the
 * variable is empty. If CMS_API_TOKEN is not set, it is read from the file that CMS_API_TOKEN_FILE names.
 */
export function interpolate(source: string, env: Variables): { text: string } | Mistake {
  const mistakes: Mistake[] = [];
  const text = source.replace(reference, (whole, inside: string | undefined) => {
    if (inside === undefined) return '${';
    const value = resolve(whole, inside, env);
    if (typeof value === 'string') return value;
    mistakes.push(value);
    return whole;
  });
  return mistakes[0] ?? { text };
}

function resolve(whole: string, inside: string, env: Variables): string | Mistake {
  const [, name, fallback] = nameAndDefault.exec(inside) ?? [];
  if (name === undefined) {
    const message = `${whole} is not a valid variable reference; write $\${ for a literal \${`;
    return { code: 'FF_CONFIG_INVALID', message };
  }
  const secretFile = name === 'CMS_API_TOKEN' && !env[name] ? env.CMS_API_TOKEN_FILE : undefined;
  try {
    const value = secretFile ? readFileSync(secretFile, 'utf8').trim() : env[name];
    if (fallback !== undefined) return value || fallback;
    return value ?? { code: 'FF_CONFIG_ENV', message: `the environment variable ${name} is not set` };
  } catch {
    return { code: 'FF_CONFIG_ENV', message: `the file named by CMS_API_TOKEN_FILE cannot be read: ${secretFile}` };
  }
}
