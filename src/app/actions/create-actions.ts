import { syncNames } from '../../config/select.ts';
import type { SyncConfig } from '../../config/types.ts';
import { CodedError } from '../../core/errors.ts';
import type { Asked, RunContext } from '../../sync/context/run-context.ts';
import { type App, openApp } from '../app.ts';
import type { Environment } from '../environment.ts';
import { type ActionContext, type Actor, type Begun, by, type StartRun } from './action.ts';
import { type Act, type AnyAction, actionTable } from './actions.ts';
import type { StartOptions } from './join-run.ts';

/**
 * Creates the function that performs the actions of people and programs. It records who requested a run, and returns the run's id
 * without waiting for its end. Close it before the app: `close` waits for the runs.
 */
export function createActions(
  app: ActionContext['app'],
  { environment, log, signal, onFinished }: StartOptions & { environment: Environment },
) {
  const running = new Set<Promise<void>>();
  const busy = new Set<string>();
  const act = ((name, given, actor) => {
    const { act: perform } = actionTable[name] as unknown as AnyAction;
    const begin: ActionContext['begin'] = (sync, asked, start) => beginning(sync, { ...asked, ...by(actor) }, start);
    return perform(given as Record<string, string>, { app, actor, begin, inBackground: inBackgroundFor(actor) });
  }) as Act;
  return { act, close };

  /** Resolves as soon as the run has begun. The end of the run is only reported. */
  function beginning(sync: SyncConfig, asked: Asked, start: StartRun): Promise<Begun> {
    const { promise, resolve, reject: fail } = Promise.withResolvers<Begun>();
    let hasBegun = false;
    const onBegin = (run: string) => {
      hasBegun = true;
      resolve({ run, started: true });
    };
    const request = { signal, asked, onBegin };
    follow(
      withContext(sync, request, (context) => start(context, request)).then(
        (result) => {
          if (result === undefined)
            fail(new CodedError('FF_NOTHING_TO_DO', `There is nothing to ${asked.deed} for "${sync.name}".`));
          else if ('is' in result) resolve({ run: result.run, started: false });
          else onFinished(result);
        },
        (error: unknown) => {
          if (hasBegun) log.error({ err: error, sync: sync.name }, 'A run failed.');
          else fail(error);
        },
      ),
    );
    return promise;
  }

  /** Other workers do not know a sync that is no longer in the config, so its run has an app of its own. */
  async function withContext<Result>(
    sync: SyncConfig,
    request: Parameters<App['contextOf']>[1],
    work: (context: RunContext) => Promise<Result>,
  ): Promise<Result> {
    if (syncNames(app.config).includes(sync.name)) return work(app.contextOf(sync, request));
    const config = { ...app.config, syncs: [sync] };
    const own = await openApp(config, { ...environment, redisUrl: undefined }, log, { signal });
    return work(own.contextOf(sync, request)).finally(own.close);
  }

  function inBackgroundFor(actor: Actor): ActionContext['inBackground'] {
    return (sync, work) => {
      if (busy.has(sync.name)) return;
      busy.add(sync.name);
      const context = app.contextOf(sync, { signal, asked: { deed: 'run', ...by(actor) } });
      follow(
        work(context)
          .then(() => undefined)
          .catch((error: unknown) => log.error({ err: error, sync: sync.name }, 'An action failed.'))
          .finally(() => busy.delete(sync.name)),
      );
    };
  }

  function follow(work: Promise<void>): void {
    running.add(work);
    void work.finally(() => running.delete(work));
  }

  /** Waits for the runs that the actions began, without interrupting them. */
  async function close(): Promise<void> {
    await Promise.all(running);
  }
}
