import { describeCounts, type RunReport } from '../../core/run.ts';
import { type PlannedUndoing, previewUndo, type UndoPreview } from '../../sync/undo/preview-undo.ts';
import { undoRun } from '../../sync/undo/undo-run.ts';
import { type CommandContext, defineCommand, EXIT, execute } from '../command.ts';
import { describeDifference } from '../output/difference-lines.ts';
import { colour, indent, plain, print, printJson, printList } from '../output/print.ts';
import { toRunResult, unlessRefused } from '../output/run-result.ts';
import { printRuns } from '../output/run-tables.ts';
import { runAndPrint, withRun } from '../with-app.ts';

const SIGNS = { create: ['green', '+'], restore: ['yellow', '~'], delete: ['red', '-'] } as const;

export const undoCommand = defineCommand(
  'undo',
  'undo a run’s changes in the CMS, except those that were changed again since',
)
  .argument('<run>', 'id of a run')
  .option('--dry-run', 'show what would be undone, without undoing it')
  .action(execute(undo));

function undo(context: CommandContext, run: string, { dryRun }: { dryRun?: boolean }): Promise<number> {
  const { json, signal } = context;
  return withRun(run, context, async (app, sync) => {
    if (dryRun) {
      const plan = await previewUndo(run, app.contextOf(sync, { signal }));
      if (json) printJson(plan);
      else printPlan(plan);
      return plan.skipped.length > 0 ? EXIT.partial : EXIT.success;
    }
    return runAndPrint(context, (request) => unlessRefused(sync, undoRun(run, app.contextOf(sync, request))), {
      toJson: (report) => ({ ...toRunResult(report), undoes: run, skipped: skippedOf(report) }),
      print: printUndone,
    });
  });
}

/** The changes that an undo skipped; the report names the first of them. */
function skippedOf({ rejections }: RunReport): UndoPreview['skipped'] {
  return rejections.map(({ key = '', code, reason }) => ({ key, code, reason }));
}

function printUndone(report: RunReport): void {
  printRuns([{ ...report, rejections: [] }]);
  printSkipped(report.sync, report.counts.skipped, skippedOf(report));
  const { updated, created, deleted } = report.counts;
  if (updated + created + deleted === 0) return;
  print(
    `\nThe next run of ${report.sync} makes these changes again. To prevent that, fix the source or the config first.`,
  );
}

function printPlan({ run, sync, changes, skipped }: UndoPreview): void {
  for (const change of changes) print(describe(change));
  printSkipped(sync, skipped.length, skipped);
  const count = (op: PlannedUndoing['op']) => changes.filter((change) => change.op === op).length;
  const planned = { 'to delete': count('delete'), 'to restore': count('restore'), 'to create again': count('create') };
  const summary = describeCounts({ ...planned, skipped: skipped.length });
  print(`${colour('bold', `undo of ${run} (${sync})`)}: ${summary || 'nothing to undo'}`);
}

function describe({ op, key, cmsId, differences }: PlannedUndoing): string {
  const [tone, sign] = SIGNS[op];
  const item = cmsId === undefined ? '' : colour('dim', ` (item ${cmsId})`);
  const lines = differences.map((difference) => indent(describeDifference(difference)));
  return [`${colour(tone, `${sign} ${op}`)} ${plain(key)}${item}`, ...lines].join('\n');
}

function printSkipped(sync: string, total: number, skipped: UndoPreview['skipped']): void {
  printList(`${sync}: skipped`, total, skipped, ({ key, code, reason }) => `${key}: ${code} ${reason}`);
}
