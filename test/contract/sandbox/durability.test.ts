import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { CodedError } from '../../../src/core/errors.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { startTestCms } from '../../support/cms/start-cms.ts';
import { callerOf, createEvent, eventBody, events, onePixelPng } from './harness.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A sandbox in a process of its own. */
async function sandboxProcess(dataDir: string) {
  const server = JSON.stringify(new URL('../../../src/sandbox/server.ts', import.meta.url).href);
  const script = `const { startSandbox } = await import(${server});
    const { url, token } = await startSandbox({ dataDir: ${JSON.stringify(dataDir)} });
    console.log(JSON.stringify({ url, token }));`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  for await (const line of createInterface({ input: child.stdout })) return { child, ...JSON.parse(line) };
  throw new Error('The sandbox did not start.');
}

describe('Durability', () => {
  test('Confirmed writes survive SIGKILL in the middle of others', async () => {
    const dataDir = join(folder, 'killed');
    const { child, url, token } = await sandboxProcess(dataDir);
    const exited = once(child, 'exit');
    onTestFinished(() => void child.kill('SIGKILL'));
    const killed = callerOf({ url, token });
    const form = new FormData();
    form.set('upload', new Blob([new Uint8Array(onePixelPng)]), 'a.png');
    const { src } = (await killed.call('POST', '/calendar/upload?attribute=image', form)).body;
    const answered: number[] = [];
    async function write(): Promise<void> {
      for (;;) {
        answered.push((await createEvent(killed, { image: { src } })).id);
        if (answered.length === 100) child.kill('SIGKILL');
      }
    }
    await Promise.allSettled([write(), write(), write(), write()]);
    await exited;
    expect(answered.length).toBeGreaterThanOrEqual(100);

    const sandbox = await startSandbox({ dataDir });
    const api = callerOf(sandbox);
    for (const id of answered) expect((await api.call('GET', `${events}/${id}`)).status).toBe(200);
    expect((await fetch(sandbox.url + src)).status).toBe(200);
    expect((await createEvent(api, { image: { src } })).id).toBeGreaterThan(Math.max(...answered));
    await sandbox.close();
  });

  test('Data in memory are lost on exit', async () => {
    const first = await startSandbox({ memory: true });
    await createEvent(callerOf(first));
    await first.close();
    const second = await startSandbox({ memory: true });
    expect((await callerOf(second).call('GET', events)).body.totalItems).toBe(0);
    await second.close();
  });
});

describe('Start and close', () => {
  test('A port in use, or an invalid one, is FF_SANDBOX_PORT', async () => {
    const sandbox = await startSandbox({ memory: true });
    const port = Number(new URL(sandbox.url).port);
    await expect(startSandbox({ memory: true, port })).rejects.toMatchObject({
      code: 'FF_SANDBOX_PORT',
      message: expect.stringContaining(String(port)),
    });
    await expect(startSandbox({ memory: true, port: 70_000 })).rejects.toMatchObject({ code: 'FF_SANDBOX_PORT' });
    await sandbox.close();
  });

  test('An impossible data directory is FF_DATA_DIR', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    await expect(startSandbox({ dataDir: join(file, 'sub') })).rejects.toMatchObject({ code: 'FF_DATA_DIR' });
  });

  test('Invalid options are reported by name', async () => {
    const refused = startSandbox({ memory: true, timezone: 'Mars/Olympus' });
    await expect(refused).rejects.toBeInstanceOf(CodedError);
    await expect(refused).rejects.toThrow('timezone');
  });

  test('A close ends requests that a fault holds', async () => {
    const sandbox = await startTestCms({ memory: true, faults: { faults: [{ kind: 'latency', ms: 60_000 }] } });
    const held = callerOf(sandbox)
      .call('POST', events, eventBody)
      .catch(() => 'ended');
    while (sandbox.stats().inFlight === 0) await new Promise(setImmediate);
    await sandbox.close();
    await held;
    await expect(fetch(sandbox.url)).rejects.toThrow();
  });
});
