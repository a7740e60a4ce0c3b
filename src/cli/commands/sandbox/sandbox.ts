import { once } from 'node:events';
import { join } from 'node:path';
import { CodedError } from '../../../core/errors.ts';
import { type CommandContext, defineCommand, execute } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { print, printJson } from '../../output/print.ts';
import { addSandboxOptions, readSandboxOptions } from './sandbox-options.ts';

interface SandboxCommandOptions extends Record<string, unknown> {
  token?: string;
  data?: string;
  memory?: boolean;
}

export const sandboxCommand = addSandboxOptions(
  defineCommand('sandbox')
    .option('--token <t>', 'API token (default: CMS_API_TOKEN, else a random one)')
    .option('--data <dir>', 'where to keep its data (default: sandbox/ in the data directory)')
    .option('--memory', 'keep its data in memory only'),
).action(execute(serve));

async function serve(context: CommandContext, options: SandboxCommandOptions): Promise<number> {
  const { environment, json, signal, openLog } = context;
  const { token = environment.variables.CMS_API_TOKEN || undefined, data, memory } = options;
  if (memory && data) throw new CodedError('FF_USAGE', '--data and --memory exclude each other. Give one of them.');
  // The web server is loaded only if it is used: loading it takes a good part of a command's start.
  const { startSandbox } = await import('../../../sandbox/server.ts');
  const log = await openLog();
  const sandbox = await startSandbox({
    ...readSandboxOptions(options),
    token,
    ...(memory ? { memory } : { dataDir: data ?? join(environment.dataDir, 'sandbox') }),
    onError: (error) => log.error({ err: error }, 'The sandbox failed to handle a request.'),
  });
  try {
    if (json) printJson({ url: sandbox.url, token: sandbox.token });
    else print(`CMS_BASE_URL=${sandbox.url}\nCMS_API_TOKEN=${sandbox.token}`);
    if (!signal.aborted) await once(signal, 'abort');
  } finally {
    await sandbox.close();
  }
  return EXIT.success;
}
