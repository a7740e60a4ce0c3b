import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { isGone, thisProcess } from '../../../../src/ledger/database/lease-holder.ts';

test('this process is not gone; one that ended on this machine is', () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  expect(isGone(thisProcess)).toBe(false);
  expect(isGone(`${hostname()}/${pid}/token`)).toBe(true);
  expect(isGone(`${hostname()}/${process.ppid}/token`)).toBe(false);
});

test('an earlier process with this process id is gone', () => {
  expect(isGone(`${hostname()}/${process.pid}/another`)).toBe(true);
});

test('of another machine nothing is certain', () => {
  expect(isGone('elsewhere/1/token')).toBe(false);
});
