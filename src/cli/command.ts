import { Command } from 'commander';
import type { Logger } from 'pino';
import { readEnvironmentWithFile } from '../app/env-file.ts';
import type { Environment } from '../app/environment.ts';
import { CodedError, errorTable, toCodedError } from '../core/errors.ts';
import { type CommandName, commandList } from './command-list.ts';
import { EXIT } from './exit-codes.ts';
import { print, printError, printJson } from './output/print.ts';

/** Time to close everything once what was in flight has ended. */
const CLOSING_MS = 1_500;

/** What every command gets. */
export interface CommandContext {
  environment: Environment;
  /** Opens the log. Commands that log nothing need not load it. */
  openLog(): Promise<Logger>;
  json: boolean;
  /** Aborted by the first SIGINT or SIGTERM; a second one ends the process at once. */
  signal: AbortSignal;
}

interface CommonOptions {
  config?: string;
  json?: boolean;
}

/** Creates a command of the list with its summary and the options that all share. */
export function defineCommand(name: CommandName): Command {
  return new Command(name)
    .description(commandList[name].summary)
    .option('--config <dir>', 'config folder (default: FEEDFERRY_CONFIG or ./config)')
    .option('--json', 'print machine-readable results');
}

/**
 * Reads the value of `--limit`.
 * @throws CodedError FF_USAGE
 */
export function readLimit(limit: string, things: string): number {
  if (/^[1-9]\d{0,5}$/.test(limit)) return Number(limit);
  throw new CodedError('FF_USAGE', `--limit needs a number of ${things}, such as 20, not "${limit}".`);
}

/**
 * A command's action, as commander calls it. Its result is the exit code; an error becomes a message with a remedy.
 * @param action gets the command's arguments, then its options
 */
export function execute<Args extends unknown[]>(action: (context: CommandContext, ...args: Args) => Promise<number>) {
  return (...given: unknown[]) => run(given.at(-2) as CommonOptions, (context) => action(context, ...(given as Args)));
}

async function run(options: CommonOptions, action: (context: CommandContext) => Promise<number>): Promise<void> {
  const { signal, exitCode: signalExitCode, exitAfter, release } = listenForSignals();
  try {
    const environment = readEnvironmentWithFile(process.env, options.config);
    exitAfter(environment.stopAfterMs + CLOSING_MS);
    const openLog = async () => (await import('../app/log.ts')).createLog(environment.logLevel);
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
  // After a signal, do not wait for a server that does not respond.
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
    /** Ends the process at the latest this long after a signal. */
    exitAfter(ms: number) {
      limitMs = ms;
    },
    release() {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}
