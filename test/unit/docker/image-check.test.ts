import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeBundle } from '../../../scripts/image-check/bundle.ts';
import { checksOf } from '../../../scripts/image-check/checks.ts';
import { containersOf } from '../../../scripts/image-check/containers.ts';
import type { Engine, RunOptions } from '../../../scripts/image-check/engine.ts';
import { MAIN } from '../../support/program.ts';
import { healthCheckOf, readStages } from './dockerfile.ts';

const root = join(import.meta.dirname, '../../..');
const { version, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const components = Object.entries(dependencies).map(([name, installed]) => ({ name, version: installed }));
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'image-check-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** What a check of the image runs in a container, and what a good image prints. */
const GOOD: Record<string, string> = {
  '--version': `echo ${version}`,
  '-u': 'echo 1000',
  '/app/x': 'exit 1',
  LICENSE: `cat '${root}/LICENSE'`,
  'feedferry.cdx.json': `echo '${JSON.stringify({ components })}'`,
  demo: 'exit 2',
  'demo --json': `echo '{"runs":[1,2,3,4,5,6,7,8,9]}'`,
  'sync staff --config examples': 'echo FF_QUEUE_UNAVAILABLE >&2',
  '': 'trap "exit 143" TERM; while :; do sleep 0.1; done',
};

describe('The checks of the image', () => {
  test('find no problem in a good image', async () => {
    expect(await problemsOf(imageOf({}))).toEqual([]);
  });

  test.each<[string, Record<string, string>, string]>([
    ['another version', { '--version': 'echo 0.0.0' }, `its version is 0.0.0 in place of ${version}`],
    ['root', { '-u': 'echo 0' }, 'the program runs as user 0'],
    ['a program that can be changed', { '/app/x': 'exit 0' }, 'the program can be changed'],
    ['another license', { LICENSE: 'echo MIT' }, 'LICENSE is another one'],
    ['an empty bill of materials', { 'feedferry.cdx.json': `echo '{"components":[]}'` }, 'the bill of materials lacks'],
    ['examples', { demo: 'exit 0' }, 'the image has examples'],
    ['a demo that ends early', { 'demo --json': `echo '{"runs":[]}'` }, 'the demo had 0 runs in place of 9'],
    [
      'missing packages for Redis',
      { 'sync staff --config examples': 'echo FF_QUEUE_PACKAGES >&2' },
      'unexpected: exit code 0',
    ],
    ['an end at the start', { '': 'echo cannot start; exit 1' }, 'exit code 1\ncannot start'],
    [
      'another exit code',
      { '': 'trap "exit 1" TERM; while :; do sleep 0.1; done' },
      'the container ended with exit code 1',
    ],
  ])('report %s', async (_, changed, problem) => {
    expect(await problemsOf(imageOf(changed))).toEqual([expect.stringContaining(problem)]);
  });

  test('report an image without a health check', async () => {
    const engine = { ...imageOf({}), healthCheck: () => undefined };
    expect(await problemsOf(engine)).toEqual(['the image has no health check']);
  });

  test('pass with the program itself: it starts, becomes healthy and stops', { timeout: 120_000 }, async () => {
    const program = `exec ${process.execPath} --disable-warning=ExperimentalWarning ${MAIN}`;
    const started = imageOf({
      '--version': `${program} --version`,
      '': `${program} start`,
    });
    const [, ...check] = healthCheckOf(readStages());
    expect(await problemsOf({ ...started, healthCheck: () => check })).toEqual([]);
  });
});

test('A container without an engine is that of the image, with the changes of its run', () => {
  const rootfs = join(folder, 'rootfs');
  mkdirSync(join(rootfs, 'etc'), { recursive: true });
  writeFileSync(join(rootfs, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\nnode:x:1000:1001::/home/node:/bin/sh\n');
  const config = {
    User: 'node',
    Env: ['PATH=/bin', 'HTTP_PORT=8420'],
    WorkingDir: '/app',
    Entrypoint: ['node', 'main.js'],
    Cmd: ['start'],
  };
  const describe = (options: RunOptions) => {
    writeBundle(folder, { rootfs, config, data: '/volume', ...options });
    return JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
  };

  const { root, process: started } = describe({ args: [], env: { HTTP_PORT: '1', LOG_LEVEL: 'info' } });
  expect(root).toEqual({ path: rootfs, readonly: true });
  expect(started).toEqual({
    user: { uid: 1000, gid: 1001 },
    cwd: '/app',
    args: ['node', 'main.js', 'start'],
    env: ['PATH=/bin', 'HTTP_PORT=1', 'LOG_LEVEL=info'],
    capabilities: {},
    noNewPrivileges: true,
  });
  expect(describe({ args: ['validate'] }).process.args).toEqual(['node', 'main.js', 'validate']);
  const { process: other, mounts } = describe({
    entrypoint: 'id',
    args: ['-u'],
    mounts: [{ source: '/secrets', target: '/run/secrets' }],
  });
  expect(other.args).toEqual(['id', '-u']);
  expect(mounts).toContainEqual({
    destination: '/run/secrets',
    type: 'bind',
    source: '/secrets',
    options: ['bind', 'ro'],
  });
});

async function problemsOf(engine: Engine): Promise<string[]> {
  const containers = containersOf(engine);
  const problems: string[] = [];
  for (const { run } of checksOf(containers)) await run().catch((error: Error) => problems.push(error.message));
  await containers.killAll();
  return problems;
}

/** An engine whose containers are processes of this machine. */
function imageOf(changed: Record<string, string>): Engine {
  const commands = { ...GOOD, ...changed };
  return {
    name: 'none',
    build: () => {},
    size: () => '0 MB',
    healthCheck: () => ['true'],
    run: (name, { args, env = {} }: RunOptions) => [
      ...['env', ...Object.entries({ FEEDFERRY_DATA: join(folder, 'data'), ...env }).map((pair) => pair.join('='))],
      ...['sh', '-c', `echo $$ > ${pidFile(name)}; cd ${root}; ${commands[args.join(' ')]}`],
    ],
    // As in a container, the program finds the variables that the container has.
    exec: (name, command) => [
      'sh',
      '-c',
      'export $(tr "\\0" "\\n" < /proc/$(cat "$0")/environ | grep ^HTTP_PORT=); exec "$@"',
      pidFile(name),
      ...command,
    ],
    signal: (name, signal) => ['sh', '-c', `kill -${signal} $(cat ${pidFile(name)})`],
    clean: () => {},
  };
}

function pidFile(name: string): string {
  return join(folder, name);
}
