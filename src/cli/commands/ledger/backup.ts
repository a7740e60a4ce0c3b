import { readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { copyUploads } from '../../../app/uploads.ts';
import { backUpLedger } from '../../../ledger/backup/backup.ts';
import { type CommandContext, defineCommand, execute, readLimit } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { print, printJson } from '../../output/print.ts';
import { withLedger } from '../../with-ledger.ts';

const KEPT = '14';
/** A file of a folder of backups. */
const DAILY = /^ledger-\d{4}-\d\d-\d\d\.(?:sqlite|dump)$/;

export const backupCommand = defineCommand('backup')
  .argument('<file>', 'the file to write; a folder gets a file for each day')
  .option('--keep <n>', 'number of files to keep in a folder', KEPT)
  .action(execute(backup));

async function backup({ environment, json }: CommandContext, path: string, { keep = KEPT }): Promise<number> {
  const kept = readLimit(keep, 'files', '--keep');
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const file = isFolder ? join(resolve(path), nameToday(environment.databaseUrl)) : resolve(path);
  const { bytes } = await backUpLedger(file, environment);
  await withLedger(environment, ({ turns }) => turns.takeTurn('backup', 0));
  const uploads = copyUploads(environment.dataDir, dirname(file));
  if (isFolder) {
    const files = readdirSync(path).filter((name) => DAILY.test(name));
    for (const name of files.toSorted().slice(0, -kept)) rmSync(join(path, name));
  }
  if (json) printJson({ backup: { file, bytes, ...(uploads && { uploads }) } });
  else {
    const copied = uploads ? ` Uploaded feeds: ${uploads}.` : '';
    print(
      `Backed up to ${file} (${(bytes / 1e6).toFixed(1)} MB).${copied} It has what the ledger has: keep it as private.`,
    );
  }
  return EXIT.success;
}

function nameToday(databaseUrl: string | undefined): string {
  return `ledger-${new Date().toISOString().slice(0, 10)}.${databaseUrl ? 'dump' : 'sqlite'}`;
}
