// Builds dist/: the bundled program, and the types of what package.json exports.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { keepExportedTypes } from './bundle/exported-types.ts';
import { bundle } from './bundle.ts';

await bundle();
execFileSync('tsc', ['-p', 'tsconfig.build.json'], { stdio: 'inherit' });
keepExportedTypes(join(import.meta.dirname, '../dist'));
