import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commands } from './docs/command-lines.ts';
import { anchorsOf, linksOf, pages, proseOf, read, root, userPages } from './docs/markdown.ts';

describe('The docs', () => {
  test('link to files and headings that exist', () => {
    const links = pages.flatMap((page) => linksOf(page).map((link) => ({ page, link })));
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter(isBroken)).toEqual([]);
  });

  test('name source files only in the pages for developers', () => {
    expect(userPages.filter((page) => /(?<![\w/])(src|connectors)\/\w/.test(read(page)))).toEqual([]);
  });

  test('have one title a page, and no level of headings left out', () => {
    for (const page of pages) {
      const levels = [...proseOf(page).matchAll(/^(#+) /gm)].map(([, marks = '']) => marks.length);
      const skipped = levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1);
      expect({ page, first: levels[0], titles: levels.filter((level) => level === 1).length, skipped }).toEqual({
        page,
        first: 1,
        titles: 1,
        skipped: [],
      });
    }
  });
});

describe('README.md', () => {
  test('is two screens long', () => expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(90));
});

describe('docs/README.md', () => {
  test('has one entry for each page', () => {
    const targets = linksOf('docs/README.md').map((link) => relative('.', join('docs', link)));
    expect(targets.filter((target, index) => targets.indexOf(target) !== index)).toEqual([]);
    // The recipes have a list of their own.
    const isListed = (page: string) => targets.includes(page) || /^docs\/recipes\/(?!README)/.test(page);
    expect(pages.filter((page) => page !== 'docs/README.md' && page !== 'CHANGELOG.md' && !isListed(page))).toEqual([]);
  });
});

test('docs/recipes/README.md has one entry for each recipe', () => {
  const recipes = pages.filter((page) => /^docs\/recipes\/(?!README)/.test(page));
  const listed = linksOf('docs/recipes/README.md').filter((link) => !link.startsWith('.'));
  expect(listed.map((link) => `docs/recipes/${link}`).toSorted()).toEqual(recipes.toSorted());
});

test('docs/sandbox.md names all options of the sandbox', () => {
  const page = read('docs/sandbox.md');
  const options = commands.get('sandbox')?.options.map(({ long }) => long ?? '') ?? [];
  const own = options.filter((option) => !['--config', '--json', '--help'].includes(option));
  expect(own.length).toBeGreaterThan(10);
  expect(own.filter((option) => !page.includes(option) && !page.includes(asSwitch(option)))).toEqual([]);
});

/** `--last-page` is shown as the switch `lastPage`. */
function asSwitch(option: string): string {
  return `\`${option.slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}\``;
}

function isBroken({ page, link }: { page: string; link: string }): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (!existsSync(join(root, target))) return true;
  return anchor !== undefined && !anchorsOf(target).includes(anchor);
}
