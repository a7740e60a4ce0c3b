import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import type { RunReport } from '../../core/run.ts';
import { type PurgePlan, planPurge, purgeRun } from '../../sync/runs/purge-run.ts';
import { type CommandContext, type CommonOptions, defineCommand, execute } from '../command.ts';
import { EXIT } from '../exit.ts';
import { toRunResult, unlessRefused } from '../output/run-result.ts';
import { print, printJson, printList, printRuns } from '../output/tables.ts';
import { runAndPrint } from '../run-and-print.ts';
import { withSync } from '../with-app.ts';

interface PurgeOptions extends CommonOptions {
  yes?: boolean;
  dryRun?: boolean;
}

export function purgeCommand(): Command {
  return defineCommand('purge', 'delete every item of the CMS that a sync has created')
    .argument('<sync>', 'name of a sync file')
    .option('--yes', 'do not ask, also on a terminal')
    .option('--dry-run', 'list the items; changes nothing')
    .action(execute(purge));
}

function purge(context: CommandContext, name: string, { yes, dryRun }: PurgeOptions): Promise<number> {
  const { json, signal } = context;
  return withSync(name, context, async (app, sync) => {
    const plan = await planPurge({ ledger: app.ledger, sync });
    if (dryRun) {
      if (json) printJson({ sync: name, deletes: plan.deletes.map(toResult), adopted: plan.adopted.map(toResult) });
      else printPlan(name, plan);
      return EXIT.success;
    }
    if (!yes && !(await isConfirmed(name, plan, signal))) {
      print(process.stderr, 'Nothing was deleted.');
      return EXIT.failed;
    }
    return runAndPrint(context, (options) => unlessRefused(sync, () => purgeRun(app.contextOf(sync, options))), {
      nothing: `${name}: it has no items in the CMS.`,
      toJson: (run) => ({ ...toRunResult(run), adopted: keysOf(run) }),
      print: printPurged,
    });
  });
}

/** Asked on a terminal only: a script knows what it does. */
async function isConfirmed(name: string, { deletes }: PurgePlan, signal: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY || deletes.length === 0) return true;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const question = `${deletes.length} items of the CMS are to be deleted. Type "${name}" to go ahead: `;
    const answer = terminal.question(question, { signal });
    // Ctrl-C and Ctrl-D are answers, too.
    const none = once(terminal, 'close').then(() => '');
    return (await Promise.race([answer, none]).catch(() => '')).trim() === name;
  } finally {
    terminal.close();
  }
}

function printPlan(name: string, { deletes, adopted }: PurgePlan): void {
  const line = ({ key, cmsId }: PurgePlan['deletes'][number]) =>
    cmsId === null ? `${key}: it may be in the CMS, and is looked up` : `${key} (item ${cmsId})`;
  printList(`${name}: to delete`, deletes.length, deletes, line);
  printList(`${name}: adopted, they stay`, adopted.length, adopted, line);
  print(process.stdout, `purge of ${name}: ${deletes.length} to delete, ${adopted.length} adopted ones stay`);
}

function printPurged(report: RunReport): void {
  const { sync, counts, rejections } = report;
  printRuns([{ ...report, rejections: [] }]);
  printList(`${sync}: adopted, they stay`, counts.skipped, rejections, ({ key, reason }) => `${key}: ${reason}`);
  if (counts.deleted === 0) return;
  print(
    process.stdout,
    `\nThe next run of ${sync} creates what its source has: remove its file, or its schedule, first.`,
  );
}

function toResult({ key, cmsId }: PurgePlan['deletes'][number]): { key: string; cmsId: number | null } {
  return { key, cmsId };
}

function keysOf({ rejections }: RunReport): string[] {
  return rejections.flatMap(({ key }) => key ?? []);
}
