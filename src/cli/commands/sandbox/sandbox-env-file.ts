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
    if (!isDeepStrictEqual({ ...parseEnv(after) }, { ...parseEnv(before), ...variables })) {
      return `the lines of ${file} cannot be replaced safely`;
    }
    if (after === before) return undefined;
    writeFileSync(file, after, { mode: 0o600 });
    // The mode above only applies to a new file.
    chmodSync(file, 0o600);
    return undefined;
  } catch (error) {
    return `${file} cannot be written: ${messageOf(error)}`;
  }
}

/** Replaces the values of lines that set the variables, and adds lines for the others. */
export function withVariables(text: string, variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables).reduce((result, [name, value]) => {
    const line = new RegExp(`^([ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=).*$`, 'gm');
    const written = /^[\w.:/-]*$/.test(value) ? value : quoted(value);
    if (line.test(result)) return result.replace(line, (_, start: string) => `${start}${written}`);
    return `${result}${/[^\n]$/.test(result) ? '\n' : ''}${name}=${written}\n`;
  }, text);
}

function quoted(value: string): string {
  const quote = ["'", '`', '"'].find((each) => !value.includes(each)) ?? "'";
  return `${quote}${value}${quote}`;
}
