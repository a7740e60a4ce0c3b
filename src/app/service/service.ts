import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../../config/types.ts';
import { createActions } from '../actions/create-actions.ts';
import type { StartOptions } from '../actions/join-run.ts';
import { type AppOptions, openApp } from '../app.ts';
import type { Environment } from '../environment.ts';
import { type Scheduler, startScheduler } from './scheduler.ts';
import { verifyDue } from './verifier.ts';

/** The longest time between two looks for what is due. */
const LOOK_MS = 30_000;

export interface ServiceOptions extends Pick<AppOptions, 'onResponse'>, StartOptions {
  environment: Environment;
  /** Whether this process runs syncs when they are due, sends alerts and sweeps the ledger. */
  leads: boolean;
  /** Whether this process delivers the plans of other processes; it always delivers its own. */
  delivers: boolean;
}

export type Service = Awaited<ReturnType<typeof openService>>;

/**
 * Opens a service that runs for months: it delivers, runs syncs when they are due, and follows the changes of its config.
 * @throws CodedError as `openApp` does
 */
export async function openService(config: Config, options: ServiceOptions) {
  const { log } = options;
  const ending = new Set<Promise<void>>();
  let current = await openGeneration(config, options);
  return {
    /** The app of the config in force. */
    get app() {
      return current.app;
    },
    /** Performs the actions of people and programs, with the config in force. */
    get act() {
      return current.actions.act;
    },
    /** @throws CodedError FF_QUEUE_UNAVAILABLE */
    start: () => current.start(),
    follow,
    close,
  };

  /**
   * Puts a config into force, unless nothing has changed. Runs in progress keep the config with which they began.
   * @throws CodedError as `openApp` does; the previous config stays in force then
   */
  async function follow(next: Config): Promise<void> {
    const before = current;
    if (isDeepStrictEqual(next, before.app.config)) return;
    const generation = await openGeneration(next, options);
    try {
      await generation.start();
    } catch (error) {
      await generation.end();
      throw error;
    }
    current = generation;
    const difference = differenceOf(before.app.config, next);
    log.info(difference, `The config has changed (${differenceLine(difference)}). The new one is in force.`);
    retire(before);
  }

  function retire(generation: Generation): void {
    const ended = generation
      .end()
      .catch((error: unknown) => log.warn({ err: error }, 'The runs of an earlier config did not end cleanly.'))
      .finally(() => ending.delete(ended));
    ending.add(ended);
  }

  /** Waits for the runs and closes everything. */
  async function close(): Promise<void> {
    await current.end();
    await Promise.all(ending);
  }
}

type Generation = Awaited<ReturnType<typeof openGeneration>>;

/** Opens the app of one config, with its actions and scheduler, and looks for what is due. */
async function openGeneration(config: Config, options: ServiceOptions) {
  const { environment, log, signal, leads, delivers, onResponse } = options;
  const app = await openApp(config, environment, log, { signal, onResponse });
  const actions = createActions(app, options);
  const stopping = new AbortController();
  const waiting = AbortSignal.any([signal, stopping.signal]);
  let scheduler: Scheduler | undefined;
  let stopTicks = async () => {};
  return { app, actions, start, end };

  async function start(): Promise<void> {
    if (delivers) await app.work();
    if (!leads) return;
    scheduler = await startScheduler(app, { ...options, waiting });
    const { pauseMs, lookAfterAll } = app.upkeep;
    const looks = [scheduler.look, () => lookAfterAll(waiting), () => verifyDue(app, { log, signal: waiting })];
    stopTicks = startTicks(
      looks,
      Math.min(LOOK_MS, pauseMs, ...config.syncs.flatMap(({ verify }) => verify?.everyMs ?? [])),
    );
  }

  /** Stops beginning runs, and closes the app when the runs in progress have ended. */
  async function end(): Promise<void> {
    stopping.abort();
    try {
      await stopTicks();
      await scheduler?.stop();
      await actions.close();
    } finally {
      await app.close();
    }
  }
}

/**
 * Looks at each tick for what is due. A look that is still in progress is not begun again, and does not delay the others.
 * @param looks must not throw
 * @returns a function that ends the ticks, and waits for the looks in progress
 */
export function startTicks(looks: ReadonlyArray<() => Promise<void>>, everyMs: number): () => Promise<void> {
  const inProgress = new Map<() => Promise<void>, Promise<void>>();
  const timer = setInterval(() => {
    for (const look of looks) {
      if (!inProgress.has(look))
        inProgress.set(
          look,
          look().finally(() => inProgress.delete(look)),
        );
    }
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await Promise.all(inProgress.values());
  };
}

/** Differences between two configs, for the log: names of syncs, and names of the parts that concern all syncs. */
export function differenceOf(before: Config, after: Config) {
  const old = new Map(before.syncs.map((sync) => [sync.name, sync]));
  const names = new Set(after.syncs.map(({ name }) => name));
  const isChanged = (name: string, sync: unknown) => old.has(name) && !isDeepStrictEqual(old.get(name), sync);
  const forAll = (['target', 'alerts', 'retention'] as const).filter(
    (part) => !isDeepStrictEqual(before[part], after[part]),
  );
  return {
    added: [...names].filter((name) => !old.has(name)),
    changed: [...forAll, ...after.syncs.filter((sync) => isChanged(sync.name, sync)).map(({ name }) => name)],
    removed: [...old.keys()].filter((name) => !names.has(name)),
  };
}

/** Describes the differences in one line: "added: talks; changed: target, staff". */
function differenceLine(difference: ReturnType<typeof differenceOf>): string {
  const some = Object.entries(difference).filter(([, names]) => names.length > 0);
  return some.map(([what, names]) => `${what}: ${names.join(', ')}`).join('; ') || 'nothing that a sync uses';
}
