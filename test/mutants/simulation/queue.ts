import { inFile, type Mutant } from '../mutant.ts';

/** Bugs in the queue of one process. */
export const queueMutants: Mutant[] = inFile('src/queue/local.ts', [
  {
    name: 'job-lost-on-retry',
    rule: 'A job comes back until its records are settled',
    before: "return result.is === 'again' ? Math.max(SHORTEST_PAUSE_MS, result.afterMs) : undefined;",
    after: 'return undefined;',
  },
  {
    name: 'job-without-worker-lost',
    rule: 'Jobs wait until there is a worker',
    before: 'start ? start(queued) : waiting.push(queued);',
    after: 'start?.(queued);',
  },
]);
