import { readFileSync } from 'node:fs';

/** Environment variables by name. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** A string with its variables filled in, or why that is not possible. */
export type Interpolated = { text: string } | { code: 'FF_CONFIG_ENV' | 'FF_CONFIG_INVALID'; message: string };

const reference = /\$\$\{|\$\{([^}]*)\}/g;
const nameAndDefault = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s;

/**
 * Fills in `${NAME}` and `${NAME:-default}`; `$${` stands for a literal `${`. As in a shell, the default also serves
 * where the variable is set but empty. CMS_API_TOKEN may come from the file that CMS_API_TOKEN_FILE names.
 */
export function interpolate(source: string, env: Variables): Interpolated {
  let problem: Interpolated | undefined;
  const text = source.replace(reference, (whole, inside: string | undefined) => {
    if (inside === undefined) return '${';
    const parts = nameAndDefault.exec(inside);
    if (!parts?.[1]) {
      problem ??= {
        code: 'FF_CONFIG_INVALID',
        message: `${whole} is not a reference to a variable; write $\${ for a literal \${`,
      };
      return whole;
    }
    const [, name, fallback] = parts;
    const value = lookUp(name, env);
    if (typeof value === 'object') {
      problem ??= value;
      return whole;
    }
    if (fallback !== undefined) return value || fallback;
    if (value === undefined) {
      problem ??= { code: 'FF_CONFIG_ENV', message: `the environment variable ${name} is not set` };
    }
    return value ?? whole;
  });
  return problem ?? { text };
}

function lookUp(name: string, env: Variables): string | undefined | { code: 'FF_CONFIG_ENV'; message: string } {
  const secretFile = env.CMS_API_TOKEN_FILE;
  if (name !== 'CMS_API_TOKEN' || env.CMS_API_TOKEN || !secretFile) return env[name];
  try {
    return readFileSync(secretFile, 'utf8').trim();
  } catch {
    return { code: 'FF_CONFIG_ENV', message: `CMS_API_TOKEN_FILE names a file that cannot be read: ${secretFile}` };
  }
}
