// node guard.ts FOLDER: waits until the test run that has started it exits, and ends what is left of the run.
import { once } from 'node:events';
import { endRun } from './end.ts';

const [, , folder] = process.argv;
if (!folder) throw new Error('Which folder?');
await once(process.stdin.resume(), 'close');
await endRun(folder);
