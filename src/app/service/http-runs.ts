import type { SyncConfig } from '../../config/types.ts';
import { CodedError, type ErrorCode, errorTable } from '../../core/errors.ts';
import type { RunView, SyncView } from '../../core/run-service.ts';
import type { PastRun, RunUnderWay } from '../../ledger/runs/run-list.ts';
import type { App } from '../app.ts';
import { type RunsAndLedger, runOnce, type StartOptions } from './join-run.ts';

/** Creates the service that starts runs on request. Close it before the app: it waits for its runs. */
export function createRunService(app: RunsAndLedger & Pick<App, 'config'>, options: StartOptions) {
  const { log, signal, onFinished } = options;
  const { runs } = app.ledger;
  const running = new Set<Promise<void>>();
  return { begin, find, newest, syncs, close };

  /** Resolves with the run's id as soon as it has begun, or with that of the run that it joins. */
  async function begin(name: string): Promise<{ run: string; started: boolean }> {
    const { promise, resolve, reject } = Promise.withResolvers<{ run: string; started: boolean }>();
    const sync = syncNamed(name);
    let hasBegun = false;
    const ended = runOnce(app, sync, {
      askedAt: Date.now(),
      signal,
      onBegin(run) {
        hasBegun = true;
        resolve({ run, started: true });
      },
      onWait: refuse,
    }).then(
      (joined) => {
        if (joined.is === 'ours') onFinished(joined.report);
        else resolve({ run: joined.run, started: false });
      },
      (error: unknown) => {
        if (hasBegun) log.error({ err: error, sync: name }, 'A run failed.');
        else reject(error);
      },
    );
    running.add(ended);
    void ended.finally(() => running.delete(ended));
    return promise;
  }

  async function find(run: string): Promise<RunView | undefined> {
    const found = await runs.find(run);
    return found && toView(found);
  }

  async function newest(options: { sync?: string; limit: number }): Promise<RunView[]> {
    if (options.sync !== undefined) syncNamed(options.sync);
    return (await runs.newest(options)).map(toView);
  }

  async function syncs(): Promise<SyncView[]> {
    const [totals, active] = await Promise.all([runs.totals(), runs.underWay()]);
    return Promise.all(
      app.config.syncs.map(async ({ name, resource, schedule = null }) => {
        const success = totals.find(
          ({ sync, kind, status }) => sync === name && kind === 'run' && status === 'success',
        );
        return {
          sync: name,
          resource,
          schedule,
          underWay: active.find(({ sync }) => sync === name)?.run ?? null,
          lastRun: toShort(await runs.last(name)),
          lastSuccessAt: success ? new Date(Date.now() - success.agoMs).toISOString() : null,
        };
      }),
    );
  }

  function syncNamed(name: string): SyncConfig {
    const sync = app.config.syncs.find((candidate) => candidate.name === name);
    if (!sync) throw new CodedError('FF_SYNC_UNKNOWN', `There is no sync named "${name}".`);
    return sync;
  }

  /** Waits for the runs that it began; it does not interrupt them. */
  async function close(): Promise<void> {
    await Promise.all(running);
  }
}

/** Rejects an HTTP request instead of waiting; the client can repeat it. */
function refuse({ sync, run, kind }: RunUnderWay): never {
  throw new CodedError('FF_RUN_BUSY', `The ${kind} ${run} of "${sync}" is in progress.`);
}

function toView(run: PastRun): RunView {
  const { error } = run;
  return { ...run, error: error && { ...error, remedy: errorTable[error.code as ErrorCode].remedy } };
}

function toShort(last: PastRun | undefined): SyncView['lastRun'] {
  if (!last) return null;
  const { run, status, startedAt, finishedAt } = last;
  return { run, status, startedAt, finishedAt };
}
