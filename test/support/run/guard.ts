// node guard.ts FOLDER: waits until the test run that started this guard exits, and ends the processes that are left.
import { once } from 'node:events';
import { endRun } from './end.ts';

const [, , folder] = process.argv;
if (!folder) throw new Error('Which folder?');
await once(process.stdin.resume(), 'close');
await endRun(folder);
