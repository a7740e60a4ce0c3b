import { Command } from 'commander';
import type { Logger } from 'pino';
import { readEnvironmentWithFile } from '../app/env-file.ts';
import type { Environment } from '../app/environment.ts';
import { CodedError, errorTable, toCodedError } from '../core/errors.ts';
import { type CommandName, commandList } from './command-list.ts';
import { EXIT } from './exit-codes.ts';
import { print, printError, printJson } from './output/print.ts';

/** Time to close everything after the requests in flight have ended. */
const CLOSING_MS = 1_500;

/** Environment, options and signal for every command. */
export interface CommandContext {
  environment: Environment;
  /** Opens the log, which is loaded only by commands that log. A service logs JSON if its standard error is no terminal. */
  openLog(options?: { isService: boolean }): Promise<Logger>;
  json: boolean;
  /** Aborted by the first SIGINT or SIGTERM; a second signal ends the process at once. */
  signal: AbortSignal;
}

interface CommonOptions {
  config?: string;
  json?: boolean;
}

/** Creates a command of the list with its summary and the options that all commands have. */
export function defineCommand(name: CommandName): Command {
  return new Command(name)
    .description(commandList[name].summary)
    .option('--config <dir>', 'config folder (default: FEEDFERRY_CONFIG or ./config)')
    .option('--json', 'print machine-readable results');
}

/**
 * Reads the value of `--limit`, or of another option with a number.
 * @throws CodedError FF_USAGE
 */
export function readLimit(limit: string, things: string, option = '--limit'): number {
  if (/^[1-9]\d{0,5}$/.test(limit)) return Number(limit);
  throw new CodedError('FF_USAGE', `${option} needs a number of ${things}, such as 20, not "${limit}".`);
}

/**
 * Wraps the action of a command for commander. The result of the action is the exit code; an error is printed with its remedy.
 * @param action receives the command's arguments, then its options
 */
export function execute<Args extends unknown[]>(action: (context: CommandContext, ...args: Args) => Promise<number>) {
  return (...given: unknown[]) => run(given.at(-2) as CommonOptions, (context) => action(context, ...(given as Args)));
}

async function run(options: CommonOptions, action: (context: CommandContext) => Promise<number>): Promise<void> {
  const { signal, exitCode: signalExitCode, exitAfter, release } = listenForSignals();
  try {
    const environment = readEnvironmentWithFile(process.env, options.config);
    exitAfter(environment.stopAfterMs + CLOSING_MS);
    const openLog = async (as = { isService: false }) =>
      (await import('../app/log.ts')).createLog(environment.logLevel, as);
    const exitCode = await action({ environment, openLog, json: options.json ?? false, signal });
    process.exitCode = signalExitCode() ?? exitCode;
  } catch (error) {
    const isStopped = signal.aborted && error instanceof Error && error.name === 'AbortError';
    if (isStopped) print('Stopped.', process.stderr);
    else reportError(toCodedError(error), options);
    process.exitCode = signalExitCode() ?? errorTable[toCodedError(error).code].exit ?? 1;
  } finally {
    release();
  }
  // After a signal, the process does not wait for a server that does not respond.
  if (signal.aborted) process.exit();
}

function reportError(coded: CodedError, { json }: CommonOptions): void {
  const { code, message, remedy, cause } = coded;
  printError(coded);
  if (code === 'FF_BUG' && cause instanceof Error) print(cause.stack ?? '', process.stderr);
  if (json) printJson({ error: { code, message, remedy }, runs: [] });
}

function listenForSignals() {
  const controller = new AbortController();
  let received: 'SIGINT' | 'SIGTERM' | undefined;
  let limitMs: number | undefined;
  const onSignal = (signal: 'SIGINT' | 'SIGTERM') => {
    if (received) process.exit(EXIT[signal]);
    received = signal;
    controller.abort();
    if (limitMs !== undefined) setTimeout(() => process.exit(EXIT[signal]), limitMs).unref();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    signal: controller.signal,
    exitCode: () => (received ? EXIT[received] : undefined),
    /** Sets the time after a signal at which the process ends at the latest. */
    exitAfter(ms: number) {
      limitMs = ms;
    },
    release() {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}
