import type { Mutant } from '../mutant.ts';
import { cmsMutants } from './cms.ts';
import { ledgerMutants } from './ledger.ts';
import { limitMutants } from './limits.ts';
import { outsideMutants } from './outside.ts';
import { queueMutants } from './queue.ts';
import { strangeWorldMutants } from './strange-world.ts';
import { syncMutants } from './sync.ts';

/** Bugs of the product, each of which breaks a promise that it makes: never doubled, never lost, never wrongly deleted. */
export const simulationMutants: Mutant[] = [
  ...syncMutants,
  ...ledgerMutants,
  ...limitMutants,
  ...cmsMutants,
  ...queueMutants,
  ...strangeWorldMutants,
  ...outsideMutants,
];
