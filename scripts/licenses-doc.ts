// Writes docs/development/licenses.md. Needs dist/.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { licensePage } from './packages/licenses.ts';

writeFileSync(join(import.meta.dirname, '../docs/development/licenses.md'), licensePage());
