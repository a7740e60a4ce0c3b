import type { Command } from 'commander';
import { z } from 'zod';
import type { ActionContext } from '../app/actions/action.ts';
import { type ActionName, type AnyAction, actionTable, type GivenTo, type ResponseOf } from '../app/actions/actions.ts';
import { machineUser } from '../app/machine-user.ts';
import { CodedError } from '../core/errors.ts';
import type { RunReport } from '../core/run.ts';
import type { CommandContext } from './command.ts';
import { unlessRefused } from './output/run-result.ts';
import { type CommandRun, runAndPrint } from './with-app.ts';

const actor = { name: machineUser(), via: 'cli' } as const;

/** Adds the options of a command that follow from the input of its action. Lists are arguments of the command. */
export function withOptionsOf(name: ActionName, command: Command): Command {
  const { input } = actionTable[name] as unknown as AnyAction;
  for (const [member, optional] of Object.entries(input.shape)) {
    const schema = optional instanceof z.ZodOptional ? optional.unwrap() : optional;
    const description = (optional as z.ZodType).description ?? (schema as z.ZodType).description ?? '';
    if (schema instanceof z.ZodUnion)
      for (const { value, description: meaning } of schema.options as z.ZodLiteral[])
        command.option(`--${value}`, meaning);
    else if (schema instanceof z.ZodBoolean) command.option(`--${member}`, description);
    else if (schema instanceof z.ZodString && member !== 'set') command.option(`--${member} <text>`, description);
  }
  return command;
}

/** Acts as the user of this machine with the ledger alone, by an action that begins no run. */
export function actInLedger<Name extends ActionName>(
  name: Name,
  given: GivenTo<Name>,
  known: Pick<ActionContext['app'], 'config' | 'ledger'>,
  context: CommandContext,
): Promise<ResponseOf<Name>> {
  const contextOf = () => {
    throw new Error('The ledger alone begins no run, and sends nothing.');
  };
  return actHere(name, given, { ...known, contextOf, alerts: { test: contextOf } }, context).then(
    ({ response }) => response,
  );
}

/**
 * Acts as the user of this machine. A run that begins is performed to its end, and its result printed.
 * @returns the exit code of the run, and the response of an action that begins none
 * @throws CodedError FF_USAGE if the options are not what the action asks for
 */
export async function actHere<Name extends ActionName>(
  name: Name,
  given: GivenTo<Name>,
  app: ActionContext['app'],
  context: CommandContext,
  printed: Omit<CommandRun, 'asked'> = {},
): Promise<{ exitCode: number; response: ResponseOf<Name> }> {
  const { input, act } = actionTable[name] as unknown as AnyAction;
  const { sync, run, ...options } = given as Record<string, unknown>;
  const { data, error } = input.safeParse(options);
  if (error) throw new CodedError('FF_USAGE', error.issues.map(({ message }) => message).join(' '));
  let exitCode = 0;
  const begin: ActionContext['begin'] = async (of, asked, start) => {
    exitCode = await runAndPrint(
      context,
      async (request) => {
        const ended = start(app.contextOf(of, request), request);
        return unlessRefused(of, ended as Promise<RunReport | undefined>);
      },
      { asked, ...printed },
    );
    return { run: '', started: true };
  };
  const about = { ...(sync !== undefined && { sync }), ...(run !== undefined && { run }) } as Record<string, string>;
  const response = await act({ ...about, ...data } as never, { app, actor, begin, inBackground: () => {} });
  return { exitCode, response: response as ResponseOf<Name> };
}
