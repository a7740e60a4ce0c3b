import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { CodedError } from '../../core/errors.ts';
import { didYouMean } from '../../core/suggest.ts';
import { parseRecipe, type Recipe } from '../../inference/recipes/recipe.ts';
import { packageDir } from '../version.ts';

/** All recipes, and the recipe that a person has named. */
export interface KnownRecipes {
  all: readonly Recipe[];
  given?: Recipe;
}

/**
 * Reads the recipes.
 * @param name the recipe that a person has named
 * @throws CodedError FF_USAGE if no recipe has this name
 */
export function readRecipes(name: string | undefined): KnownRecipes {
  const all = loadRecipes();
  return name === undefined
    ? { all }
    : {
        all,
        given: recipeNamed(
          name,
          all.filter(({ feeds }) => feeds.length > 0),
        ),
      };
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
