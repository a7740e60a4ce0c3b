import type { RunReport } from '../../core/run.ts';
import { quantity } from '../../core/text/describe-changes.ts';
import { actHere, withOptionsOf } from '../act.ts';
import { type CommandContext, defineCommand, execute } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { asks, isConfirmed } from '../output/confirm.ts';
import { plain, print, printJson, printList } from '../output/print.ts';
import { toRunResult } from '../output/run-result.ts';
import { withSyncOrOrphan } from '../with-app.ts';

export const releaseCommand = withOptionsOf('release', defineCommand('release'))
  .argument('<sync>', 'name of a sync file, or of a sync that no longer has one')
  .option('--yes', 'skip the confirmation')
  .option('--dry-run', 'list the items without forgetting them')
  .action(execute(release));

interface ReleaseOptions {
  reason?: string;
  yes?: boolean;
  dryRun?: boolean;
}

function release(context: CommandContext, name: string, options: ReleaseOptions): Promise<number> {
  const { json, signal } = context;
  return withSyncOrOrphan(name, context, async (app) => {
    const items = (await app.ledger.plans.purgeable(name)).map(({ key, cmsId }) => ({ key, cmsId }));
    if (options.dryRun) {
      if (json) printJson({ sync: name, releases: items });
      else printList(`${name}: to release`, items.length, items, ({ key, cmsId }) => `${plain(key)} (item ${cmsId})`);
      return EXIT.success;
    }
    const effect = `This forgets the records of ${name}; ${items.length} items stay in the CMS and are no longer managed.`;
    const question = { word: name, effect, declined: 'Nothing was released.' };
    if (asks(options) && !(await isConfirmed(question, signal))) return EXIT.failed;
    const { exitCode } = await actHere('release', { sync: name, reason: options.reason }, app, context, {
      toJson: (report) => ({ ...toRunResult(report), released: releasedOf(report) }),
      print: (report) =>
        print(
          report.error
            ? report.error.message
            : `${name}: ${quantity(releasedOf(report).length, 'record')} released. Their items stay in the CMS.`,
        ),
    });
    return exitCode;
  });
}

function releasedOf(report: RunReport & { released?: string[] }): string[] {
  return report.released ?? [];
}
