import { join } from 'node:path';

/** Lets Node keep what it compiled: a test run starts hundreds of processes of the same source. */
export const compileCache = { NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/node-compile') };
