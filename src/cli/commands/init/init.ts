import { join } from 'node:path';
import { type Draft, type DraftOrigin, type ReadyDraft, requireReady } from '../../../app/drafts/draft.ts';
import { draftTarget, machineTimezone, readTarget } from '../../../app/drafts/draft-target.ts';
import type { AccessOptions } from '../../../app/drafts/feed-access.ts';
import { newDraft } from '../../../app/drafts/new-draft.ts';
import { openSource, readReach } from '../../../app/drafts/open-source.ts';
import { readRecipes } from '../../../app/drafts/recipes.ts';
import { CodedError } from '../../../core/errors.ts';
import { correct, parseCorrection } from '../../../inference/correct/correct.ts';
import { NO_CORRECTIONS } from '../../../inference/correct/corrections.ts';
import { fieldPaths } from '../../../inference/review/review.ts';
import { type CommandContext, defineCommand, execute } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { asks } from '../../output/confirm.ts';
import { print } from '../../output/print.ts';
import type { createQuestions } from './ask.ts';
import { describeFound } from './describe.ts';
import { finish } from './finish.ts';
import { checkNewSync } from './write-files.ts';

/** The options of the command line. */
interface InitOptions extends AccessOptions {
  yes?: boolean;
  force?: boolean;
  name?: string;
  recipe?: string;
  set?: readonly string[];
}

export const initCommand = defineCommand('init')
  .argument('[source...]', 'paths or addresses of feeds, or - for standard input')
  .option('--yes', 'ask nothing: take the safe side of open questions, and list them')
  .option('--name <name>', 'name of the sync (default: from the file or the address)')
  .option(
    '--recipe <name>',
    'take the feed for one of this system (default: recognised); `feedferry help recipes` lists them',
  )
  .option(
    '--set <line>',
    'correct a line of the proposed sync, such as "start: [Datum, Uhrzeit]" or "location: null"; may be repeated',
    (line: string, earlier: readonly string[]): readonly string[] => [...earlier, line],
    [],
  )
  .option(
    '--header <header>',
    "a header for the server of the feed, with its secret in a variable: 'X-Api-Key: ${FEED_KEY}'; may be repeated",
    (header: string, earlier: readonly string[] = []): readonly string[] => [...earlier, header],
  )
  .option('--auth <auth>', "credentials for the server of the feed: 'USER:${FEED_PASSWORD}', or 'bearer ${FEED_TOKEN}'")
  .option('--force', 'overwrite the files of a sync of that name')
  .action(execute(init));

async function init(context: CommandContext, sources: string[], options: InitOptions): Promise<number> {
  const isAsking = asks(options);
  const mistake = usageMistake(sources, options, isAsking);
  if (mistake) throw new CodedError('FF_USAGE', mistake.message, { remedy: mistake.remedy });
  try {
    const questions = isAsking ? (await import('./ask.ts')).createQuestions(context.signal) : undefined;
    return await propose(context, sources, options, questions);
  } catch (error) {
    if (!(isAsking && error instanceof (await import('./ask.ts')).Ended)) throw error;
    print('Nothing was written.', process.stderr);
    return EXIT.SIGINT;
  }
}

