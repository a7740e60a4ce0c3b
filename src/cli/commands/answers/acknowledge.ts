import { machineUser } from '../../../app/machine-user.ts';
import { siteTime } from '../../../core/dates/site-time.ts';
import { CodedError } from '../../../core/errors.ts';
import type { Acknowledged } from '../../../ledger/acknowledgements/acknowledgements.ts';
import { type CommandContext, defineCommand, execute } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { plain, print, printJson } from '../../output/print.ts';
import { selectSync } from '../../select-sync.ts';
import { withLedger } from '../../with-ledger.ts';

export const acknowledgeCommand = defineCommand('acknowledge')
  .argument('<sync>', 'name of a sync file')
  .argument('[key...]', 'keys of records with a problem (default: list what is acknowledged)')
  .option('--code <code>', 'all records that the last reading has rejected with this code')
  .option('--note <text>', 'the reason, stored with the acknowledgement')
  .option('--take-back', 'forget that the problems of these records were acknowledged')
  .action(execute(acknowledge));

interface Options {
  code?: string;
  note?: string;
  takeBack?: true;
}

async function acknowledge({ environment, json }: CommandContext, name: string, keys: string[], options: Options) {
  const { config, sync } = selectSync(name, environment);
  return withLedger(environment, async ({ acknowledgements }) => {
    const { code, note, takeBack } = options;
    const all = code === undefined ? keys : [...keys, ...(await acknowledgements.keysRejectedFor(sync.name, code))];
    const by = { person: machineUser(), ...(note !== undefined && { note }) };
    const change = takeBack ? acknowledgements.takeBack : acknowledgements.acknowledge;
    const isAsked = keys.length > 0 || code !== undefined;
    const changed = isAsked ? await change(sync.name, all, by) : [];
    if (isAsked && changed.length === 0) {
      const what = takeBack ? 'an acknowledged problem' : 'a problem that can be acknowledged';
      throw new CodedError('FF_NOTHING_TO_DO', `None of these records of "${name}" has ${what}.`);
    }
    const found = await acknowledgements.acknowledged(sync.name);
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
