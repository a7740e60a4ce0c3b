import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { NewFile } from '../../../app/drafts/draft.ts';
import { CodedError } from '../../../core/errors.ts';

const ENV_EXAMPLE = `# Copy this file to .env and fill it in. \`feedferry sandbox\` writes a .env of its own.
CMS_BASE_URL=https://www.example.org
CMS_API_TOKEN=
`;

/**
 * Checks that a sync has no files yet.
 * @param isForced whether the files of the sync may be overwritten; a sync file in another format never is
 * @throws CodedError FF_INIT_EXISTS
 */
export function checkNewSync(dir: string, name: string, isForced: boolean): void {
  const own = [join(dir, 'syncs', `${name}.yaml`), join(dir, 'tests', `${name}.yaml`)];
  const rivals = [join(dir, 'syncs', `${name}.yml`), join(dir, 'syncs', `${name}.ts`)];
  const rival = rivals.find((path) => existsSync(path));
  const found = rival ?? (isForced ? undefined : own.find((path) => existsSync(path)));
  if (found === undefined) return;
  const remedy = rival ? `Give the sync another name: --name ${name}-2` : undefined;
  throw new CodedError('FF_INIT_EXISTS', `${found} exists already. Nothing was written.`, { remedy });
}

/** Writes the files, and creates their folders. */
export function writeFiles(files: readonly NewFile[]): void {
  for (const { path, text } of files) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

/** The file .env.example to write beside a config folder; undefined if there is one. */
export function envExample(dir: string): NewFile | undefined {
  const path = join(dir, '..', '.env.example');
  return existsSync(path) ? undefined : { path, text: ENV_EXAMPLE };
}
