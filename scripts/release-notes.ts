// Prints the section of CHANGELOG.md for the tag in the first argument.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { releaseNotes } from './packages/release.ts';

const [tag = ''] = process.argv.slice(2);
const notes = releaseNotes(tag, readFileSync(join(import.meta.dirname, '../CHANGELOG.md'), 'utf8'));
if (notes === undefined) throw new Error(`CHANGELOG.md has no section for ${tag}.`);
console.log(notes);
