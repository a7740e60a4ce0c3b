import { join } from 'node:path';
import { type CorrectedSync, correctSync } from '../../../app/init/correct-sync.ts';
import { draftTarget, machineTimezone, readTarget } from '../../../app/init/draft-target.ts';
import type { AccessOptions } from '../../../app/init/feed-access.ts';
import { type OpenSource, openSource, readReach } from '../../../app/init/open-source.ts';
import { type ProposedSync, readRecipes } from '../../../app/init/propose-sync.ts';
import { type ReadySync, requireReady, reviewSync } from '../../../app/init/review-sync.ts';
import { syncNameOf } from '../../../app/init/sync-name.ts';
import { CodedError } from '../../../core/errors.ts';
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
  const drafts: Array<{ source: OpenSource; corrected: CorrectedSync }> = [];
  for (const name of sources) {
    const source = await openSource(name, { ...reach, confirmPrivate: questions?.confirmPrivate });
    drafts.push({ source, corrected: await correctSync(source, recipes, signal, options.set) });
  }
  const proposed = drafts.map(({ corrected }) => corrected.proposed);
  const existing = readTarget(environment);
  const zone = existing ? undefined : await zoneOf(proposed, dir, questions);
  const target = existing ?? draftTarget(environment, zone?.timezone ?? 'UTC');
  const names = chooseNames(proposed, options.name);
  for (const name of names) checkNewSync(dir, name, options.force ?? false);
  const ready: ReadySync[] = [];
  for (const [index, { source, corrected }] of drafts.entries()) {
    const place = { name: names[index] ?? '', dir, target: target.target, variables: reach.variables };
    if (questions) ready.push(await questions.confirmSync({ source, recipes, corrected, place }));
    else {
      const { sample, proposal } = corrected.proposed;
      const warnings = [...proposal.warnings, ...(zone?.warnings ?? [])];
      ready.push(requireReady(await reviewSync({ sample, proposal: { ...proposal, warnings } }, place)));
    }
  }
  if (!json && !questions) for (const sync of ready) print(`${describeFound(sync, target.target.timezone)}\n`);
  return finish(context, target, ready);
}

/** Takes the site's time zone from the feeds, or else from this machine, with a warning; or asks for it. */
async function zoneOf(
  proposed: readonly ProposedSync[],
  dir: string,
  questions?: ReturnType<typeof createQuestions>,
): Promise<{ timezone: string; warnings: string[] }> {
  const named = proposed.map(({ sample }) => sample.timezone).find((zone) => zone !== undefined);
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
  if (name !== undefined && sources.length > 1) {
    return { message: '--name is for one feed.', remedy: 'Run init once for each feed, or leave --name out.' };
  }
  if ((header !== undefined || auth !== undefined) && sources.length > 1) {
    return { message: '--header and --auth are for one feed.', remedy: 'Run init once for each feed.' };
  }
  if (set.length > 0 && sources.length > 1) {
    return { message: '--set is for one feed.', remedy: 'Run init once for each feed.' };
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

/** Chooses a name for each sync: the given name, or a name from the feed's address, with a number if the name is taken. */
function chooseNames(proposed: readonly ProposedSync[], given: string | undefined): string[] {
  if (given !== undefined) return [given];
  const names: string[] = [];
  for (const { sample, proposal } of proposed) {
    const name = syncNameOf(sample.url, proposal.resource.value);
    let free = name;
    for (let number = 2; names.includes(free); number += 1) free = `${name}-${number}`;
    names.push(free);
  }
  return names;
}
