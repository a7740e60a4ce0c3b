import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { CodedError } from '../../core/errors.ts';
import { didYouMean } from '../../core/suggest.ts';
import { type Corrections, isWritten, NO_CORRECTIONS } from '../../inference/correct/corrections.ts';
import type { Proposal } from '../../inference/proposal.ts';
import { propose } from '../../inference/propose/propose.ts';
import { applyRecipe, recognise } from '../../inference/recipes/apply-recipe.ts';
import { parseRecipe, type Recipe } from '../../inference/recipes/recipe.ts';
import type { FeedSample } from '../../inference/sample.ts';
import { takeSample } from '../../source/sample/sample-feed.ts';
import { packageDir } from '../version.ts';
import type { OpenSource } from './open-source.ts';

/** All recipes, and the recipe that a person has named. */
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

/**
 * Reads the recipes.
 * @param name the recipe that a person has named
 * @throws CodedError FF_USAGE if no recipe has this name
 */
export function readRecipes(name: string | undefined): KnownRecipes {
  const all = loadRecipes();
  return name === undefined ? { all } : { all, given: recipeNamed(name, all) };
}

/** Reads the recipes of this package: `recipes/NAME.yaml`. */
export function loadRecipes(): Recipe[] {
  const folder = join(packageDir(), 'recipes');
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  return files.toSorted().map((file) => {
    return parseRecipe(basename(file, '.yaml'), parse(readFileSync(join(folder, file), 'utf8')));
  });
}

/** Returns the recipe with this name. @throws CodedError FF_USAGE, with the most similar name, if no recipe has this name */
export function recipeNamed(name: string, recipes: readonly Recipe[]): Recipe {
  const found = recipes.find((recipe) => recipe.name === name);
  if (found) return found;
  const names = recipes.map((recipe) => recipe.name);
  throw new CodedError(
    'FF_USAGE',
    `There is no recipe "${name}"${didYouMean(name, names)}. Recipes: ${names.join(', ')}.`,
  );
}

/**
 * Proposes a sync for a feed, with what a person has answered and corrected so far.
 * @throws CodedError FF_USAGE if the given recipe is not for feeds of this format, or an option of the connector is not valid
 */
export async function proposeSync(
  { location, beginning }: OpenSource,
  recipes: KnownRecipes,
  signal: AbortSignal,
  corrections: Corrections = NO_CORRECTIONS,
): Promise<ProposedSync> {
  const taken = await takeSample(beginning, location, signal, corrections);
  const { sample, evidence } = taken;
  const inferred = propose(sample, corrections);
  const recipe = recipes.given ?? recognise(sample, recipes.all);
  const proposal = recipe ? applyRecipe(recipe, sample, inferred, corrections) : inferred;
  const source = Object.entries(proposal.source).map(([name, guess]) => {
    // What a person has written replaces what the sample was read with.
    if (Object.hasOwn(corrections.lines, `source.${name}`)) return [name, guess];
    const hasVariables = Object.hasOwn(beginning.access.written, name);
    const known = Object.hasOwn(evidence, name) ? evidence[name] : undefined;
    return [name, { ...guess, evidence: known || guess.evidence, hasVariables }];
  });
  // Questions are no longer open if they were answered, or if a person has written their line.
  const isOpen = ({ id, line }: Proposal['open'][number]) =>
    !Object.hasOwn(corrections.answers, id) && !isWritten(corrections, line);
  return {
    sample,
    proposal: {
      ...proposal,
      source: Object.fromEntries(source),
      open: [...taken.open, ...proposal.open].filter(isOpen),
      warnings: [...taken.warnings, ...proposal.warnings],
    },
  };
}
