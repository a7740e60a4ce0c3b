import { machineUser } from '../../../app/machine-user.ts';
import { siteTime } from '../../../core/dates/site-time.ts';
import { CodedError } from '../../../core/errors.ts';
import {
  type AskedQuestion,
  answerQuestions,
  askedQuestions,
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
  .option('--distinct <id...>', 'these are different events: publish both')
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
      if (json) printJson({ answers: answers.map(({ about: _, ...answer }) => answer) });
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

/** Why a person is asked, as a sentence. */
const REASONS: Readonly<Record<AskedQuestion['why'], string>> = {
  places:
    'They are at the same time, but at places with different names. The answer holds for all events at these two places.',
  noPlace: 'They are at the same time, but one of them names no place.',
  allDay: 'They are on the same day, but one of them lasts all day.',
  series: 'They are at the same time, but one of them belongs to a series. The answer holds for the whole series.',
  several: 'They are at the same time and place, but a source has several such events.',
  withdrawn:
    'The better source has cancelled it or made it private; the other one still has it. If it is the same event, it is not published.',
  moved: 'They were the same event, and one of them has changed its title, day, time or place.',
};

function describe({ id, why, records, waiting }: AskedQuestion, sync: string): string {
  const waits = waiting === 1 ? '' : ` ${waiting} records wait for the answer.`;
  return [
    `${id}: ${REASONS[why]}${waits}`,
    ...records.map(({ key, title }) => `  ${plain(title)} (${plain(key)})`),
    `  feedferry questions ${sync} --same ${id}, or --distinct ${id}`,
  ].join('\n');
}

function describeAnswer(
  { id, about, answer, person, at, note }: Awaited<ReturnType<typeof givenAnswers>>[number],
  timezone: string,
): string {
  const said = answer === 'same' ? 'the same event' : 'different events';
  const why = note === undefined ? '' : `: ${plain(note)}`;
  return `${id}: ${plain(about.replace(/^\w+: /, ''))}: ${said}; answered by ${plain(person)} at ${siteTime(at, timezone)}${why}`;
}
