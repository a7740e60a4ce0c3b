import type { RunReport } from '../../src/core/run.ts';
import type { RunContext } from '../../src/sync/context/run-context.ts';
import { SYNC } from './plan/settings.ts';
import { type Feedferry, type Surroundings, startFeedferry } from './world/feedferry.ts';
import { createMachine, type Machine } from './world/machine.ts';
import type { World } from './world/world.ts';

interface Slot {
  nth: number;
  started?: Promise<Feedferry>;
  machine?: Machine;
}

/** How a command is given: with the config that adopts items, or for another sync. */
export interface CommandOptions {
  adopt?: boolean;
  sync?: string;
}

/** How a command ended; a command whose process was killed never does. */
export interface Ended {
  command: string;
  report?: RunReport;
  error?: unknown;
}

/** Looks at each command when it has ended. */
type EndWatch = (ended: Ended & { sync: string; begunAt: number }) => void;

/** The processes of feedferry, which are killed and started again. */
export type Crew = ReturnType<typeof createCrew>;

export function createCrew(
  world: World,
  surroundings: Surroundings,
  { processes, oneHost, rates }: { processes: number; oneHost: boolean; rates: number[] },
) {
  const machines: Machine[] = [];
  const slots: Slot[] = Array.from({ length: processes }, (_, nth) => ({ nth }));
  const ended: Ended[] = [];
  /** The commands that were given, also to processes that have not begun them. */
  const commanded = new Set<string>();
  let watch: EndWatch | undefined;
  return { machines, ended, watchWith, commanded, machineOf, start, command, exit };

  function watchWith(next: EndWatch): void {
    watch = next;
  }

  function slotOf(nth: number): Slot {
    return slots[nth % slots.length] as Slot;
  }

  /** The process that is running at a place, if there is one. */
  function machineOf(nth: number): Machine | undefined {
    const { machine } = slotOf(nth);
    return machine?.isAlive() ? machine : undefined;
  }

  /** Returns the process at a place; starts one if there is none. */
  function start(nth: number): Promise<Feedferry> {
    const slot = slotOf(nth);
    if (slot.machine?.isAlive() && slot.started) return slot.started;
    const name = `${'ABCDEFG'[slot.nth]}${machines.length + 1}`;
    const host = oneHost ? 'host' : `host${slot.nth}`;
    const isGone = (holder: string) =>
      machines.some(
        (other) => holder.startsWith(other.holder) && !other.isAlive() && other.holder.startsWith(`${host}/`),
      );
    const machine = createMachine(world, { name, host, rate: rates[slot.nth] ?? 1, aheadMs: 0, isGone });
    machines.push(machine);
    slot.machine = machine;
    world.tell(() => `${name} starts`);
    machine.onKill.push(() => world.tell(() => `${name} is killed`));
    slot.started = startFeedferry(machine, surroundings);
    // A process that is killed while it starts never does; one that cannot start exits.
    slot.started.catch(machine.kill);
    return slot.started;
  }

  /** Lets a process end as it should. */
  async function exit(nth: number, name: string): Promise<void> {
    const ferry = await start(nth);
    await ferry.close();
    ferry.machine.kill();
    ended.push({ command: name });
  }

  /** Lets a process do something; `ended` tells how it ended, if it did. */
  async function command(
    nth: number,
    name: string,
    work: (context: RunContext) => Promise<RunReport | undefined>,
    options?: CommandOptions,
  ): Promise<void> {
    commanded.add(name);
    const begunAt = world.now();
    const tell = (what: string) => world.tell(() => `${slotOf(nth).machine?.name}: ${name}${what}`);
    try {
      const ferry = await start(nth);
      const sync = surroundings.configOf(options).syncs.find((each) => each.name === (options?.sync ?? SYNC));
      if (!sync) return;
      const context = ferry.contextOf(sync, { signal: new AbortController().signal });
      tell('');
      const report = await work(context);
      tell(` ended: ${report ? describe(report) : 'nothing to do'}`);
      ended.push({ command: name, report });
      watch?.({ command: name, report, sync: sync.name, begunAt });
    } catch (error) {
      tell(` failed: ${error}`);
      ended.push({ command: name, error });
    }
  }
}

function describe({ status, counts, error, problems }: RunReport): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  const why = error ? ` (${error.code}: ${error.message})` : '';
  return `${status}${why}, ${some.map(([name, count]) => `${name} ${count}`).join(', ')}${problems.length > 0 ? ` ${JSON.stringify(problems)}` : ''}`;
}
