import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { parseSync, Visitor } from 'oxc-parser';
import { check } from 'recheck';
import { expect, test } from 'vitest';
import { loadRecipes } from '../../src/app/drafts/recipes.ts';
import { sha256 } from '../../src/core/hash.ts';
import { isLong } from '../support/long.ts';

/**
 * Hashes of the patterns that `recheck` has found to be linear, because it takes seconds for some. Other patterns are checked, and
 * all of them in the long form, which writes this file.
 */
const PROVEN = 'test/unit/linear-patterns.txt';

/** Texts that others write are not matched there: the config, the command line, the sandbox and its own data. */
const trusted = /^src\/(config|cli|sandbox)\//;

/** Patterns that are built while the program runs, and why they are linear. */
const built: Record<string, string> = {
  'src/mapping/condition.ts': 'those of the config, whose steps are counted',
  'src/core/dates/date-format.ts': 'parts of bounded length',
  'src/app/env-file.ts': 'over the .env file of the operator',
  'src/core/dates/written-forms.ts': 'over texts of at most 80 characters',
  'src/core/text/mojibake.ts': 'alternatives of bounded length; a repetition that has begun ends with a match',
  'src/inference/recipes/recipe.ts':
    'those of the recipes in this package: over at most 4,000 characters, or checked here',
  'src/source/sample/hide-secrets.ts': 'the characters of secrets, each in a few spellings',
  'connectors/csv/assemble-rows.ts':
    'a quoted field ends at the next single quote, after which no other field begins before it',
  'connectors/ical/rules/rule-parts.ts': 'anchored alternatives of bounded length',
};

interface Pattern {
  file: string;
  pattern: string;
  flags: string;
}

function patternsIn(file: string): Pattern[] {
  const patterns: Pattern[] = [];
  const { program } = parseSync(file, readFileSync(file, 'utf8'));
  new Visitor({
    Literal(node) {
      if ('regex' in node) patterns.push({ file, ...node.regex });
    },
  }).visit(program);
  return patterns;
}

/** Returns the patterns of the recipes over web pages. */
function pagePatterns(): Pattern[] {
  return loadRecipes().flatMap(({ name, page }) =>
    page.flatMap(({ text }) => (text ? [{ file: name, pattern: text.source, flags: text.flags }] : [])),
  );
}

function hashOf(text: string): string {
  return sha256(text).slice(0, 16);
}

const files = globSync(['src/**/*.ts', 'connectors/**/*.ts']).filter((file) => !trusted.test(file));

test('Every regular expression over data of others takes linear time', { timeout: 180_000 }, async () => {
  const patterns = [...files.flatMap(patternsIn), ...pagePatterns()];
  expect(patterns.length).toBeGreaterThan(100);
  // Each text once: the check of one takes up to seconds.
  const different = new Map(patterns.map((each) => [`/${each.pattern}/${each.flags}`, each]));
  const proven = new Set(isLong ? [] : readFileSync(PROVEN, 'utf8').split('\n'));
  const slow = [];
  for (const [text, { file, pattern, flags }] of different) {
    if (proven.has(hashOf(text))) continue;
    const result = await check(pattern, flags.replace('v', 'u'), { timeout: 30_000 });
    const found = result.status === 'vulnerable' ? result.complexity.summary : result.status;
    if (found !== 'safe') slow.push(`${file}: ${text} is ${found}`);
  }
  expect(slow).toEqual([]);
  if (isLong) writeFileSync(PROVEN, `${[...different.keys()].map(hashOf).sort().join('\n')}\n`);
});

test('Regular expressions are only built where that is known to be safe', () => {
  const building = files.filter((file) => /RegExp\w*\(/.test(readFileSync(file, 'utf8')));
  expect(building.sort()).toEqual(Object.keys(built).sort());
});
