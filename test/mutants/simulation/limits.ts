import { inFile, type Mutant } from '../mutant.ts';

/** Bugs in the limits, pauses and stops that all processes share. */
export const limitMutants: Mutant[] = [
  ...inFile('src/limits/leased-share.ts', [
    {
      name: 'permits-given-twice',
      rule: 'The leases of all processes never add up to more than the limit',
      before: 'runtime.isGone(lease.holder)',
      after: 'true',
    },
    {
      name: 'permits-in-use-given-away',
      rule: 'A process that has to give up permits which its requests still use records them as granted until they are free',
      before: 'granted: Math.max(permits, inUse())',
      after: 'granted: permits',
    },
  ]),
  ...inFile('src/limits/leased-share.ts', [
    {
      name: 'share-of-what-others-still-have',
      rule: 'A process never uses more permits than the others leave',
      before: 'Math.max(0, Math.min(shareOf(total(), senders.length + 1, index, Math.floor(now / TURN_MS)), left))',
      after: 'shareOf(total(), senders.length + 1, index, Math.floor(now / TURN_MS))',
    },
  ]),
  ...inFile('src/limits/permits.ts', [
    {
      name: 'one-request-too-many',
      rule: 'At most `concurrency` requests are in flight',
      before: 'inUse < Math.min(permits, total())',
      after: 'inUse <= Math.min(permits, total())',
    },
  ]),
  ...inFile('src/limits/target-view.ts', [
    {
      name: 'pause-ignored',
      rule: 'No request is sent while the CMS has asked for a pause',
      before: 'return !pause && !stop;',
      after: 'return !stop;',
    },
  ]),
  ...inFile('src/limits/circuit-breaker.ts', [
    {
      name: 'resumed-without-a-probe',
      rule: 'After a pause, one request tests whether the CMS has recovered',
      before: 'if (isOpen(state)) {',
      after: 'if (isOpen(state) || (state.pause && state.pause.forMs <= 0)) {',
    },
    {
      name: 'pause-never-ended',
      rule: 'A probe that the CMS answers ends the pause',
      before: 'return change(store.resume(targetId, epoch));',
      after: 'return change(store.endProbe(targetId, epoch));',
    },
  ]),
];
