import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { picturesOfDocs } from '../../../scripts/pictures.ts';
import { terminalPicture } from '../../../scripts/terminal-picture.ts';
import { linksOf, pages, read, root } from './markdown.ts';

const pictures = picturesOfDocs();

test.each([...pictures])('The picture %s is up to date (`npm run dev -- docs:pictures`)', (name, svg) => {
  expect(read(`docs/pictures/${name}`)).toBe(svg);
});

test('Each picture is drawn by the script, and shown in a page', () => {
  expect(readdirSync(join(root, 'docs/pictures')).toSorted()).toEqual([...pictures.keys()].toSorted());
  const shown = pages.flatMap((page) => linksOf(page).map((link) => link.split('/').at(-1)));
  expect([...pictures.keys()].filter((name) => !shown.includes(name))).toEqual([]);
});

test('A picture has each part of a line in its own column, and in its colour', () => {
  const svg = terminalPicture('<1>', '$ a & b\n  + x   partial\n\nFF_BUG y');
  expect(svg.match(/<title>.*|<text.*/g)).toEqual([
    '<title>&lt;1&gt;</title>',
    '<text y="52"><tspan x="20" fill="#8b949e">$</tspan><tspan x="36.8" font-weight="bold">a &amp; b</tspan></text>',
    '<text y="72"><tspan x="36.8" fill="#3fb950">+</tspan><tspan x="53.6">x</tspan><tspan x="87.2" fill="#d29922">partial</tspan></text>',
    '<text y="112"><tspan x="20" fill="#ff7b72">FF_BUG</tspan><tspan x="78.8">y</tspan></text>',
  ]);
});
