import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { ConfigError, describeProblem } from '../../config/files/problems.ts';
import { signatureOf } from '../../config/files/signature.ts';
import type { Config } from '../../config/types.ts';
import { type CodedError, toCodedError } from '../../core/errors.ts';
import type { Environment } from '../environment.ts';
import { loadUsableAppConfig } from '../load-config.ts';

/** Polling also works without file notifications, as on network drives, bind mounts and the volumes of Kubernetes. */
const LOOK_MS = 2_000;

/**
 * Loads the config and checks every 2 s whether one of its files has changed. The config may have no sync yet. It may lose its last one
 * only if people may edit syncs in the browser; otherwise a folder that is not mounted would end all schedules.
 * @throws ConfigError
 */
export async function watchConfig(environment: Environment, log: Logger) {
  const { CMS_API_TOKEN_FILE: tokenFile } = environment.variables;
  const watched = [environment.configDir, ...(tokenFile ? [tokenFile] : [])];
  // The signature is taken before the config is read, so that the next check finds a change in between.
  let seen: string | undefined = await signatureOf(watched).catch(() => undefined);
  const config = loadUsableAppConfig(environment, true);
  if (config.syncs.length === 0 && config.broken.length > 0)
    throw new ConfigError(config.broken.flatMap(({ problems }) => problems));
  let current = config;
  let logged = '';
  logBroken(config);
  let asked: PromiseWithResolvers<void> | undefined;
  let isStopped = false;
  let pause = new AbortController();
  let following: Promise<void> | undefined;
  return { config, follow, readAgain, stop };

  /**
   * Passes each later config to `take`, until the watch is stopped. Mistakes are logged once. If a sync file has mistakes, the
   * sync keeps its previous version; if feedferry.yaml has mistakes, the whole config does. If `take` rejects a config, the next
   * check passes it again.
   */
  function follow(take: (config: Config) => Promise<void>): void {
    following ??= lookAndTake(take);
  }

  /** Reads the config at once, even if no file seems to have changed, and logs problems again. Resolves after that. */
  function readAgain(): Promise<void> {
    if (isStopped) return Promise.resolve();
    asked ??= Promise.withResolvers();
    pause.abort();
    return asked.promise;
  }

  async function lookAndTake(take: (config: Config) => Promise<void>): Promise<void> {
    for (;;) {
      pause = new AbortController();
      if (!asked) await sleep(LOOK_MS, undefined, { signal: pause.signal }).catch(() => {});
      const answered = asked;
      if (isStopped) return answered?.resolve();
      if (answered) [seen, logged, asked] = [undefined, '', undefined];
      await look(take);
      answered?.resolve();
    }
  }

  async function look(take: (config: Config) => Promise<void>): Promise<void> {
    let signature: string | undefined;
    try {
      signature = await signatureOf(watched);
      if (signature === seen) return;
      const mayBeEmpty = environment.http.edit !== 'off' || current.syncs.length === 0;
      const next = withFormer(loadUsableAppConfig(environment, mayBeEmpty), current);
      await take(next);
      [seen, current] = [signature, next];
      logBroken(next);
    } catch (error) {
      if (error instanceof ConfigError) seen = signature;
      logProblems(toCodedError(error));
    }
  }

  function logBroken({ broken, syncs }: Config): void {
    const lines = broken.flatMap(({ problems }) => problems.map(describeProblem)).join('\n');
    if (lines === logged) return;
    logged = lines;
    for (const { name: sync, problems } of broken) {
      for (const problem of problems) log.error({ sync, code: problem.code }, describeProblem(problem));
      const isKept = syncs.some(({ name }) => name === sync);
      const effect = isKept ? 'Its previous version stays in force.' : 'It does not run until they are fixed.';
      log.error({ sync }, `The file of the sync "${sync}" has mistakes. ${effect}`);
    }
  }

  function logProblems({ code, message }: CodedError): void {
    if (message === logged) return;
    logged = message;
    for (const problem of message.split('\n')) log.error({ code }, problem);
    log.error('The changed config cannot be used. The previous one stays in force.');
  }

  async function stop(): Promise<void> {
    isStopped = true;
    pause.abort();
    await following;
  }
}

/** Adds the previous versions of the syncs whose files now have mistakes. */
function withFormer(next: Config, { syncs }: Config): Config {
  const former = syncs.filter(({ name }) => next.broken.some((each) => each.name === name));
  return { ...next, syncs: [...next.syncs, ...former].sort((one, other) => (one.name < other.name ? -1 : 1)) };
}
