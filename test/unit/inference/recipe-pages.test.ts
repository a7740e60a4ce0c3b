import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadRecipes } from '../../../src/app/drafts/recipes.ts';
import { withSyncFiles } from '../../support/recipe-snippets.ts';

const pages = join(import.meta.dirname, '../../../docs/recipes');
const samples = join(import.meta.dirname, '../../fixtures/recipes');
const recipes = loadRecipes();

describe('docs/recipes', () => {
  // `npm run goldens` writes the sync files into the pages.
  test.each(recipes)('$name.md shows the sync that the recipe makes', async (recipe) => {
    const file = join(pages, `${recipe.name}.md`);
    const page = readFileSync(file, 'utf8');
    const whole = await withSyncFiles(page, recipe, samples);
    expect(whole).toContain(`# config/syncs/${recipe.name}`);
    await expect(whole).toMatchFileSnapshot(file);
  });

  test('has a page for each recipe, and each is in the index', () => {
    const index = readFileSync(join(pages, 'README.md'), 'utf8');
    const listed = [...index.matchAll(/^\| \[`([^`]+)`\]\(([^)]+)\)/gm)].map(([, name, page]) => ({ name, page }));
    const wanted = recipes.map(({ name }) => ({ name, page: `${name}.md` }));
    expect(listed.toSorted((a, b) => (a.name! < b.name! ? -1 : 1))).toEqual(wanted);
    expect(readdirSync(pages).toSorted()).toEqual(['README.md', ...wanted.map(({ page }) => page)].toSorted());
  });
});
