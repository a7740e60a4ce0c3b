import { type DraftSync, draftSync } from '../../../app/init/draft-sync.ts';
import type { OpenSource } from '../../../app/init/open-source.ts';
import { loadRecipes, recipeNamed } from '../../../app/recipes.ts';
import type { TargetConfig } from '../../../config/types.ts';
import type { Answers, Proposal } from '../../../inference/proposal.ts';
import { propose } from '../../../inference/propose/propose.ts';
import { applyRecipe, recognise } from '../../../inference/recipes/apply-recipe.ts';
import type { Recipe } from '../../../inference/recipes/recipe.ts';
import type { FeedSample } from '../../../inference/sample.ts';
import { takeSample } from '../../../source/sample/sample-feed.ts';
import { syncNameOf } from './sync-name.ts';

/** The options of the command line. */
export interface InitOptions {
  yes?: boolean;
  force?: boolean;
  name?: string;
  recipe?: string;
}

/** All recipes, and the recipe that was named on the command line. */
export interface KnownRecipes {
  all: readonly Recipe[];
  given?: Recipe;
}

/** A sample of a feed, and the sync proposed for the feed. */
export interface ProposedSync {
  sample: FeedSample;
  /** The proposal, including the open questions and warnings of the sample. */
  proposal: Proposal;
}

/** A sync that is ready to be written. */
export interface ReadySync extends ProposedSync {
  name: string;
  draft: DraftSync;
}

/** Reads the recipes. @throws CodedError FF_USAGE if no recipe has the given name */
export function readRecipes({ recipe }: InitOptions): KnownRecipes {
  const all = loadRecipes();
  return recipe === undefined ? { all } : { all, given: recipeNamed(recipe, all) };
}

/**
 * Proposes a sync for a feed, with the answers given so far.
 * @throws CodedError FF_USAGE if the given recipe is not for feeds of this format
 */
export async function proposeSync(
  { location, beginning }: OpenSource,
  recipes: KnownRecipes,
  answers: Answers,
  signal: AbortSignal,
): Promise<ProposedSync> {
  const taken = await takeSample(beginning, location, answers, signal);
  const { sample, evidence } = taken;
  const inferred = propose(sample, answers);
  const recipe = recipes.given ?? recognise(sample, recipes.all);
  const proposal = recipe ? applyRecipe(recipe, sample, inferred) : inferred;
  const source = Object.entries(proposal.source).map(([name, guess]) => [
    name,
    Object.hasOwn(evidence, name) && evidence[name] ? { ...guess, evidence: evidence[name] } : guess,
  ]);
  // Questions that were answered are no longer open.
  const open = [...taken.open, ...proposal.open].filter(({ id }) => !Object.hasOwn(answers, id));
  const warnings = [...taken.warnings, ...proposal.warnings];
  return { sample, proposal: { ...proposal, source: Object.fromEntries(source), open, warnings } };
}

/** Drafts the files of a proposed sync, and maps the sample with them. */
export async function makeReady(
  { sample, proposal }: ProposedSync,
  place: { name: string; dir: string; target: TargetConfig },
): Promise<ReadySync> {
  const { name } = place;
  const draft = await draftSync(proposal, sample.records, { ...place, location: sample.url });
  const piped = `Pipe the feed into each command: … | feedferry sync ${name}. Or set source.url in the sync file.`;
  const warnings = [...proposal.warnings, ...(sample.url === '-' ? [piped] : []), ...rejectionWarnings(draft)];
  return { sample, proposal: { ...proposal, warnings }, name, draft };
}

/** Chooses a name for each sync: the given name, or a name from the feed's address, with a number if the name is taken. */
export function chooseNames(proposed: readonly ProposedSync[], given: string | undefined): string[] {
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

function rejectionWarnings({ desired, rejections }: DraftSync): string[] {
  const [first] = rejections;
  if (first === undefined) return [];
  const count = `${rejections.length} of ${desired.length + rejections.length} records would be rejected`;
  return [`${count}. First: ${first.at}: ${first.reason}`];
}