/** @param questions what is asked on a terminal; absent: open questions take the safe side */
async function propose(
  context: CommandContext,
  sources: readonly string[],
  options: InitOptions,
  questions?: ReturnType<typeof createQuestions>,
): Promise<number> {
  const { environment, signal, json } = context;
  const { configDir: dir } = environment;
  const recipes = readRecipes(options.recipe);
  const reach = readReach(environment, options, signal);
  const existing = readTarget(environment);
  let target = existing ?? draftTarget(environment, 'UTC');
  const place = () => ({ dir, target: target.target, variables: reach.variables });
  const drafts: Array<{ origin: DraftOrigin; draft: Draft }> = [];
  for (const name of sources) {
    const source = await openSource(name, { ...reach, confirmPrivate: questions?.confirmPrivate });
    const isTaken = (free: string) => drafts.some(({ draft }) => draft.name === free);
    const origin = newDraft(source, recipes, () => ({ ...place(), isTaken }));
    drafts.push({ origin, draft: await corrected(origin, options, signal) });
  }
  const zone = existing ? undefined : await zoneOf(drafts, dir, questions);
  if (zone) target = draftTarget(environment, zone.timezone);
  for (const { draft } of drafts) checkNewSync(dir, draft.name, options.force ?? false);
  const ready: ReadyDraft[] = [];
  for (const { origin, draft } of drafts) {
    const zoned = zone ? await origin.make(draft.said, signal, draft.name) : draft;
    if (questions) ready.push(await questions.confirmSync(zoned, origin, place()));
    else ready.push(withWarnings(requireReady(zoned), zone?.warnings ?? []));
  }
  if (!json && !questions) for (const draft of ready) print(`${describeFound(draft, target.target.timezone)}\n`);
  return finish(context, target, ready);
}

/** Drafts a sync with the corrections of the command line. Other options of the connector give other fields, which the next may name. */
async function corrected(origin: DraftOrigin, { set = [], name }: InitOptions, signal: AbortSignal): Promise<Draft> {
  let draft = await origin.make(NO_CORRECTIONS, signal, name);
  for (const text of set) {
    const said = correct(draft.said, parseCorrection(text), fieldPaths(draft.sample));
    draft = await origin.make(said, signal, name);
  }
  return draft;
}

function withWarnings(draft: ReadyDraft, more: readonly string[]): ReadyDraft {
  const { proposal } = draft;
  return { ...draft, proposal: { ...proposal, warnings: [...more, ...proposal.warnings] } };
}

/** Takes the site's time zone from the feeds, or else from this machine, with a warning; or asks for it. */
async function zoneOf(
  drafts: ReadonlyArray<{ draft: Draft }>,
  dir: string,
  questions?: ReturnType<typeof createQuestions>,
): Promise<{ timezone: string; warnings: string[] }> {
  const named = drafts.map(({ draft }) => draft.sample.timezone).find((zone) => zone !== undefined);
  if (questions) return { timezone: await questions.askTimezone(named ?? machineTimezone()), warnings: [] };
  if (named !== undefined) return { timezone: named, warnings: [] };
  const timezone = machineTimezone();
  const file = join(dir, 'feedferry.yaml');
  const warning = `The site is taken to be in the time zone of this machine, ${timezone}. If it is not, correct target.timezone in ${file}.`;
  return { timezone, warnings: [warning] };
}

function usageMistake(
  sources: readonly string[],
  { yes = false, name, set = [], header, auth }: InitOptions,
  isAsking: boolean,
): { message: string; remedy: string } | undefined {
  if (!yes && !isAsking) {
    const remedy = 'Write: `feedferry init SOURCE --yes`. Open questions then become comments in the sync file.';
    return { message: 'init asks questions, and there is no terminal to ask them on.', remedy };
  }
  if (sources.length === 0) {
    const remedy = 'Write: `feedferry init SOURCE`, with a path or an address.';
    return { message: 'init needs a feed.', remedy };
  }
  const single = Object.entries({ '--name': name, '--header': header, '--auth': auth, '--set': set[0] });
  const [option] = single.find(([, given]) => given !== undefined) ?? [];
  if (option !== undefined && sources.length > 1) {
    return { message: `${option} is for one feed.`, remedy: 'Run init once for each feed, or leave the option out.' };
  }
  if (name !== undefined && !/^\w[\w.-]*$/.test(name)) {
    const remedy = 'Use letters, digits, "-", "_" and ".", such as --name museum-events.';
    return { message: `"${name}" cannot be the name of a sync.`, remedy };
  }
  if (sources.filter((source) => source === '-').length > 1) {
    return { message: 'Standard input is one feed.', remedy: 'Give - only once.' };
  }
  return undefined;
}
