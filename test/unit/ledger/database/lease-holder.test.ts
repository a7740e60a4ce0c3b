import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { isGone, thisProcess } from '../../../../src/ledger/database/lease-holder.ts';

test('This process counts as alive, and an exited one of this machine as exited', () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  expect(isGone(thisProcess)).toBe(false);
  expect(isGone(`${hostname()}/${pid}/token`)).toBe(true);
  expect(isGone(`${hostname()}/${process.ppid}/token`)).toBe(false);
});

test('An earlier process with this process id counts as exited', () => {
  expect(isGone(`${hostname()}/${process.pid}/another`)).toBe(true);
});

test('A process of another machine never counts as exited', () => {
  expect(isGone('elsewhere/1/token')).toBe(false);
});
