// Stands in for `docker`: runs the program of the checkout with the mounts, variables and secrets that a container would have.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { MAIN } from '../../support/program.ts';

interface Container {
  workdir: string;
  /** Pairs of a folder of this machine and its place in the container. */
  mounts: Array<readonly [string, string]>;
  env: Record<string, string | undefined>;
  args: string[];
}

interface Compose {
  services: Record<string, { environment: Record<string, string>; secrets: string[]; volumes: string[] }>;
  secrets: Record<string, { file: string }>;
}

const [command, ...rest] = process.argv.slice(2);
if (command === 'run') process.exitCode = run(ofRun(rest));
else if (command === 'compose') process.exitCode = run(ofCompose(rest));
else if (command !== 'build') throw new Error(`docker ${command} is not played`);

function ofRun(given: string[]): Container {
  const { values, positionals } = parseArgs({
    args: given,
    allowPositionals: true,
    strict: false,
    options: {
      volume: { type: 'string', multiple: true },
      env: { type: 'string', multiple: true },
      ...{ user: { type: 'string' }, workdir: { type: 'string' }, rm: { type: 'boolean' } },
    },
  });
  const image = given.indexOf(positionals[0] ?? '');
  return {
    workdir: String(values.workdir),
    mounts: (values.volume as string[]).map((volume) => volume.split(':') as [string, string]),
    // The volume of the image belongs to its own user.
    env: {
      FEEDFERRY_DATA: '/dev/null/data',
      ...Object.fromEntries((values.env as string[]).map((name) => [name, process.env[name]])),
    },
    args: given.slice(image + 1),
  };
}

/** `compose --file FILE run --rm SERVICE ARGS…` */
function ofCompose([, file = '', , , service = '', ...args]: string[]): Container {
  const { services, secrets } = parse(readFileSync(file, 'utf8')) as Compose;
  const { environment, volumes, secrets: own } = services[service]!;
  const env = Object.entries(environment).map(([name, text]) => {
    const [, variable = '', otherwise = ''] = /^\$\{(\w+):([?-].*)\}$/.exec(text) ?? [];
    if (variable && !process.env[variable] && otherwise.startsWith('?')) throw new Error(`${variable}: ${otherwise}`);
    return [name, variable ? (process.env[variable] ?? otherwise.slice(1)) : text] as const;
  });
  const named = volumes.map((volume) => volume.split(':') as [string, string]);
  return {
    workdir: '/app',
    mounts: [
      ...named.map(([from, to]) => [from.startsWith('.') ? from : join(process.env.VOLUMES!, from), to] as const),
      ...own.map((name) => [secrets[name]!.file, `/run/secrets/${name}`] as const),
    ],
    env: { FEEDFERRY_DATA: '/data', ...Object.fromEntries(env) },
    args,
  };
}

/** Runs the program in a folder that has the mounts as links. Returns its exit code. */
function run({ workdir, mounts, env, args }: Container): number {
  const files = mkdtempSync(join(tmpdir(), 'feedferry-container-'));
  const isMounted = (path = '') => mounts.some(([, to]) => path.startsWith(to));
  for (const [from, to] of mounts) {
    mkdirSync(dirname(join(files, to)), { recursive: true });
    if (!from.startsWith('.')) mkdirSync(from, { recursive: true });
    symlinkSync(resolve(from), join(files, to));
  }
  const variables = Object.entries(env).map(([name, value]) => [name, isMounted(value) ? join(files, value!) : value]);
  const options = ['--disable-warning=ExperimentalWarning', MAIN, ...args];
  const { PATH, HOME } = process.env;
  const { status } = spawnSync(process.execPath, options, {
    cwd: join(files, workdir),
    env: { PATH, HOME, ...Object.fromEntries(variables), HTTP_PORT: 'off' },
    stdio: 'inherit',
  });
  return status ?? 1;
}
