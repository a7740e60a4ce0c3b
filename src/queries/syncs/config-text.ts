import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { shownText } from '../../app/drafts/shown-text.ts';

/**
 * Reads the text of a sync file, without the values of environment variables and without secrets in the text: credentials and
 * queries in addresses, headers, and keys that are named like secrets.
 * @returns undefined for a TypeScript file, and for a file that cannot be read
 */
export async function readConfigText(file: string): Promise<string | undefined> {
  if (!/^\.ya?ml$/.test(extname(file))) return undefined;
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : shownText(text);
}
