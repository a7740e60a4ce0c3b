import type { SyncConfig } from '../../config/types.ts';
import { type DayRange, isIsoDate } from '../../core/dates/iso-date.ts';
import { CodedError } from '../../core/errors.ts';
import { syncRun } from '../../sync/runs/sync-run.ts';
import { type CommandContext, defineCommand, execute } from '../command.ts';
import { unlessRefused } from '../output/run-result.ts';
import { runAndPrint, withSync } from '../with-app.ts';

export const backfillCommand = defineCommand('backfill')
  .argument('<sync>', 'name of a sync file')
  .option('--from <date>', 'first day, such as 2019-01-01 (default: no limit)')
  .option('--to <date>', 'last day (default: no limit)')
  .action(execute(backfill));

function backfill(context: CommandContext, name: string, { from, to }: DayRange): Promise<number> {
  return withSync(name, context, async (app, sync) => {
    checkDays(sync, { from, to });
    return runAndPrint(context, (request) => unlessRefused(sync, syncRun(app.contextOf(sync, request), { from, to })), {
      asked: { deed: 'run' },
      isLong: true,
    });
  });
}

/** @throws CodedError FF_USAGE */
function checkDays({ name, resource }: SyncConfig, { from, to }: DayRange): void {
  const wrong = [from, to].find((day) => day !== undefined && !isIsoDate(day));
  if (wrong !== undefined) throw usage(`"${wrong}" is not a calendar date such as 2026-03-01.`);
  if (resource === 'accounts' && (from ?? to) !== undefined) {
    throw usage(`"${name}" syncs accounts, which have no dates. Leave out --from and --to.`);
  }
  if (from !== undefined && to !== undefined && from > to) throw usage(`--from ${from} is after --to ${to}.`);
}

function usage(message: string): CodedError {
  return new CodedError('FF_USAGE', message);
}
