import { resolve } from 'node:path';
import { restoreLedger } from '../../../ledger/backup/backup.ts';
import { type CommandContext, defineCommand, execute } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { asks, isConfirmed } from '../../output/confirm.ts';
import { print, printJson } from '../../output/print.ts';

export const restoreCommand = defineCommand('restore')
  .argument('<file>', 'a file that `feedferry backup` has written')
  .option('--yes', 'skip the confirmation')
  .action(execute(restore));

const NEXT = `
What people have decided since the backup is forgotten. Before the next run, repeat what still counts: pauses, releases, rejected plans.

  → to bring the CMS up to date: feedferry sync
    It finds what was created since the backup, and asks where it is in doubt.
  → then, to see what differs:   feedferry verify
  → to deliver that again:       feedferry verify --heal`;

async function restore({ environment, json, signal }: CommandContext, path: string, options: { yes?: boolean }) {
  const file = resolve(path);
  const effect = `This replaces the ledger by ${file}. The present ledger is kept beside it.`;
  const question = { word: 'restore', effect, declined: 'Nothing was restored.' };
  if (asks(options) && !(await isConfirmed(question, signal))) return EXIT.failed;
  const { previous } = await restoreLedger(file, environment);
  if (json) printJson({ restored: { file, previous: previous ?? null } });
  else print(`Restored ${file}.${previous ? ` The previous ledger: ${previous}` : ''}\n${NEXT}`);
  return EXIT.success;
}
