import type { Done } from '../disturb.ts';
import { STRIKES_ON_UPLOADS } from '../faults.ts';
import { CONCURRENCY } from '../place.ts';
import { MOST_PLANNERS, type RoundPlan } from '../plan.ts';
import type { Site } from '../site.ts';
import type { Finding } from './finding.ts';

/** Uploads of what had been uploaded before, and how many of them nothing excuses. */
export interface Repetitions {
  repeated: number;
  beyondNeed: number;
}

/**
 * Counts the files that were uploaded more than once. Those that were on their way when something was killed or that a fault
 * struck are excused: it is unknown whether they arrived, and a second copy does no harm.
 */
export async function countRepetitions(
  { source, sandbox, redis }: Site,
  done: Done,
  { mishap }: RoundPlan,
): Promise<Repetitions> {
  const { 'POST /calendar/upload': uploads = 0 } = await sandbox.requests();
  const repeated = Math.max(0, uploads - source.pictures());
  const excused = onTheirWay(done, redis ? 1 : MOST_PLANNERS) + struck(done);
  // Another ledger does not know what was uploaded.
  const forgotten = /ledger|CMS/.test(mishap.what) ? source.pictures() : 0;
  return { repeated, beyondNeed: Math.max(0, repeated - excused - forgotten) };
}

export function checkUploads({ repeated, beyondNeed }: Repetitions): Finding[] {
  if (beyondNeed === 0) return [];
  return [{ is: 'other', what: `${repeated} uploads were repeated, ${beyondNeed} of them for no reason` }];
}

/** @param shares over Redis the limit holds for all processes together, in process for each planner */
function onTheirWay(done: Done, shares: number): number {
  const ofAll = done['restart sandbox'] + done['restart postgres'];
  return CONCURRENCY * (done['kill planner'] + done['kill worker'] + ofAll * shares);
}

/** The counts of faults start again whenever faults are set. */
function struck(done: Done): number {
  return STRIKES_ON_UPLOADS * (1 + done['burst of 429'] + done['restart sandbox']) + done['answer 429'];
}
