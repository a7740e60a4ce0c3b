import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { ConfigError } from '../../config/files/problems.ts';
import { signatureOf } from '../../config/files/signature.ts';
import type { Config } from '../../config/types.ts';
import { type CodedError, toCodedError } from '../../core/errors.ts';
import type { Environment } from '../environment.ts';
import { loadAppConfig } from '../load-config.ts';

/** Polling works where notifications do not: on network drives, bind mounts and the volumes of Kubernetes. */
const LOOK_MS = 2_000;

/**
 * Loads the config and checks every 2 s whether one of its files has changed.
 * @throws ConfigError
 */
export async function watchConfig(environment: Environment, log: Logger) {
  const { CMS_API_TOKEN_FILE: tokenFile } = environment.variables;
  const watched = [environment.configDir, ...(tokenFile ? [tokenFile] : [])];
  // Taken before the config is read, so that a change in between is found at the next check.
  let seen: string | undefined = await signatureOf(watched).catch(() => undefined);
  const config = loadAppConfig(environment);
  let logged = '';
  let isAsked = false;
  let isStopped = false;
  let pause = new AbortController();
  let following: Promise<void> | undefined;
  return { config, follow, readAgain, stop };

  /**
   * Passes on each later config, until the watch is stopped. Invalid configs are logged once and left out; one that `take`
   * rejects is passed on again at the next check.
   */
  function follow(take: (config: Config) => Promise<void>): void {
    following ??= lookAndTake(take);
  }

  /** Reads the config at once, even if no file seems to have changed, and logs problems again. */
  function readAgain(): void {
    isAsked = true;
    pause.abort();
  }

  async function lookAndTake(take: (config: Config) => Promise<void>): Promise<void> {
    for (;;) {
      pause = new AbortController();
      if (!isAsked) await sleep(LOOK_MS, undefined, { signal: pause.signal }).catch(() => {});
      if (isStopped) return;
      if (isAsked) [seen, logged, isAsked] = [undefined, '', false];
      await look(take);
    }
  }

  async function look(take: (config: Config) => Promise<void>): Promise<void> {
    let signature: string | undefined;
    try {
      signature = await signatureOf(watched);
      if (signature === seen) return;
      await take(loadAppConfig(environment));
      [seen, logged] = [signature, ''];
    } catch (error) {
      if (error instanceof ConfigError) seen = signature;
      logProblems(toCodedError(error));
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
