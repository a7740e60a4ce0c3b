import { constants, copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CodedError, messageOf } from '../../core/errors.ts';

const FOLDER = 'uploads';
const place = /[\\/]uploads[\\/](\d{4}-\d\d-\d\d)-([^\\/]+)$/;

/** Returns where an uploaded feed is kept: in the data folder, with its day and name. */
export function uploadPlace(dataDir: string, name: string, day: string): string {
  const of = (number: number) => join(dataDir, FOLDER, `${day}-${number === 1 ? '' : `${number}-`}${name}`);
  let number = 1;
  while (existsSync(of(number))) number += 1;
  return of(number);
}

/** Returns the name and the day of the uploaded feed at a place; undefined if no upload is there. */
export function uploadAt(location: string): { name: string; day: string } | undefined {
  const [, day, name] = place.exec(location) ?? [];
  return day === undefined || name === undefined ? undefined : { name, day };
}

/**
 * Writes an uploaded feed to its place.
 * @returns what takes that back
 * @throws CodedError FF_EDIT_IMPOSSIBLE
 */
export function keepUpload(from: string, to: string): () => void {
  try {
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    copyFileSync(from, to, constants.COPYFILE_EXCL);
    return () => rmSync(to, { force: true });
  } catch (error) {
    const message = `The file cannot be kept: ${messageOf(error)}. Nothing was saved.`;
    throw new CodedError('FF_EDIT_IMPOSSIBLE', message, { cause: error, remedy: 'Upload it again.' });
  }
}
