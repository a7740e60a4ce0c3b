import type { App } from '../../app/app.ts';
import type { SyncConfig } from '../../config/types.ts';
import { CodedError } from '../../core/errors.ts';
import type { RunReport } from '../../core/run.ts';
import { describeUndo } from '../../core/text/describe-changes.ts';
import { nameWithKey } from '../../core/text/record-title.ts';
import { undoDocument } from '../../documents/undo.ts';
import { createUndoPreview } from '../../queries/runs/run.ts';
import type { UndoPreviewView } from '../../queries/views/run.ts';
import { actHere, withOptionsOf } from '../act.ts';
import { type CommandContext, defineCommand, execute } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { documentText } from '../output/as-text.ts';
import { asks, isConfirmed } from '../output/confirm.ts';
import { print, printJson, printList } from '../output/print.ts';
import { toRunResult } from '../output/run-result.ts';
import { printRuns } from '../output/run-tables.ts';
import { withRun, withSync } from '../with-app.ts';

export const undoCommand = withOptionsOf('undo', defineCommand('undo'))
  .argument('[run]', 'id of a run: `feedferry runs` lists them')
  .option('--last <sync>', 'undo the last run of this sync that changed something, other than an undo')
  .option('--dry-run', 'show what would be undone, without undoing it')
  .option('--yes', 'skip the preview and the confirmation')
  .action(execute(undo));

interface UndoOptions {
  last?: string;
  dryRun?: boolean;
  reason?: string;
  pause?: boolean;
  yes?: boolean;
}

function undo(context: CommandContext, id: string | undefined, options: UndoOptions): Promise<number> {
  const { last } = options;
  if ((id === undefined) === (last === undefined)) {
    throw new CodedError('FF_USAGE', 'Name either a run or, with --last, a sync. `feedferry runs` lists the runs.');
  }
  if (id !== undefined) return withRun(id, context, (app, sync) => undoOne(id, app, sync, context, options));
  return withSync(last ?? '', context, async (app, sync) => {
    const run = await app.ledger.runs.lastChanging(sync.name);
    if (run) return undoOne(run.run, app, sync, context, options);
    throw new CodedError('FF_UNDO_NOTHING', `No run of "${sync.name}" has changed anything in the CMS.`);
  });
}

async function undoOne(run: string, app: App, sync: SyncConfig, context: CommandContext, options: UndoOptions) {
  const { json, signal } = context;
  const show = (plan: UndoPreviewView) => print(documentText(undoDocument(plan), app.config.target.timezone));
  const preview = () => createUndoPreview(() => app).undoPreview(run, signal);
  if (options.dryRun) {
    const plan = await preview();
    if (json) printJson(plan);
    else show(plan);
    return plan.skipped.length > 0 ? EXIT.partial : EXIT.success;
  }
  if (asks(options)) {
    const plan = await preview();
    if (!json) show(plan);
    const inCms = describeUndo(plan.changes, sync.resource);
    const effect = [...(inCms ? [`In the CMS, this will ${inCms}.`] : []), ...describeSeparated(plan)].join(' ');
    const question = { word: 'yes', effect, declined: 'Nothing was undone.' };
    if (effect && !(await isConfirmed(question, signal))) return EXIT.failed;
  }
  const { reason, pause } = options;
  const { exitCode } = await actHere('undo', { run, reason, pause }, app, context, {
    toJson: (report) => ({ ...toRunResult(report), undoes: run, skipped: skippedOf(report) }),
    print: (report) => printUndone(report, pause),
  });
  return exitCode;
}

/** The changes that an undo skipped; the report names the first of them. */
function skippedOf({ rejections }: RunReport): UndoPreviewView['skipped'] {
  return rejections.map(({ at: _, key = '', ...skip }) => ({ ...skip, key }));
}

function printUndone(report: RunReport, isPaused = false): void {
  printRuns([{ ...report, rejections: [] }]);
  printSkipped(report.sync, report.counts.skipped, skippedOf(report));
  const { updated, created, deleted } = report.counts;
  if (updated + created + deleted === 0) return;
  const { sync } = report;
  if (isPaused) print(`\n${sync} is paused. Fix the source or the config, then: feedferry resume ${sync}`);
  else
    print(
      `\nThe next run of ${sync} makes these changes again. To prevent that, fix the source or the config first, or: feedferry pause ${sync} --reason TEXT`,
    );
}

function describeSeparated({ separated: { length } = [] }: UndoPreviewView): string[] {
  if (length === 0) return [];
  return [
    length === 1 ? '1 record will count as a different event.' : `${length} records will count as different events.`,
  ];
}

function printSkipped(sync: string, total: number, skipped: UndoPreviewView['skipped']): void {
  printList(
    `${sync}: skipped`,
    total,
    skipped,
    ({ key, title, code, reason }) => `${nameWithKey({ key, title })}: ${code} ${reason}`,
  );
}
