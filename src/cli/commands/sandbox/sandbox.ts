import { once } from 'node:events';
import { join } from 'node:path';
import { CodedError } from '../../../core/errors.ts';
import type { SandboxOptions } from '../../../sandbox/options.ts';
import type { Sandbox } from '../../../sandbox/server.ts';
import { type CommandContext, defineCommand, execute } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { printJson } from '../../output/print.ts';
import { introduce } from './introduction.ts';
import { isThisMachine } from './sandbox-env-file.ts';
import { addSandboxOptions, readSandboxOptions } from './sandbox-options.ts';

/** The address that the examples have by default. */
const USUAL_PORT = 8080;

interface SandboxCommandOptions extends Record<string, unknown> {
  config?: string;
  token?: string;
  data?: string;
  memory?: boolean;
  /** False with `--no-env`. */
  env: boolean;
}

export const sandboxCommand = addSandboxOptions(
  defineCommand('sandbox')
    .option('--token <t>', 'API token (default: CMS_API_TOKEN, unless it may be that of a site; else a random one)')
    .option('--data <dir>', 'where to keep its data (default: sandbox/ in the data directory)')
    .option('--memory', 'keep its data in memory only')
    .option('--no-env', 'do not write its address and token to .env'),
).action(execute(serve));

async function serve(context: CommandContext, options: SandboxCommandOptions): Promise<number> {
  const { environment, json, signal, openLog } = context;
  const { CMS_BASE_URL: site, CMS_API_TOKEN } = environment.variables;
  const isThrowAway = json || options.memory === true;
  // The sandbox does not use the token of a site, so that the token is not written to .env.
  const isOurs = site ? isThisMachine(site) : isThrowAway;
  const { config, token = (isOurs && CMS_API_TOKEN) || undefined, data, memory = false, env } = options;
  if (memory && data) throw new CodedError('FF_USAGE', '--data and --memory exclude each other. Give one of them.');
  const given = readSandboxOptions(options);
  const usualPorts = isThrowAway ? [0] : portsFor(site);
  const log = await openLog({ isService: true });
  const sandbox = await startOnFirst(given.port === undefined ? usualPorts : [given.port], {
    ...given,
    token,
    ...(memory ? { memory } : { dataDir: data ?? join(environment.dataDir, 'sandbox') }),
    onError: (error) => log.error({ err: error }, 'The sandbox failed to handle a request.'),
  });
  try {
    if (json) printJson({ url: sandbox.url, token: sandbox.token });
    else introduce(sandbox, { config, configDir: environment.configDir, writesEnv: env && !memory, memory });
    if (!signal.aborted) await once(signal, 'abort');
  } finally {
    await sandbox.close();
  }
  return EXIT.success;
}

/** The port that the variables already name, so that they stay right; else the usual port, or any port if that is in use. */
function portsFor(site = ''): number[] {
  const port = isThisMachine(site) ? Number(URL.parse(site)?.port) : 0;
  return port > 0 ? [port] : [USUAL_PORT, 0];
}

async function startOnFirst([port, ...others]: number[], options: SandboxOptions): Promise<Sandbox> {
  // The web server is loaded only here, because loading it takes much of a command's start.
  const { startSandbox } = await import('../../../sandbox/server.ts');
  try {
    return await startSandbox({ ...options, port });
  } catch (error) {
    if (others.length === 0 || !(error instanceof CodedError && error.code === 'FF_SANDBOX_PORT')) throw error;
    return startOnFirst(others, options);
  }
}
