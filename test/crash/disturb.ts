import { setTimeout as sleep } from 'node:timers/promises';
import type { Crew } from './crew.ts';
import { faultPlan } from './faults.ts';
import type { Disturbance, RoundPlan } from './plan.ts';
import type { Site } from './site.ts';
import type { Story } from './story.ts';
import { nextWrite } from './writes.ts';

/** How often each thing was done. */
export type Done = Record<Disturbance['what'] | 'answer 429' | 'undo commit', number>;

export function nothingDone(): Done {
  return {
    'kill planner': 0,
    'kill worker': 0,
    'suspend planner': 0,
    'suspend worker': 0,
    'restart sandbox': 0,
    'restart redis': 0,
    'flush redis': 0,
    'restart postgres': 0,
    'burst of 429': 0,
    'answer 429': 0,
    'edit feed': 0,
    'turn clock': 0,
    'undo commit': 0,
  };
}

/** There may be nothing left to write. */
const LONGEST_WAIT_MS = 3_000;

/** Carries out what a plan has in store for a site and its crew, and counts it. */
export async function disturb(plan: RoundPlan, crew: Crew, site: Site, done: Done, story: Story): Promise<void> {
  const lastTurns = new Map<string, Promise<void>>();
  for (const disturbance of plan.disturbances) {
    if (disturbance.afterWrite) await nextWrite(site, LONGEST_WAIT_MS);
    await sleep(disturbance.afterMs);
    const victim = victims[disturbance.what];
    // What happens to one of them happens in turn, but none waits for another to come back.
    const turn = (lastTurns.get(victim) ?? Promise.resolve()).then(() => take(disturbance));
    // Its failure is thrown where its turn is awaited.
    turn.catch(() => undefined);
    lastTurns.set(victim, turn);
  }
  await Promise.all(lastTurns.values());

  async function take(disturbance: Disturbance): Promise<void> {
    const { what } = disturbance;
    story.note(what);
    const isDone = await act(disturbance, plan, crew, site);
    if (!isDone) return story.note(`${what}: there was none`);
    done[what] += 1;
    if (what === 'burst of 429') done['answer 429'] += disturbance.times;
  }
}

const victims = {
  'kill planner': 'crew',
  'kill worker': 'crew',
  'suspend planner': 'crew',
  'suspend worker': 'crew',
  'restart sandbox': 'sandbox',
  'burst of 429': 'sandbox',
  'restart redis': 'redis',
  'flush redis': 'redis',
  'restart postgres': 'postgres',
  'turn clock': 'postgres',
  'edit feed': 'source',
} as const satisfies Record<Disturbance['what'], string>;

/** Returns false if there was no process to disturb. */
async function act(disturbance: Disturbance, plan: RoundPlan, crew: Crew, site: Site): Promise<boolean> {
  switch (disturbance.what) {
    case 'kill planner':
      return crew.kill('planner', disturbance.nth);
    case 'kill worker':
      return crew.kill('worker', disturbance.nth);
    case 'suspend planner':
      return crew.suspend('planner', disturbance.nth, disturbance.forMs);
    case 'suspend worker':
      return crew.suspend('worker', disturbance.nth, disturbance.forMs);
    case 'restart sandbox':
      await site.sandbox.restart(disturbance.downMs);
      break;
    case 'burst of 429':
      await site.sandbox.setFaults(faultPlan(plan, disturbance.times));
      break;
    case 'restart redis':
      await site.redis?.restart(disturbance.downMs);
      break;
    case 'flush redis':
      await site.redis?.flushAll();
      break;
    case 'restart postgres':
      await site.postgres?.restart();
      break;
    case 'turn clock':
      await site.ledger.turnClock(disturbance.byMs);
      break;
    case 'edit feed':
      site.source.edit(disturbance.edit);
  }
  return true;
}
