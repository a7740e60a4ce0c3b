import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { isGone, thisMachine, thisProcess } from '../../../../src/core/runtime/process-name.ts';

test('This process counts as alive, and an exited one of this machine as exited', () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  expect(isGone(thisProcess)).toBe(false);
  expect(isGone(`${thisProcess}/part`)).toBe(false);
  expect(isGone(`${thisMachine}/${pid}@1/token`)).toBe(true);
  expect(isGone(`${thisMachine}/${process.ppid}/token`)).toBe(false);
});

test('An earlier process with the id of one that is alive counts as exited', () => {
  expect(isGone(`${thisMachine}/${process.pid}@1/another`)).toBe(true);
  expect(isGone(`${thisMachine}/${process.ppid}@1/another`)).toBe(process.platform === 'linux');
});

test('Nothing is known of a process in another container or on another machine', () => {
  expect(isGone(`elsewhere/${process.pid}@1/token`)).toBe(false);
  expect(isGone('')).toBe(false);
});

test.runIf(process.platform === 'linux')(
  'A container with the same host name and process ids is another machine',
  () => {
    expect(thisMachine).not.toBe(hostname());
    const isolated = [
      '--user',
      '--map-root-user',
      '--pid',
      '--fork',
      '--mount-proc',
      process.execPath,
      '--no-warnings',
    ];
    const script = `import('${import.meta.dirname}/../../../../src/core/runtime/process-name.ts')
    .then(({ isGone, thisMachine }) => console.log(JSON.stringify([isGone(process.argv[1]), thisMachine])))`;
    const { status, stdout } = spawnSync('unshare', [...isolated, '-e', script, thisProcess], { encoding: 'utf8' });
    // Some machines do not allow unprivileged namespaces.
    if (status !== 0) return;
    const [gone, machine] = JSON.parse(stdout);
    expect([gone, machine]).toEqual([false, expect.not.stringMatching(thisMachine)]);
  },
);
