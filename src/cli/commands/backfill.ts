import type { Command } from 'commander';
import type { SyncConfig } from '../../config/types.ts';
import { isIsoDate } from '../../core/dates/iso-date.ts';
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
  return defineCommand('backfill', 'import a date range once; resumes if interrupted')
    .argument('<sync>', 'name of a sync file')
    .option('--from <date>', 'first day, such as 2019-01-01 (default: no limit)')
    .option('--to <date>', 'last day (default: no limit)')
    .option('--restart', 'discard an unfinished backfill and start again')
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
function checkDays({ name, resource }: SyncConfig, { from, to }: Pick<BackfillOptions, 'from' | 'to'>): void {
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
