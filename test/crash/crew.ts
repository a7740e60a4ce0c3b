import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Child, killHard, startFeedferry } from './child.ts';
import type { RoundPlan } from './plan.ts';
import type { Site } from './site.ts';
import { endsWithin } from './until.ts';

const TURNED_CLOCK = import.meta.resolve('./turned-clock.ts');
const REPLACED_AFTER_MS = 100;
/** Longer than a graceful stop may take, on a busy machine too. */
const GRACE_MS = 30_000;

export type Role = 'planner' | 'worker';

/** What is left of a process. */
export interface Finished {
  name: string;
  /** null: it was killed. */
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** Processes that work on a site. Who ends is replaced, as a scheduler or a container's restart policy would. */
export interface Crew {
  /** Kills one of them, if there is one just now. */
  kill(role: Role, nth: number): Promise<boolean>;
  /** Stops one of them for a while, as `docker pause` does, if there is one just now. */
  suspend(role: Role, nth: number, forMs: number): boolean;
  /**
   * Sends all home: planners may finish what they do for a while. Answers how many were killed.
   * @throws Error where a worker does not heed SIGTERM
   */
  end(plan: Pick<RoundPlan, 'patienceMs' | 'ending'>): Promise<Record<Role, number>>;
  finished(): readonly Finished[];
}

interface Post {
  role: Role;
  args: string[];
  child?: Child;
}

export function startCrew({ planners, backfills, workers, turnedClock }: RoundPlan, { dir, variables }: Site): Crew {
  const finished: Finished[] = [];
  const ending = new AbortController();
  const posts: Post[] = [
    ...Array.from({ length: workers }, (): Post => ({ role: 'worker', args: ['worker'] })),
    // Every other planner leaves the accounts to the first, so that two syncs run at once.
    ...Array.from({ length: planners }, (_, index): Post => {
      if (index === 1 && backfills) return { role: 'planner', args: ['backfill', 'events', '--json'] };
      return { role: 'planner', args: ['sync', ...(index % 2 ? ['events'] : []), '--json'] };
    }),
  ];
  const { nth, afterMs, byMs } = turnedClock;
  const turned = posts[nth % posts.length];
  const turnedVariables = {
    TURN_CLOCK: `${afterMs},${byMs}`,
    NODE_OPTIONS: `${variables.NODE_OPTIONS ?? ''} --import=${TURNED_CLOCK}`,
  };
  const wakes: Array<Promise<void>> = [];
  const manned = posts.map(keepManned);
  return { kill, suspend, end, finished: () => finished };

  async function keepManned(post: Post): Promise<void> {
    while (!ending.signal.aborted) {
      const name = `${post.role}-${posts.indexOf(post)}-${finished.length}-${Date.now() % 1e6}`;
      const child = startFeedferry(post.args, join(dir, 'logs', name), {
        ...variables,
        ...(post === turned ? turnedVariables : {}),
      });
      post.child = child;
      const { exitCode } = await child.exited;
      post.child = undefined;
      finished.push({ name, exitCode, stdout: child.stdout(), stderr: child.stderr() });
      await sleep(REPLACED_AFTER_MS, undefined, { signal: ending.signal }).catch(() => undefined);
    }
  }

  async function kill(role: Role, nth: number): Promise<boolean> {
    const living = childrenOf(role);
    const child = living[nth % living.length];
    if (child) await killHard(child);
    return child !== undefined;
  }

  function suspend(role: Role, nth: number, forMs: number): boolean {
    const living = childrenOf(role);
    const child = living[nth % living.length];
    child?.kill('SIGSTOP');
    if (child) wakes.push(sleep(forMs).then(() => child.kill('SIGCONT')));
    return child !== undefined;
  }

  async function end({ patienceMs, ending: signal }: Pick<RoundPlan, 'patienceMs' | 'ending'>) {
    await Promise.all(wakes);
    ending.abort();
    const planner = await sendHome(childrenOf('planner'), patienceMs);
    const workers = childrenOf('worker');
    for (const worker of workers) worker.kill(signal);
    const deaf = await sendHome(workers, GRACE_MS);
    await Promise.all(manned);
    if (deaf > 0) throw new Error(`${deaf} workers did not end within ${GRACE_MS} ms of SIGTERM.`);
    return { planner, worker: signal === 'SIGKILL' ? workers.length : 0 };
  }

  function childrenOf(role: Role): Child[] {
    return posts.flatMap((post) => (post.role === role && post.child ? [post.child] : []));
  }
}

/** Waits until they have ended; who has not in time is killed. */
async function sendHome(children: readonly Child[], patienceMs: number): Promise<number> {
  const killed = await Promise.all(
    children.map(async (child) => {
      if (await endsWithin(child, patienceMs)) return 0;
      await killHard(child);
      return 1;
    }),
  );
  return killed.reduce((sum: number, one) => sum + one, 0);
}
