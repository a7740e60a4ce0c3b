import type { RunReport } from '../../core/run.ts';
import { describeChanges } from '../../core/text/describe-changes.ts';
import { purgeDocument } from '../../documents/purge.ts';
import { createPurgePreview } from '../../queries/runs/run.ts';
import type { PurgePreviewView } from '../../queries/views/run.ts';
import { actHere, withOptionsOf } from '../act.ts';
import { type CommandContext, defineCommand, execute } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { documentText } from '../output/as-text.ts';
import { asks, isConfirmed } from '../output/confirm.ts';
import { print, printJson, printList } from '../output/print.ts';
import { toRunResult } from '../output/run-result.ts';
import { printRuns } from '../output/run-tables.ts';
import { withSyncOrOrphan } from '../with-app.ts';

export const purgeCommand = withOptionsOf('purge', defineCommand('purge'))
  .argument('<sync>', 'name of a sync file, or of a sync that no longer has one')
  .option('--yes', 'skip the preview and the confirmation')
  .option('--dry-run', 'list the items without deleting them')
  .action(execute(purge));

/** A command has no pages. */
const EVERYTHING = { limit: Number.MAX_SAFE_INTEGER - 1 };
/** Number of items that are shown before a person is asked. */
const SOME = { limit: 20 };

interface PurgeOptions {
  reason?: string;
  yes?: boolean;
  dryRun?: boolean;
}

function purge(context: CommandContext, name: string, options: PurgeOptions): Promise<number> {
  const { json, signal } = context;
  return withSyncOrOrphan(name, context, async (app, sync) => {
    const { purgePreview } = createPurgePreview(() => app);
    const show = (view: PurgePreviewView) => print(documentText(purgeDocument(view), app.config.target.timezone));
    if (options.dryRun) {
      if (json) printJson(await purgePreview(name, EVERYTHING));
      else show(await purgePreview(name, SOME));
      return EXIT.success;
    }
    const preview = asks(options) ? await purgePreview(name, SOME) : undefined;
    if (preview && preview.deletes > 0) {
      if (!json) show(preview);
      const effect = `In the CMS, this will ${describeChanges({ delete: preview.deletes }, sync.resource)}.`;
      const question = { word: name, effect, declined: 'Nothing was deleted.' };
      if (!(await isConfirmed(question, signal))) return EXIT.failed;
    }
    const { exitCode } = await actHere('purge', { sync: name, reason: options.reason }, app, context, {
      nothing: `${name}: no items in the CMS.`,
      toJson: (run) => ({ ...toRunResult(run), adopted: run.rejections.flatMap(({ key }) => key ?? []) }),
      print: printPurged,
    });
    return exitCode;
  });
}

function printPurged(report: RunReport): void {
  const { sync, counts, rejections } = report;
  printRuns([{ ...report, rejections: [] }]);
  printList(`${sync}: adopted, not deleted`, counts.skipped, rejections, ({ key, reason }) => `${key}: ${reason}`);
  if (counts.deleted === 0) return;
  print(`\nThe next run of ${sync} creates its items again. To prevent that, remove its sync file or its schedule.`);
}
