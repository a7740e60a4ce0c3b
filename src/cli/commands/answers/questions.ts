import { machineUser } from '../../../app/machine-user.ts';
import { siteTime } from '../../../core/dates/site-time.ts';
import { questionsOf } from '../../../queries/syncs/questions.ts';
import type { GivenAnswerView, QuestionView } from '../../../queries/views/question.ts';
import { answerQuestions, askedQuestions, takeBackAnswers } from '../../../sync/questions/questions.ts';
import { type CommandContext, defineCommand, execute } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { outputWidth, plain, print, printJson, wrap } from '../../output/print.ts';
import { selectSync } from '../../select-sync.ts';
import { withLedger } from '../../with-ledger.ts';

export const questionsCommand = defineCommand('questions')
  .argument('<sync>', 'name of a sync file')
  .option('--same [id...]', 'these are the same; without an id, all')
  .option(
    '--distinct [id...]',
    'these are different; without an id, all; also the key of an event that is published as another',
  )
  .option('--take-back <id...>', 'take these answers back')
  .option('--answered', 'list the answers instead of the open questions')
  .option('--note <text>', 'the reason, stored with the answers')
  .action(execute(questions));

interface Options {
  same?: string[] | true;
  distinct?: string[] | true;
  takeBack?: string[];
  answered?: true;
  note?: string;
}

async function questions({ environment, json }: CommandContext, name: string, options: Options): Promise<number> {
  const { config, sync } = selectSync(name, environment);
  const { same, distinct, takeBack = [], answered, note } = options;
  return withLedger(environment, async (ledger) => {
    const context = { ledger, sync };
    const by = { person: machineUser(), ...(note !== undefined && { note }) };
    const before = (await askedQuestions(context)).length;
    if (same) await answerQuestions(same === true ? [] : same, { answer: 'same', ...by }, context);
    if (distinct) await answerQuestions(distinct === true ? [] : distinct, { answer: 'distinct', ...by }, context);
    if (takeBack.length > 0) await takeBackAnswers(takeBack, context);
    const view = await questionsOf(name, { config, ledger }, Number.POSITIVE_INFINITY);
    const { questions: open, answers } = view;
    if (json) {
      printJson(view);
      return EXIT.success;
    }
    if (answered) {
      if (answers.length === 0) print(`${name}: no question was answered.`);
      else for (const answer of answers) print(describeAnswer(answer, config.target.timezone));
      return EXIT.success;
    }
    const stored = before - open.length;
    if (same || distinct || takeBack.length > 0) print(`${name}: ${describeStored(Math.max(1, Math.abs(stored)))}`);
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

function describe({ id, reason, records, waiting }: QuestionView, sync: string): string {
  const waits = waiting === 1 ? '' : ` ${waiting} records wait for the answer.`;
  return [
    `${id}: ${reason}${waits}`,
    ...records.map(({ key, title }) => `  ${plain(title)} (${plain(key)})`),
    `  feedferry questions ${sync} --same ${id}, or --distinct ${id}`,
  ].join('\n');
}

function describeAnswer({ id, about, records, answer, person, at, note }: GivenAnswerView, timezone: string): string {
  const said = answer === 'same' ? 'the same' : 'different';
  const why = note === undefined ? '' : `: ${plain(note)}`;
  const what = records?.map(({ key, title }) => `${title} (${key})`).join(' ~ ') ?? about;
  return `${id}: ${plain(what)}: ${said}; answered by ${plain(person)} at ${siteTime(at, timezone)}${why}`;
}
