import { constants, copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CodedError, messageOf } from '../core/errors.ts';

const FOLDER = 'uploads';
const place = /[\\/]uploads[\\/](\d{4}-\d\d-\d\d)-([^\\/]+)$/;

/** Returns where an uploaded feed is kept: in the data folder, with its day and name. */
export function uploadPlace(dataDir: string, name: string, day: string): string {
  const of = (number: number) => join(dataDir, FOLDER, `${day}-${number === 1 ? '' : `${number}-`}${name}`);
  let number = 1;
  while (existsSync(of(number))) number += 1;
  return of(number);
}

/** Names the uploaded feeds that were kept before a day. */
export function uploadsBefore(dataDir: string, day: string): string[] {
  const folder = join(dataDir, FOLDER);
  return existsSync(folder) ? readdirSync(folder).filter((file) => file < day) : [];
}

export function removeUpload(dataDir: string, file: string): void {
  rmSync(join(dataDir, FOLDER, file), { force: true });
}

/** Copies all uploaded feeds into a folder. Returns where; undefined if there is none. */
export function copyUploads(dataDir: string, folder: string): string | undefined {
  const [from, to] = [join(dataDir, FOLDER), join(folder, FOLDER)];
  if (!existsSync(from)) return undefined;
  if (from !== to) cpSync(from, to, { recursive: true });
  return to;
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
