import { siteTime } from '../../../core/dates/site-time.ts';
import type { Acknowledged } from '../../../ledger/acknowledgements/acknowledgements.ts';
import { actInLedger, withOptionsOf } from '../../act.ts';
import { type CommandContext, defineCommand, execute } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { plain, print, printJson } from '../../output/print.ts';
import { selectSync } from '../../select-sync.ts';
import { withLedger } from '../../with-ledger.ts';

export const acknowledgeCommand = withOptionsOf('acknowledge', defineCommand('acknowledge'))
  .argument('<sync>', 'name of a sync file')
  .argument('[key...]', 'keys of records with a problem (default: list what is acknowledged)')
  .option('--take-back', 'forget that the problems of these records were acknowledged')
  .action(execute(acknowledge));

interface Options {
  code?: string;
  note?: string;
  takeBack?: true;
}

async function acknowledge(context: CommandContext, name: string, keys: string[], options: Options) {
  const { environment, json } = context;
  const { config, sync } = selectSync(name, environment);
  return withLedger(environment, async (ledger) => {
    const { code, note, takeBack } = options;
    const known = { config, ledger };
    const all = code === undefined ? [] : await ledger.acknowledgements.keysRejectedFor(sync.name, code);
    if (takeBack) await actInLedger('takeBack', { sync: name, keys: [...keys, ...all] }, known, context);
    else if (keys.length > 0 || code !== undefined)
      await actInLedger('acknowledge', { sync: name, ...(keys.length > 0 && { keys }), code, note }, known, context);
    const found = await ledger.acknowledgements.acknowledged(sync.name);
    if (json) printJson({ acknowledged: found });
    else if (found.length === 0) print(`${name}: no problem is acknowledged.`);
    else for (const each of found) print(describe(each, config.target.timezone));
    return EXIT.success;
  });
}

const PROBLEMS: Readonly<Record<Acknowledged['kind'], string>> = {
  rejected: 'rejected',
  withoutFile: 'delivered without a file',
  differs: 'differs in the CMS',
};

function describe({ key, kind, by, at, note }: Acknowledged, timezone: string): string {
  const why = note === undefined ? '' : `: ${plain(note)}`;
  return `${plain(key)}: ${PROBLEMS[kind]}; acknowledged by ${plain(by)} at ${siteTime(at, timezone)}${why}`;
}
