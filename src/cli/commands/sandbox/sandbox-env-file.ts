import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual, parseEnv } from 'node:util';
import { messageOf } from '../../../core/errors.ts';
import { isLoopback } from '../../../core/network/loopback.ts';

/** Variables that make the other commands use a sandbox instead of a site. */
export interface SandboxVariables {
  CMS_BASE_URL: string;
  CMS_API_TOKEN: string;
}

/** Returns whether an address is on this machine, where a sandbox may be. */
export function isThisMachine(address: string): boolean {
  return isLoopback(URL.parse(address)?.hostname ?? '');
}

const COMMENT = '# Address and token of the sandbox. All feedferry commands read this file.\n';

/**
 * Writes the variables to a `.env` file that only this user can read, and leaves all other lines as they are.
 * @returns why the file was left as it is, for example because it names another site; undefined if it now has the variables
 */
export function writeSandboxVariables(file: string, variables: SandboxVariables): string | undefined {
  try {
    const before = existsSync(file) ? readFileSync(file, 'utf8') : COMMENT;
    const { CMS_BASE_URL: url, CMS_API_TOKEN: token } = parseEnv(before);
    if (url && !isThisMachine(url)) return `CMS_BASE_URL in ${file} names another site`;
    if (!url && token && token !== variables.CMS_API_TOKEN)
      return `${file} has a CMS_API_TOKEN, which may be that of a site`;
    const after = withVariables(before, { ...variables });
    if (after === undefined) return `the lines of ${file} cannot be replaced safely`;
    if (after === before) return undefined;
    writeFileSync(file, after, { mode: 0o600 });
    // The mode above only applies to a new file.
    chmodSync(file, 0o600);
    return undefined;
  } catch (error) {
    return `${file} cannot be written: ${messageOf(error)}`;
  }
}

/**
 * Replaces the values of lines that set the variables, and adds lines for the others.
 * @returns undefined if the file would not be read as having these values, and the others as before
 */
export function withVariables(text: string, variables: Readonly<Record<string, string>>): string | undefined {
  const after = Object.entries(variables).reduce((result, [name, value]) => {
    const line = new RegExp(`^([ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=).*$`, 'gm');
    const written = inEnvFile(value) ?? '';
    if (line.test(result)) return result.replace(line, (_, start: string) => `${start}${written}`);
    return `${result}${/[^\n]$/.test(result) ? '\n' : ''}${name}=${written}\n`;
  }, text);
  return isDeepStrictEqual({ ...parseEnv(after) }, { ...parseEnv(text), ...variables }) ? after : undefined;
}

/** Returns a value as a line of an `.env` file has it; undefined if no quotes around it keep it as it is. */
export function inEnvFile(value: string): string | undefined {
  if (/^[\w.:/-]*$/.test(value)) return value;
  // Node reads an open quote as a character, but a file with one is refused.
  const quotes = ["'", '`', '"', /^["'`]/.test(value) ? [] : ''].flat();
  return quotes.map((quote) => `${quote}${value}${quote}`).find((each) => parseEnv(`A=${each}\n`).A === value);
}
