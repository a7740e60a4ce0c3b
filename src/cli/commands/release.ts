import { quantity } from '../../core/text/describe-changes.ts';
import { releaseRun } from '../../sync/runs/release-run.ts';
import { type CommandContext, defineCommand, execute } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { asks, isConfirmed } from '../output/confirm.ts';
import { plain, print, printJson, printList } from '../output/print.ts';
import { toRunResult, unlessRefused } from '../output/run-result.ts';
import { askedHere, exitCodeOf, withSyncOrOrphan } from '../with-app.ts';

export const releaseCommand = defineCommand('release')
  .argument('<sync>', 'name of a sync file, or of a sync that no longer has one')
  .option('--yes', 'skip the confirmation')
  .option('--dry-run', 'list the items without forgetting them')
  .action(execute(release));

function release(context: CommandContext, name: string, options: { yes?: boolean; dryRun?: boolean }): Promise<number> {
  const { json, signal } = context;
  return withSyncOrOrphan(name, context, async ({ ledger, contextOf }, sync) => {
    const items = (await ledger.plans.purgeable(name)).map(({ key, cmsId }) => ({ key, cmsId }));
    if (options.dryRun) {
      if (json) printJson({ sync: name, releases: items });
      else printList(`${name}: to release`, items.length, items, ({ key, cmsId }) => `${plain(key)} (item ${cmsId})`);
      return EXIT.success;
    }
    const effect = `This forgets the records of ${name}; ${items.length} items stay in the CMS and are no longer managed.`;
    const question = { word: name, effect, declined: 'Nothing was released.' };
    if (asks(options) && !(await isConfirmed(question, signal))) return EXIT.failed;
    const asked = askedHere({ deed: 'release' });
    const report = await unlessRefused(sync, releaseRun(contextOf(sync, { signal, asked })));
    const released = 'released' in report ? report.released : [];
    if (json) printJson({ runs: [{ ...toRunResult(report), released }] });
    else
      print(
        report.error
          ? report.error.message
          : `${name}: ${quantity(released.length, 'record')} released. Their items stay in the CMS.`,
      );
    return exitCodeOf([report]);
  });
}
