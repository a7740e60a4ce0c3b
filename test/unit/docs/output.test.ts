import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { blocks, read, root } from './markdown.ts';

const folder = join(root, 'test/fixtures/golden/output');
const goldens = readdirSync(folder)
  .filter((name) => name.endsWith('.80.txt'))
  .map((name) => readFileSync(join(folder, name), 'utf8'));

/** Pages whose commands a test runs from the first to the last. */
const PLAYED = 'docs/first-sync.md';

/** Blocks of text that no golden file has, by their first words, with the reason. */
const exceptions = new Map([
  ['███░', 'the progress of a backfill of thousands of records, at one moment'],
  ['museum: 1202 of', 'a verification of a thousand records with each kind of difference'],
]);

const shown = new Set(blocks.filter(({ language }) => language === 'console').map(({ page }) => page));
shown.delete(PLAYED);

test.each([...shown])('The output in %s is that of the golden files (`npm run goldens` writes it)', async (page) => {
  const updated = read(page).replace(/(?<=^```console\n).*?(?=^```$)/gms, outputOf);
  await expect(updated).toMatchFileSnapshot(join(root, page));
});

/** Returns what a block has to show: the golden file of its command, or some parts of it, with `…` between them. */
function outputOf(block: string): string {
  const [command = ''] = block.split('\n');
  const golden = goldens.find((text) => text.startsWith(`${command}\n`))?.replace(/\n\[exit code \d+\]\n$/, '');
  expect(golden, `no golden file of: ${command}`).toBeDefined();
  const parts = block.split(/^ *…\n/m);
  if (parts.length === 1) return `${golden}`;
  for (const part of parts) expect(`\n${golden}`).toContain(`\n${part}`);
  return block;
}

test('Text without a golden file is an exception with a reason', () => {
  const texts = blocks.filter(({ language }) => language === 'text');
  const isException = ({ code }: { code: string }) => [...exceptions.keys()].some((start) => code.startsWith(start));
  expect(texts.filter((block) => !isException(block))).toEqual([]);
  expect(texts).toHaveLength(exceptions.size);
});
