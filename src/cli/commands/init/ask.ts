import * as prompts from '@clack/prompts';
import { draftTarget, machineTimezone, readTarget } from '../../../app/init/draft-target.ts';
import { type OpenSource, openSource } from '../../../app/init/open-source.ts';
import { isTimeZone } from '../../../core/dates/time-zone.ts';
import type { Answers, Question } from '../../../inference/proposal.ts';
import type { CommandContext } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { plain, print } from '../../output/print.ts';
import type { SandboxVariables } from '../sandbox/sandbox-env-file.ts';
import { describeFound, describeRecords } from './describe.ts';
import { finish } from './finish.ts';
import {
  chooseNames,
  type InitOptions,
  makeReady,
  type ProposedSync,
  proposeSync,
  type ReadySync,
  readRecipes,
} from './init-source.ts';
import { addToEnvFile, checkNewSync } from './write-files.ts';

/** Stream for the questions; standard output is for results. */
const output = process.stderr;

/** Stream of the questions, and the signal that ends them. */
type Asking = Pick<prompts.CommonOptions, 'output' | 'signal'>;

/** Thrown when the user ends the questions. */
class Ended extends Error {}

/** Writes syncs as `init` does, and asks the questions that the feeds leave open. After Ctrl-C, nothing is written. */
export async function initWithQuestions(
  context: CommandContext,
  sources: readonly string[],
  options: InitOptions,
): Promise<number> {
  try {
    return await ask(context, sources, options);
  } catch (error) {
    if (!(error instanceof Ended)) throw error;
    prompts.cancel('Nothing was written.', { output });
    return EXIT.SIGINT;
  }
}

async function ask(context: CommandContext, given: readonly string[], options: InitOptions): Promise<number> {
  const { environment, signal } = context;
  const { configDir: dir } = environment;
  const asking = { output, signal };
  // Some terminals report a width of 0. The prompts would then put each letter on its own line.
  output.columns ||= 80;
  output.rows ||= 24;
  prompts.intro('feedferry init', { output });
  const recipes = readRecipes(options);
  const sources = given.length > 0 ? given : [await askSource(asking)];
  const opened: OpenSource[] = [];
  for (const source of sources) opened.push(await openSource(source, signal));
  const proposed: ProposedSync[] = [];
  for (const source of opened) proposed.push(await proposeSync(source, recipes, {}, signal));
  const names = chooseNames(proposed, options.name);
  for (const name of names) checkNewSync(dir, name, options.force ?? false);
  const existing = readTarget(environment);
  const target = existing ?? draftTarget(environment, await askTimezone(proposed, asking));
  const ready: ReadySync[] = [];
  for (const [index, source] of opened.entries()) {
    const place = { name: names[index] ?? '', dir, target: target.target };
    const repropose = (answers: Answers) => proposeSync(source, recipes, answers, signal);
    ready.push(await askAll(proposed[index] as ProposedSync, repropose, place, signal));
  }
  const variables = existing ? {} : await askCms(context, asking);
  await confirmWriting(asking);
  if (Object.keys(variables).length > 0) print(`Written: ${addToEnvFile(dir, variables)}`, output);
  return finish(context, target, ready);
}

/** Shows the proposed sync and asks its open questions, until no question is left. */
async function askAll(
  first: ProposedSync,
  repropose: (answers: Answers) => Promise<ProposedSync>,
  place: Parameters<typeof makeReady>[1],
  signal: AbortSignal,
): Promise<ReadySync> {
  const { timezone } = place.target;
  let ready = await makeReady(first, place);
  print(`${describeFound(ready, timezone, output)}\n`, output);
  const answers: Record<string, string> = {};
  for (let question = ready.proposal.open[0]; question !== undefined; question = ready.proposal.open[0]) {
    answers[question.id] = await askQuestion(question, { output, signal });
    ready = await makeReady(await repropose(answers), place);
  }
  if (Object.keys(answers).length > 0) print(`${describeRecords(ready, timezone, output)}\n`, output);
  return ready;
}

function askQuestion({ text, choices, safe }: Question, asking: Asking): Promise<string> {
  const options = choices.map(({ value, label }) => ({ value, label: plain(label) }));
  return answerOf(prompts.select({ message: plain(text), options, initialValue: safe, ...asking }));
}

function askSource(asking: Asking): Promise<string> {
  const message = 'Where is the feed? (a path or an address)';
  return answerOf(prompts.text({ message, placeholder: 'events.csv', validate: required, ...asking }));
}

/** Asks for the site's time zone, which no feed contains. Proposes the zone of a feed, because it is the likeliest. */
function askTimezone(proposed: readonly ProposedSync[], asking: Asking): Promise<string> {
  const initialValue = proposed.map(({ sample }) => sample.timezone).find((zone) => zone) ?? machineTimezone();
  const validate = (zone = '') => (isTimeZone(zone) ? undefined : 'Enter an IANA time zone, such as Europe/Berlin.');
  return answerOf(prompts.text({ message: 'In which time zone is the website?', initialValue, validate, ...asking }));
}

/** Asks for the CMS, unless the environment names it. */
async function askCms({ environment }: CommandContext, asking: Asking): Promise<Partial<SandboxVariables>> {
  if (environment.variables.CMS_BASE_URL) return {};
  const options = [
    { value: 'sandbox', label: 'a sandbox on this machine, to try it out' },
    { value: 'address', label: 'I have the address of the CMS' },
  ];
  const kind = await answerOf(prompts.select({ message: 'Where should the records go?', options, ...asking }));
  if (kind === 'sandbox') return {};
  const validate = (url = '') =>
    /^https?:\/\/./.test(url) && URL.canParse(url) ? undefined : 'Enter an http(s) address.';
  const address = { message: 'Address of the site', placeholder: 'https://www.example.org', validate, ...asking };
  const url = await answerOf(prompts.text(address));
  const token = await answerOf(prompts.password({ message: 'API token (empty: set CMS_API_TOKEN later)', ...asking }));
  return { CMS_BASE_URL: url, ...(token ? { CMS_API_TOKEN: token } : {}) };
}

async function confirmWriting(asking: Asking): Promise<void> {
  if (!(await answerOf(prompts.confirm({ message: 'Write the files?', ...asking })))) throw new Ended();
}

async function answerOf<Value>(prompt: Promise<Value>): Promise<Exclude<Value, symbol>> {
  const answer = await prompt;
  if (prompts.isCancel(answer)) throw new Ended();
  return answer as Exclude<Value, symbol>;
}

function required(text = ''): string | undefined {
  return text.trim() === '' ? 'Enter a path or an address.' : undefined;
}
