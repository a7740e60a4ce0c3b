import { CodedError, codesAnsweredBy, type RecordAnswer, recordAnswers } from '../../core/errors.ts';
import { actHere, withOptionsOf } from '../act.ts';
import { type CommandContext, defineCommand, execute } from '../command.ts';
import { withSync } from '../with-app.ts';

const flags = recordAnswers.map((answer) => `--${answer}`).join(', ');

export const retryCommand = withOptionsOf('retry', defineCommand('retry'))
  .argument('<sync>', 'name of a sync file')
  .argument('[key...]', 'keys of the records (default: all failed, held and pending records)')
  .action(execute(retry));

interface Options extends Partial<Record<RecordAnswer, true>> {
  note?: string;
  recreate?: true;
}

async function retry(context: CommandContext, name: string, keys: string[], options: Options): Promise<number> {
  const { note, recreate } = options;
  const [answer, ...others] = recordAnswers.filter((each) => options[each]);
  if (others.length > 0) throw new CodedError('FF_USAGE', `Choose one of ${flags}.`);
  if (!answer && note !== undefined) throw new CodedError('FF_USAGE', `--note needs one of ${flags}.`);
  if (recreate && keys.length === 0) throw new CodedError('FF_USAGE', '--recreate needs the keys of records.');
  const given = { sync: name, ...(keys.length > 0 && { keys }), answer, note, recreate } as const;
  return withSync(name, context, async (app) => {
    const nothing = answer
      ? `${name}: no such record is held with ${codesAnsweredBy[answer].join(' or ')}.`
      : `${name}: nothing to retry.`;
    return (await actHere('retry', given, app, context, { nothing })).exitCode;
  });
}
