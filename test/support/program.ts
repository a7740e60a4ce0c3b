import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** The command line as the package ships it: it starts much faster than the source. */
export const MAIN = join(root, 'dist/src/cli/main.js');
