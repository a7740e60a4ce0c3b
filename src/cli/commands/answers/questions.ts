import { machineUser } from '../../../app/machine-user.ts';
import { siteTime } from '../../../core/dates/site-time.ts';
import { CodedError } from '../../../core/errors.ts';
import {
  type AskedQuestion,
  answerQuestions,
  askedQuestions,
  type GivenAnswer,
  givenAnswers,
  takeBackAnswers,
} from '../../../sync/merge/questions.ts';
import { type CommandContext, defineCommand, execute } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { outputWidth, plain, print, printJson, wrap } from '../../output/print.ts';
import { selectSync } from '../../select-sync.ts';
import { withLedger } from '../../with-ledger.ts';

export const questionsCommand = defineCommand('questions')
  .argument('<sync>', 'name of a sync file with several sources')
  .option('--same <id...>', 'these are the same event: publish it once')
  .option(
    '--distinct <id...>',
    'these are different events: publish both; also the key of a record that is published as another',
  )
  .option('--take-back <id...>', 'take these answers back')
  .option('--answered', 'list the answers instead of the open questions')
  .option('--note <text>', 'the reason, stored with the answers')
  .action(execute(questions));

interface Options {
  same?: string[];
  distinct?: string[];
  takeBack?: string[];
  answered?: true;
  note?: string;
}

async function questions({ environment, json }: CommandContext, name: string, options: Options): Promise<number> {
  const { config, sync } = selectSync(name, environment);
  if (!sync.sources) {
    throw new CodedError(
      'FF_USAGE',
      `"${name}" has one source, so no event has two. Only syncs with "sources" have questions.`,
    );
  }
  const { same = [], distinct = [], takeBack = [], answered, note } = options;
  return withLedger(environment, async (ledger) => {
    const context = { ledger, sync };
    const by = { person: machineUser(), ...(note !== undefined && { note }) };
    if (same.length > 0) await answerQuestions(same, { answer: 'same', ...by }, context);
    if (distinct.length > 0) await answerQuestions(distinct, { answer: 'distinct', ...by }, context);
    if (takeBack.length > 0) await takeBackAnswers(takeBack, context);
    const changed = same.length + distinct.length + takeBack.length;
    if (answered) {
      const answers = await givenAnswers(context);
      if (json) printJson({ answers });
      else if (answers.length === 0) print(`${name}: no question was answered.`);
      else for (const answer of answers) print(describeAnswer(answer, config.target.timezone));
      return EXIT.success;
    }
    const open = await askedQuestions(context);
    if (json) {
      printJson({ questions: open });
      return EXIT.success;
    }
    if (changed > 0) print(`${name}: ${describeStored(changed)}`);
    const text = open.map((question) => describe(question, name)).join('\n\n');
    print(open.length === 0 ? `${name}: no open questions.` : wrap(text, outputWidth()));
    return EXIT.success;
  });
}

function describeStored(answers: number): string {
  return answers === 1
    ? 'the answer is stored. The next run acts on it.'
    : `${answers} answers are stored. The next run acts on them.`;
}

function describe({ id, reason, records, waiting }: AskedQuestion, sync: string): string {
  const waits = waiting === 1 ? '' : ` ${waiting} records wait for the answer.`;
  return [
    `${id}: ${reason}${waits}`,
    ...records.map(({ key, title }) => `  ${plain(title)} (${plain(key)})`),
    `  feedferry questions ${sync} --same ${id}, or --distinct ${id}`,
  ].join('\n');
}

function describeAnswer({ id, about, records, answer, person, at, note }: GivenAnswer, timezone: string): string {
  const said = answer === 'same' ? 'the same event' : 'different events';
  const why = note === undefined ? '' : `: ${plain(note)}`;
  const what = records?.map(({ key, title }) => `${title} (${key})`).join(' ~ ') ?? about;
  return `${id}: ${plain(what)}: ${said}; answered by ${plain(person)} at ${siteTime(at, timezone)}${why}`;
}
