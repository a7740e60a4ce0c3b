import { askingCodes, CodedError } from '../../core/errors.ts';
import { actHere, withOptionsOf } from '../act.ts';
import { type CommandContext, defineCommand, execute } from '../command.ts';
import { withSync } from '../with-app.ts';

const codes = `${askingCodes.slice(0, -1).join(', ')} or ${askingCodes.at(-1)}`;

export const retryCommand = withOptionsOf('retry', defineCommand('retry'))
  .argument('<sync>', 'name of a sync file')
  .argument('[key...]', 'keys of the records (default: all failed, held and pending records)')
  .action(execute(retry));

interface Options {
  same?: true;
  distinct?: true;
  note?: string;
  recreate?: true;
}

async function retry(context: CommandContext, name: string, keys: string[], options: Options): Promise<number> {
  const { same, distinct, note, recreate } = options;
  if (same && distinct) throw new CodedError('FF_USAGE', 'Choose one of --same and --distinct.');
  if (!same && !distinct && note !== undefined) throw new CodedError('FF_USAGE', '--note needs --same or --distinct.');
  if (recreate && keys.length === 0) throw new CodedError('FF_USAGE', '--recreate needs the keys of records.');
  const answer = same ? 'same' : distinct ? 'distinct' : undefined;
  const given = { sync: name, ...(keys.length > 0 && { keys }), answer, note, recreate } as const;
  return withSync(name, context, async (app) => {
    const nothing = answer ? `${name}: no such record is held with ${codes}.` : `${name}: nothing to retry.`;
    return (await actHere('retry', given, app, context, { nothing })).exitCode;
  });
}
