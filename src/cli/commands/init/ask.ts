import * as prompts from '@clack/prompts';
import { type CorrectedSync, correctSync } from '../../../app/init/correct-sync.ts';
import { draftTarget, readTarget } from '../../../app/init/draft-target.ts';
import { type OpenSource, readReach } from '../../../app/init/open-source.ts';
import { readRecipes } from '../../../app/init/propose-sync.ts';
import type { CommandContext } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { print } from '../../output/print.ts';
import { openAsking } from './ask-access.ts';
import { askCms, askSource, askTimezone } from './ask-place.ts';
import { Ended } from './asking.ts';
import { chooseNames, type InitOptions } from './choose-names.ts';
import { finish } from './finish.ts';
import { askQuestions, beginReview, confirmSyncs, type SyncInReview } from './review.ts';
import { addToEnvFile, checkNewSync } from './write-files.ts';

/** Stream for the questions; standard output is for results. */
const output = process.stderr;

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
  const recipes = readRecipes(options.recipe);
  const sources = given.length > 0 ? given : [await askSource(asking)];
  const corrected: CorrectedSync[] = [];
  const opened: OpenSource[] = [];
  const reach = readReach(environment, options, signal);
  const secrets: Record<string, string> = {};
  for (const source of sources) {
    const open = await openAsking(source, reach, secrets, asking);
    opened.push(open);
    corrected.push(await correctSync(open, recipes, signal, options.set));
  }
  const proposed = corrected.map((one) => one.proposed);
  const names = chooseNames(proposed, options.name);
  for (const name of names) checkNewSync(dir, name, options.force ?? false);
  const existing = readTarget(environment);
  const target = existing ?? draftTarget(environment, await askTimezone(proposed, asking));
  const syncs: SyncInReview[] = [];
  const variables = { ...reach.variables, ...secrets };
  for (const [index, source] of opened.entries()) {
    const place = { name: names[index] ?? '', dir, target: target.target, variables };
    const sync = await beginReview({ source, recipes, place }, corrected[index] as CorrectedSync, asking);
    syncs.push(await askQuestions(sync, asking));
  }
  const asked = { ...secrets, ...(existing ? {} : await askCms(context, asking)) };
  const ready = await confirmSyncs(syncs, asking);
  if (Object.keys(asked).length > 0) print(`Written: ${addToEnvFile(dir, asked)}`, output);
  return finish(context, target, ready);
}
