import { orphanSync } from '../../config/orphan-sync.ts';
import { syncNamed, syncNames, withBroken } from '../../config/select.ts';
import type { SyncConfig } from '../../config/types.ts';
import { CodedError, type ErrorCode } from '../../core/errors.ts';
import type { RunReport } from '../../core/run.ts';
import type { RunUnderWay } from '../../ledger/runs/run-list.ts';
import type { Asked, RunRequest } from '../../sync/context/run-context.ts';
import { answerQuestions, takeBackAnswers } from '../../sync/questions/questions.ts';
import { adoptRun } from '../../sync/runs/adopt-run.ts';
import { approveRun, rejectPlan } from '../../sync/runs/approve-run.ts';
import { cancelRun } from '../../sync/runs/cancel-run.ts';
import { resumeSync } from '../../sync/runs/pause-sync.ts';
import { purgeRun } from '../../sync/runs/purge-run.ts';
import { type AlikeAnswer, describeAnswer, retryRun } from '../../sync/runs/retry-run.ts';
import { undoRun } from '../../sync/undo/undo-run.ts';
import { healRun } from '../../sync/verify/heal-run.ts';
import { verifySyncs } from '../../sync/verify/verify-syncs.ts';
import { type App, openApp } from '../app.ts';
import type { Environment } from '../environment.ts';
import { type RunsAndLedger, runOnce, type StartOptions } from './join-run.ts';

/** The person or program that acts, for the history. */
export interface Actor {
  /** The name given at log-in, or the user of the machine. */
  name: string;
  via: 'console' | 'api' | 'cli';
}

/** The run that an action began, or that was in progress and that the action joined. */
export interface Begun {
  run: string;
  started: boolean;
}

/** Decision of a person about a held plan. */
export interface PlanDecision {
  /** The set of changes that the person saw. */
  set: string;
  reason: string;
}

/** The records whose problems a person acknowledges: those named, and all that the last reading rejected with a code. */
export interface Acknowledgement {
  keys?: readonly string[] | undefined;
  code?: string | undefined;
  note?: string | undefined;
}

/** What a person says about questions whether events of several sources are the same. */
export interface EventAnswer {
  /** Ids of the questions. */
  questions: readonly string[];
  answer: 'same' | 'distinct';
  note?: string | undefined;
}

export type Actions = Omit<ReturnType<typeof createActions>, 'close'>;

/**
 * Creates the actions of people and programs. Each action begins a run, records who requested the run, and returns the run's id
 * without waiting for its end. Close the actions before the app: `close` waits for their runs.
 */
