import type { Command } from 'commander';
import { isIsoDate } from '../../config/schema/scalars.ts';
import type { SyncConfig } from '../../config/types.ts';
import { CodedError } from '../../core/errors.ts';
import { backfillSync } from '../../sync/backfill/backfill.ts';
import { type CommandContext, type CommonOptions, defineCommand, execute } from '../command.ts';
import { runAndPrint } from '../run-and-print.ts';
import { withSync } from '../with-app.ts';

interface BackfillOptions extends CommonOptions {
  from?: string;
  to?: string;
  restart?: boolean;
}

export function backfillCommand(): Command {
  return defineCommand('backfill', 'carry the records of a time over, once; goes on where it was ended')
    .argument('<sync>', 'name of a sync file')
    .option('--from <date>', 'first day, such as 2019-01-01 (default: open)')
    .option('--to <date>', 'last day (default: open)')
    .option('--restart', 'give up a backfill that is not finished, and begin anew')
    .action(execute(backfill));
}

function backfill(context: CommandContext, name: string, options: BackfillOptions): Promise<number> {
  const { from, to, restart = false } = options;
  const days = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  return withSync(
    name,
    context,
    async (app, sync) => {
      checkDays(sync, days);
      return runAndPrint(context, (runOptions) => backfillSync({ ...days, restart }, app.contextOf(sync, runOptions)));
    },
    { background: true },
  );
}

/** @throws CodedError FF_USAGE */
function checkDays({ name, resource }: SyncConfig, days: Pick<BackfillOptions, 'from' | 'to'>): void {
  const { from, to } = days;
  const wrong = [from, to].find((day) => day !== undefined && !isIsoDate(day));
  if (wrong !== undefined) throw usage(`"${wrong}" is not a date that exists, such as 2026-03-01.`);
  if (resource === 'accounts' && (from ?? to) !== undefined) {
    throw usage(`"${name}" is about accounts, which have no days: leave out --from and --to.`);
  }
  if (from !== undefined && to !== undefined && from > to) throw usage(`--from ${from} is after --to ${to}.`);
}

function usage(message: string): CodedError {
  return new CodedError('FF_USAGE', message);
}
