// Ends with an error, and says why, if the tag in the first argument cannot be released.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { releaseProblems } from './packages/release.ts';

const root = join(import.meta.dirname, '..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
const tag = process.argv[2] ?? `v${manifest.version}`;
const problems = releaseProblems(tag, manifest, changelog, process.env.GITHUB_REPOSITORY);
if (problems.length > 0) {
  console.error(`${tag} cannot be released:\n${problems.map((problem) => `- ${problem}`).join('\n')}`);
  process.exitCode = 1;
}
