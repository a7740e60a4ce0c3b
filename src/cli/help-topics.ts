import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { packageDir } from '../app/version.ts';

/** A page of the documentation in the package. */
export interface Topic {
  name: string;
  title: string;
  text: string;
}

const RECIPES = join('recipes', 'README.md');

/** Reads the pages for users; an empty list if the installation has no docs. */
export function readTopics(docs = join(packageDir(), 'docs')): Topic[] {
  if (!existsSync(docs)) return [];
  const pages = readdirSync(docs).filter((file) => file.endsWith('.md') && file !== 'README.md');
  return [...pages, ...recipePages(docs)].toSorted().map((file) => {
    const text = readFileSync(join(docs, file), 'utf8');
    const name = file === RECIPES ? 'recipes' : basename(file, '.md');
    return { name, title: /^# (.*)$/m.exec(text)?.[1] ?? file, text };
  });
}

/** The list of recipes, and the page of each. */
function recipePages(docs: string): string[] {
  const folder = join(docs, 'recipes');
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return files.filter((file) => file.endsWith('.md')).map((file) => join('recipes', file));
}
