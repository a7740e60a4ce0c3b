import { join } from 'node:path';

/** Lets Node cache compiled code, because a test run starts hundreds of processes with the same source. */
export const compileCache = { NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/node-compile') };
