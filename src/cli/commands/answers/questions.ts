import { actionTable } from '../../../app/actions/actions.ts';
import { machineUser } from '../../../app/machine-user.ts';
import { type RecordAnswer, recordAnswers } from '../../../core/errors.ts';
import type { Document } from '../../../documents/document.ts';
import { answerTable, questionsDocument } from '../../../documents/questions.ts';
import { questionsOf } from '../../../queries/syncs/questions.ts';
import { answerQuestions, askedQuestions, takeBackAnswers } from '../../../sync/questions/questions.ts';
import { type CommandContext, defineCommand, execute } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { documentText } from '../../output/as-text.ts';
import { print, printJson } from '../../output/print.ts';
import { selectSync } from '../../select-sync.ts';
import { withLedger } from '../../with-ledger.ts';

export const questionsCommand = defineCommand('questions')
  .argument('<sync>', 'name of a sync file')
  .option('--same [id...]', 'these are the same; without an id, all')
  .option(
    '--distinct [id...]',
    'these are different; without an id, all; also the key of an event that is published as another',
  )
  .option('--publish [id...]', 'these new records are published; without an id, all')
  .option('--leave [id...]', 'these new records are left out for good; without an id, all')
  .option('--take-back <id...>', 'take these answers back')
  .option('--answered', 'list the answers instead of the open questions')
  .option('--note <text>', 'the reason, stored with the answers')
  .action(execute(questions));

interface Options extends Partial<Record<RecordAnswer, string[] | true>> {
  takeBack?: string[];
  answered?: true;
  note?: string;
}

async function questions({ environment, json }: CommandContext, name: string, options: Options): Promise<number> {
  const { config, sync } = selectSync(name, environment);
  const { takeBack = [], answered, note } = options;
  return withLedger(environment, async (ledger) => {
    const context = { ledger, sync };
    const by = { person: machineUser(), ...(note !== undefined && { note }) };
    const before = (await askedQuestions(context)).length;
    const given = recordAnswers.filter((answer) => options[answer] !== undefined);
    for (const answer of given) {
      const ids = options[answer];
      await answerQuestions(Array.isArray(ids) ? ids : [], { answer, ...by }, context);
    }
    if (takeBack.length > 0) await takeBackAnswers(takeBack, context);
    const view = await questionsOf(name, { config, ledger }, Number.POSITIVE_INFINITY);
    const { total, answers } = view;
    const show = (document: Document) => print(documentText(document, config.target.timezone));
    if (json) printJson(view);
    else if (answered) {
      if (answers.length === 0) print(`${name}: no question was answered.`);
      else show({ title: `Answers about ${name}`, blocks: [answerTable(answers, name)] });
    } else {
      if (takeBack.length > 0) print(`${name}: ${actionTable.takeBackAnswers.done}`);
      if (given.length > 0) print(`${name}: ${describeStored(Math.max(1, Math.abs(before - total)))}`);
      show(questionsDocument({ ...view, answers: [] }));
    }
    return EXIT.success;
  });
}

function describeStored(answers: number): string {
  return answers === 1
    ? 'the answer is stored. The next run acts on it.'
    : `${answers} answers are stored. The next run acts on them.`;
}
