import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** The command line as it is published, which starts much faster than the source. */
export const MAIN = join(root, 'dist/src/cli/main.js');
