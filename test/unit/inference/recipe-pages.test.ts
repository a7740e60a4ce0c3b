import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadRecipes } from '../../../src/app/drafts/recipes.ts';
import { withRecipeTable } from '../../support/recipe-table.ts';

const folder = join(import.meta.dirname, '../../../docs/recipes');
const recipes = loadRecipes();
const pages = readdirSync(folder)
  .filter((file) => file !== 'README.md')
  .map((file) => file.replace('.md', ''));

// `npm run goldens` writes the table.
test('docs/recipes/README.md lists all recipes, with their pages', async () => {
  const file = join(folder, 'README.md');
  const index = withRecipeTable(readFileSync(file, 'utf8'), recipes, pages);
  expect(index).toContain('| `engage` | Engage |');
  await expect(index).toMatchFileSnapshot(file);
});

test('Each page of a recipe is about one that exists', () => {
  const names = recipes.map(({ name }) => name);
  expect(pages.filter((name) => !names.includes(name))).toEqual([]);
});
