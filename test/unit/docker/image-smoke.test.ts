import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const stub = join(import.meta.dirname, 'engine-stub.sh');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** The program as the image starts it, from the bundle. */
const bundled = `${process.execPath} --disable-warning=ExperimentalWarning dist/src/cli/main.js`;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'image-smoke-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('scripts/image-smoke.sh', () => {
  test('asks of the image what the program does, and stops its container', { timeout: 120_000 }, () => {
    const { status, stderr, stdout } = smoke({ ENGINE: stub, PROGRAM: bundled });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('The image works. Its size: 300 MB');
    const calls = readFileSync(join(folder, 'calls'), 'utf8').split('\n');
    expect(calls).toContain('build --tag feedferry:smoke .');
    const name = /--name (\S+)/.exec(calls.find((call) => call.startsWith('run --detach')) ?? '')?.[1];
    expect(calls).toContain(`stop -t 20 ${name}`);
    expect(calls.at(-2)).toBe(`rm --force ${name}`);
  });

  test.each([
    ['another version', { VERSION: '0.0.0' }, `image-smoke: the image does not have version ${version}`],
    ['root', { USER_ID: '0' }, 'image-smoke: the program does not run as the user node'],
    ['a program that can be changed', { READ_ONLY: '1' }, 'image-smoke: the program can be changed'],
    ['missing packages for Redis', { SYNC: 'FF_QUEUE_PACKAGES' }, 'image-smoke: unexpected: FF_QUEUE_PACKAGES'],
    ['a failed health check', { HEALTH: 'unhealthy' }, 'image-smoke: the container is unhealthy'],
    ['a kill', { EXIT_CODE: '137' }, 'image-smoke: the container ended with exit code 137 in place of 143'],
    ['an engine that does not run', { INFO: '1' }, `${stub} is installed, but its engine does not run`],
  ])('fails for %s', (_, variables, problem) => {
    const { status, stderr } = smoke({ ENGINE: stub, VERSION: version, ...variables });
    expect([status, stderr]).toEqual([1, expect.stringContaining(problem)]);
  });

  test('says that nothing was checked where there is no engine', () => {
    symlinkSync('/usr/bin/dirname', join(folder, 'dirname'));
    const { status, stderr } = smoke({ PATH: folder });
    expect([status, stderr]).toEqual([1, expect.stringContaining('the image was not built, and nothing was checked')]);
  });
});

function smoke(variables: Record<string, string>) {
  const { PATH = '' } = process.env;
  const env = { PATH, CALLS: join(folder, 'calls'), FEEDFERRY_DATA: join(folder, 'data'), ...variables };
  return spawnSync('/bin/bash', [join(root, 'scripts/image-smoke.sh')], { cwd: folder, env, encoding: 'utf8' });
}
