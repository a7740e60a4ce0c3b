import { askingCodes, CodedError } from '../../core/errors.ts';
import { type AlikeAnswer, describeAnswer, retryRun } from '../../sync/runs/retry-run.ts';
import { type CommandContext, defineCommand, execute } from '../command.ts';
import { unlessRefused } from '../output/run-result.ts';
import { runAndPrint, withSync } from '../with-app.ts';

const codes = `${askingCodes.slice(0, -1).join(', ')} or ${askingCodes.at(-1)}`;

export const retryCommand = defineCommand('retry')
  .argument('<sync>', 'name of a sync file')
  .argument('[key...]', 'keys of the records (default: all failed, held and pending records)')
  .option('--same', `records held with ${codes}: they are what they look like; do not create them`)
  .option('--distinct', 'such records: they are different from what they look like; create them')
  .option('--note <text>', 'with --same or --distinct: the reason, stored with the answer')
  .action(execute(retry));

interface Options {
  same?: true;
  distinct?: true;
  note?: string;
}

async function retry(context: CommandContext, name: string, keys: string[], options: Options): Promise<number> {
  const named = keys.length > 0 ? keys : undefined;
  const answer = toAnswer(options);
  return withSync(name, context, (app, sync) => {
    return runAndPrint(
      context,
      (request) => unlessRefused(sync, retryRun(named, app.contextOf(sync, request), answer)),
      {
        asked: { deed: 'retry', reason: answer && describeAnswer(answer) },
        nothing: answer ? `${name}: no such record is held with ${codes}.` : `${name}: nothing to retry.`,
      },
    );
  });
}

function toAnswer({ same, distinct, note }: Options): AlikeAnswer | undefined {
  if (same && distinct) throw new CodedError('FF_USAGE', 'Choose one of --same and --distinct.');
  if (!same && !distinct) {
    if (note !== undefined) throw new CodedError('FF_USAGE', '--note needs --same or --distinct.');
    return undefined;
  }
  return { answer: same ? 'same' : 'distinct', ...(note === undefined ? {} : { note }) };
}
