import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { envFileOf, readEnvironmentWithFile } from '../../../app/env-file.ts';
import type { Sandbox } from '../../../sandbox/server.ts';
import { colour, print } from '../../output/print.ts';
import { isThisMachine, type SandboxVariables, writeSandboxVariables } from './sandbox-env-file.ts';

interface Introduction {
  /** The value of `--config`. */
  config?: string | undefined;
  /** The config folder in use. */
  configDir: string;
  /** Whether the other commands are to use the sandbox from now on. */
  writesEnv: boolean;
  memory: boolean;
}

/** Prints the address of the sandbox and the next step, and writes address and token to `.env` for the other commands. */
export function introduce({ url, token }: Sandbox, { config, configDir, writesEnv, memory }: Introduction): void {
  const variables = { CMS_BASE_URL: url, CMS_API_TOKEN: token };
  print(`The sandbox CMS is running. Its events: ${colour('cyan', `${url}/`)}`);
  const obstacle = writesEnv && isThisMachine(url) ? obstacleTo(variables, config) : '';
  if (obstacle === undefined) {
    print(`${envFileOf(process.env, config)} has its address and token, so all other commands use it.`);
  } else {
    if (obstacle) print(`The other commands do not use it: ${obstacle}.`);
    const lines = Object.entries(variables).map(([name, value]) => `  export ${name}='${value}'`);
    print(`To use it, set in the terminal of the other commands:\n${lines.join('\n')}`);
  }
  print(nextStep(configDir));
  print(`Press Ctrl-C to stop it. Its data is ${memory ? 'lost then' : 'kept'}.`);
}

/** Returns why the other commands will not use the sandbox. */
function obstacleTo(variables: SandboxVariables, config: string | undefined): string | undefined {
  const { CMS_BASE_URL: site } = process.env;
  if (site && !isThisMachine(site)) return 'CMS_BASE_URL is set to another site';
  const file = envFileOf(process.env, config);
  const problem = writeSandboxVariables(file, variables);
  if (problem) return problem;
  const { CMS_BASE_URL, CMS_API_TOKEN } = readEnvironmentWithFile(process.env, config).variables;
  const isUsed = CMS_BASE_URL === variables.CMS_BASE_URL && CMS_API_TOKEN === variables.CMS_API_TOKEN;
  return isUsed ? undefined : `CMS_BASE_URL, CMS_API_TOKEN or CMS_API_TOKEN_FILE is set, which overrides ${file}`;
}

function nextStep(configDir: string): string {
  const file = join(configDir, 'feedferry.yaml');
  const target = textOf(file);
  const next = (command: string) => `Next, in another terminal: ${colour('bold', command)}`;
  if (target === undefined) return `${next('feedferry init FEED')}, with a file or an address as FEED`;
  if (target.includes('${CMS_BASE_URL')) return next('feedferry sync');
  return `${file} names another site. To use the sandbox, write there: baseUrl: \${CMS_BASE_URL} and token: \${CMS_API_TOKEN}`;
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
