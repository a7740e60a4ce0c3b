import type { Recipe } from '../../src/inference/recipes/recipe.ts';

/**
 * Returns the index of the recipes with its table.
 * @param pages names of the recipes that have a page
 */
export function withRecipeTable(index: string, recipes: readonly Recipe[], pages: readonly string[]): string {
  const rows = recipes.map(({ name, title, page, feeds }) => {
    const shown = pages.includes(name) ? `[\`${name}\`](${name}.md)` : `\`${name}\``;
    const formats = [...new Set(feeds.map(({ connector }) => connector))].join(', ');
    const none = page.some(({ refused }) => refused) ? 'none' : 'any';
    return `| ${[shown, title, formats || none, page[0]?.such ?? ''].join(' | ')} |`;
  });
  const table = ['| recipe | system | formats | pages that lead to its feeds |', '|---|---|---|---|', ...rows].join(
    '\n',
  );
  return index.replace(
    /(<!-- recipes -->\n).*(<!-- end of recipes -->)/s,
    (_, start, end) => `${start}${table}\n${end}`,
  );
}
