import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { CodedError } from '../../core/errors.ts';

/**
 * Reads the text of a file that may be written again, with its byte order mark.
 * @throws CodedError FF_EDIT_IMPOSSIBLE if it is not UTF-8: what cannot be read would be lost
 */
export function readText(path: string): string {
  const bytes = readFileSync(path);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new CodedError('FF_EDIT_IMPOSSIBLE', `${basename(path)} is not UTF-8, so parts of it would be lost.`, {
      cause: error,
      remedy: 'Save it as UTF-8 in an editor.',
    });
  }
}