export function createActions(
  app: RunsAndLedger & Pick<App, 'config'>,
  { environment, ...options }: StartOptions & { environment: Environment },
) {
  const { log, signal, onFinished } = options;
  const running = new Set<Promise<void>>();
  const verifying = new Set<string>();
  return {
    begin,
    retry,
    approve,
    reject,
    undo,
    adopt,
    purge,
    acknowledge,
    takeBack,
    answer,
    takeBackAnswers: takeBackGiven,
    verify,
    repair,
    pause,
    resume,
    cancel,
    close,
  };

  /**
   * Runs a sync, or joins its run if one is in progress.
   * @throws CodedError FF_SYNC_UNKNOWN, FF_SYNC_PAUSED, FF_RUN_BUSY while a run of another kind is in progress, such as a retry;
   *   ConfigError if the file of the sync has mistakes
   */
  function begin(name: string, actor: Actor): Promise<Begun> {
    const sync = syncNamed(name, app.config);
    return beginning(sync, { deed: 'run', ...by(actor) }, async (request) => {
      const joined = await runOnce(app, sync, { ...request, askedAt: Date.now(), onWait: refuse });
      return joined.is === 'ours' ? joined.report : joined;
    });
  }

  /**
   * Tries records again.
   * @param keys keys of the records; if absent, all undelivered records of the sync
   * @param answer what a person says about those of them that look like other items; then only these are tried
   * @throws CodedError FF_SYNC_UNKNOWN, FF_RECORD_UNKNOWN, FF_NOTHING_TO_DO, FF_RUN_BUSY
   */
  async function retry(
    name: string,
    keys: readonly string[] | undefined,
    actor: Actor,
    answer?: AlikeAnswer,
  ): Promise<Begun> {
    const sync = syncNamed(name, app.config);
    const asked = { deed: 'retry' as const, reason: answer && describeAnswer(answer), ...by(actor) };
    return beginning(sync, asked, (request) => retryRun(keys, app.contextOf(sync, request), answer));
  }

  /**
   * Applies a held plan.
   * @throws CodedError FF_RUN_UNKNOWN, FF_APPROVE_NOT_HELD, FF_APPROVE_STALE if the plan now has other changes, FF_RUN_BUSY
   */
  async function approve(held: string, { set, reason }: PlanDecision, actor: Actor): Promise<Begun> {
    const sync = await syncOf(held);
    return beginning(sync, { deed: 'approve', about: held, reason, ...by(actor) }, (request) => {
      return approveRun(held, app.contextOf(sync, request), set);
    });
  }

  /** Drops a held plan without applying any of its changes. Throws as `approve` does. */
  async function reject(held: string, { set, reason }: PlanDecision, actor: Actor): Promise<void> {
    const sync = await syncOf(held);
    const asked = { deed: 'reject' as const, reason, ...by(actor) };
    await rejectPlan(held, set, app.contextOf(sync, { signal, asked }));
  }

  /** @throws CodedError FF_RUN_UNKNOWN, FF_UNDO_NOTHING, also if all changes of the run are undone already, FF_RUN_BUSY */
  async function undo(run: string, reason: string | undefined, actor: Actor): Promise<Begun> {
    const sync = await syncOf(run);
    const { undone, undoneBy } = await app.ledger.runs.get(run);
    if (undone) throw new CodedError('FF_UNDO_NOTHING', `${run} is undone already: run ${undoneBy} has done it.`);
    const asked = { deed: 'undo' as const, about: run, reason, ...by(actor) };
    return beginning(sync, asked, (request) => undoRun(run, app.contextOf(sync, request)));
  }

  /** @throws CmsError; CodedError FF_RECORD_UNKNOWN, FF_ADOPT_SETTLED, FF_ADOPT_TAKEN, FF_ADOPT_ITEM, FF_RUN_BUSY */
  async function adopt(name: string, key: string, cmsId: number, actor: Actor): Promise<Begun> {
    const sync = syncNamed(name, app.config);
    return beginning(sync, { deed: 'adopt', ...by(actor) }, (request) => {
      return adoptRun(key, cmsId, app.contextOf(sync, request));
    });
  }

  /**
   * Acknowledges the present problems of records, until their reasons change.
   * @returns the keys of the records that have a problem
   * @throws CodedError FF_SYNC_UNKNOWN, FF_NOTHING_TO_DO
   */
  async function acknowledge(
    name: string,
    { keys = [], code, note }: Acknowledgement,
    actor: Actor,
  ): Promise<string[]> {
    const { acknowledgements } = app.ledger;
    const { name: sync } = syncNamed(name, app.config);
    const all = code === undefined ? [] : await acknowledgements.keysRejectedFor(sync, code);
    const done = await acknowledgements.acknowledge(sync, [...keys, ...all], { person: actor.name, note });
    if (done.length > 0) return done;
    throw new CodedError(
      'FF_NOTHING_TO_DO',
      `None of these records of "${name}" has a problem that can be acknowledged.`,
    );
  }

  /**
   * Verifies a sync in the background, unless this process is verifying it. The result is in the ledger.
   * @throws CodedError FF_SYNC_UNKNOWN
   */
  async function verify(name: string, actor: Actor): Promise<void> {
    const sync = syncNamed(name, app.config);
    if (verifying.has(name)) return;
    verifying.add(name);
    const context = app.contextOf(sync, { signal, asked: { deed: 'run', ...by(actor) } });
    const ended = verifySyncs([context])
      .then(() => undefined)
      .catch((error: unknown) => log.error({ err: error, sync: name }, 'A verification failed.'))
      .finally(() => verifying.delete(name));
    running.add(ended);
    void ended.finally(() => running.delete(ended));
  }

  /**
   * Verifies a sync, and plans the repair of what differs. The plan is held until it is approved.
   * @throws CodedError FF_SYNC_UNKNOWN, FF_NOTHING_TO_DO, FF_RUN_BUSY, or why the sync could not be verified
   */
  async function repair(name: string, actor: Actor): Promise<Begun> {
    const sync = syncNamed(name, app.config);
    const asked = { deed: 'retry' as const, reason: 'repair of what differs in the CMS', ...by(actor) };
    return beginning(sync, asked, async (request) => {
      const [verified] = await verifySyncs([app.contextOf(sync, request)]);
      const error = verified?.result.error;
      if (error) throw new CodedError(error.code as ErrorCode, error.message);
      return verified && healRun(verified, { isReviewed: true });
    });
  }

  /** Takes back that problems of records were acknowledged; returns the keys of those records. Throws as `acknowledge` does. */
  async function takeBack(name: string, keys: readonly string[]): Promise<string[]> {
    const done = await app.ledger.acknowledgements.takeBack(syncNamed(name, app.config).name, keys);
    if (done.length > 0) return done;
    throw new CodedError('FF_NOTHING_TO_DO', `No problem of these records of "${name}" is acknowledged.`);
  }

  /**
   * Answers whether events of several sources are the same; the next run acts on it.
   * @throws CodedError FF_SYNC_UNKNOWN, FF_NOTHING_TO_DO if one of the questions is not open
   */
  async function answer(name: string, { questions, answer: given, note }: EventAnswer, actor: Actor): Promise<void> {
    const asked = { ledger: app.ledger, sync: syncNamed(name, app.config) };
    await answerQuestions(questions, { answer: given, person: actor.name, note }, asked);
  }

  /** Takes such answers back. Throws as `answer` does. */
  async function takeBackGiven(name: string, questions: readonly string[]): Promise<void> {
    await takeBackAnswers(questions, { ledger: app.ledger, sync: syncNamed(name, app.config) });
  }

  /**
   * Deletes all items that a sync has created, even if the sync is no longer in the config and only the ledger knows it.
   * @throws CodedError FF_SYNC_UNKNOWN, FF_NOTHING_TO_DO, FF_RUN_BUSY
   */
  async function purge(name: string, reason: string, actor: Actor): Promise<Begun> {
    const asked = { deed: 'purge' as const, reason, ...by(actor) };
    const names = syncNames(app.config);
    const orphan = names.includes(name)
      ? undefined
      : (await app.ledger.records.orphans(names)).find(({ sync }) => sync === name);
    if (orphan) return purgeOrphan(orphanSync(orphan, app.config), asked);
    const sync = syncNamed(name, app.config);
    return beginning(sync, asked, (request) => purgeRun(app.contextOf(sync, request)));
  }

  /** Purges in a separate app, because other workers do not know the sync. */
  async function purgeOrphan(sync: SyncConfig, asked: Asked): Promise<Begun> {
    return beginning(sync, asked, async (request) => {
      const config = { ...app.config, syncs: [sync] };
      const own = await openApp(config, { ...environment, redisUrl: undefined }, log, { signal });
      return purgeRun(own.contextOf(sync, request)).finally(own.close);
    });
  }

  /**
   * Pauses a sync: no run of it reads its feed until it is resumed. A run in progress goes on.
   * @throws CodedError FF_SYNC_UNKNOWN
   */
  async function pause(name: string, reason: string, actor: Actor): Promise<void> {
    syncNamed(name, withBroken(app.config));
    await app.ledger.pauses.pause(name, { ...by(actor), reason });
  }

  /** Resumes a sync. Throws as `pause` does, and FF_NOTHING_TO_DO if it is not paused. */
  async function resume(name: string, actor: Actor): Promise<void> {
    const sync = syncNamed(name, withBroken(app.config));
    if (await resumeSync(sync, by(actor), app.ledger)) return;
    throw new CodedError('FF_NOTHING_TO_DO', `"${name}" is not paused.`);
  }

  /** @throws CodedError FF_RUN_UNKNOWN, FF_NOTHING_TO_DO if the run has ended */
  async function cancel(
    run: string,
    reason: string | undefined,
    actor: Actor,
  ): Promise<{ run: string; ended: boolean }> {
    const { finishedAt } = await cancelRun(run, { ...by(actor), reason: reason || undefined }, app.ledger);
    return { run, ended: finishedAt !== undefined };
  }

  /** Resolves as soon as the run has begun. The end of the run is only reported. */
  function beginning(
    sync: SyncConfig,
    asked: Asked,
    start: (request: RunRequest) => Promise<RunReport | { is: 'theirs'; run: string } | undefined>,
  ): Promise<Begun> {
    const { promise, resolve, reject: fail } = Promise.withResolvers<Begun>();
    let hasBegun = false;
    const onBegin = (run: string) => {
      hasBegun = true;
      resolve({ run, started: true });
    };
    const ended = start({ signal, asked, onBegin }).then(
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
    );
    running.add(ended);
    void ended.finally(() => running.delete(ended));
    return promise;
  }

  async function syncOf(run: string): Promise<SyncConfig> {
    return syncNamed((await app.ledger.runs.get(run)).sync, app.config);
  }

  /** Waits for the runs that the actions began, without interrupting them. */
  async function close(): Promise<void> {
    await Promise.all(running);
  }
}

function by({ name, via }: Actor): Pick<Asked, 'by' | 'via'> {
  return { by: name, via };
}

/** Rejects a request instead of waiting for the other run; the client can repeat the request. */
function refuse({ sync, run, kind }: RunUnderWay): never {
  throw new CodedError('FF_RUN_BUSY', `The ${kind} ${run} of "${sync}" is in progress.`);
}
