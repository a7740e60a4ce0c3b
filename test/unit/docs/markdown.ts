import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { toAnchor } from '../../../site/anchors.ts';

/** A fenced block of a page. */
export interface Block {
  page: string;
  line: number;
  language: string;
  code: string;
}

export const root = resolve(import.meta.dirname, '../../..');

export const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'test/README.md',
  ...pagesIn('docs'),
];

/** The pages for users. The others are for developers. */
export const userPages = pages.filter((page) => /^(README|docs\/(?!development\/|decisions\/).*)\.md$/.test(page));

export const blocks = pages.flatMap(blocksOf);

/** Returns a file of the repository. */
export function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** Returns a page without its fenced blocks. */
export function proseOf(page: string): string {
  return read(page).replace(/^( *)```.*?^ *```$/gms, '');
}

/** Returns the links and pictures of a page that lead to files and headings of the repository. */
export function linksOf(page: string): string[] {
  const found = proseOf(page)
    .replace(/`[^`\n]*`/g, '`')
    .matchAll(/\]\(([^)\s]+)\)/g);
  return [...found].map(([, link = '']) => link).filter((link) => !/^[a-z]+:/.test(link));
}

/** Returns the anchors of the headings of a page. Those with the same text are numbered. */
export function anchorsOf(page: string): string[] {
  const anchors = [...proseOf(page).matchAll(/^#+ (.*)$/gm)].map(([, text = '']) => toAnchor(text));
  return anchors.map((anchor, index) => {
    const earlier = anchors.slice(0, index).filter((other) => other === anchor).length;
    return earlier === 0 ? anchor : `${anchor}-${earlier}`;
  });
}

function blocksOf(page: string): Block[] {
  const text = read(page);
  const found = text.matchAll(/^( *)```([^\n]*)\n(.*?)^ *```$/gms);
  return [...found].map(({ index, 1: indent = '', 2: language = '', 3: code = '' }) => ({
    page,
    line: text.slice(0, index).split('\n').length,
    language: language.trim(),
    code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }));
}

function pagesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))
    .toSorted();
}
