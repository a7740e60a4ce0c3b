import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import type { Exchange } from '../../support/cms/exchange.ts';
import { startTestCms } from '../../support/cms/start-cms.ts';
import { temporaryDir } from '../../support/engines.ts';
import { loadedModules, packagesOf } from '../../support/loaded-modules.ts';
import { callerOf, createEvent, events, withSandbox } from './harness.ts';

test('A sandbox ends with the block that it was started in', async () => {
  let url: string;
  {
    await using sandbox = await startTestCms();
    url = sandbox.url;
    expect((await callerOf(sandbox).call('GET', events)).status).toBe(200);
  }
  await expect(fetch(url)).rejects.toThrow();
});

test('A sandbox may be closed twice', async () => {
  await using sandbox = await startTestCms();
  await Promise.all([sandbox.close(), sandbox.close()]);
});

test('The program of a test sets faults and reads what was requested', async () => {
  await using sandbox = await startTestCms({ faults: { faults: [{ kind: 'error' }] } });
  const api = callerOf(sandbox);
  expect((await api.call('GET', events)).status).toBe(500);
  sandbox.setFaults({ faults: [{ kind: 'error', status: 503, route: '/calendar/events', skip: 1 }] });
  expect((await api.call('GET', events)).status).toBe(200);
  expect((await api.call('GET', events)).status).toBe(503);
  sandbox.setFaults();
  expect((await api.call('GET', events)).status).toBe(200);
  await vi.waitFor(() => expect(sandbox.stats()).toMatchObject({ total: 4, answers: { 200: 2, 500: 1, 503: 1 } }));
  sandbox.clearStats();
  expect(sandbox.stats().total).toBe(0);
});

test('An error of onExchange is reported, and ends nothing', async () => {
  const errors: unknown[] = [];
  const onExchange = ({ status }: Exchange) => {
    throw new Error(`no good: ${status}`);
  };
  await using sandbox = await startTestCms({ onExchange, onError: (error) => errors.push(error) });
  await callerOf(sandbox).call('GET', events);
  await vi.waitFor(() => expect(errors).toEqual([new Error('no good: 200')]));
  expect((await callerOf(sandbox).call('GET', events)).status).toBe(200);
});

describe('The clock', () => {
  const api = withSandbox();
  const clock = '/_sandbox/clock';
  const flags = async (id: number) => {
    const { isToday, isPastEvent } = (await api.call('GET', `${events}/${id}`)).body;
    return { isToday, isPastEvent };
  };

  test('can be set over HTTP, runs on from there, and can be set back', async () => {
    const { id } = await createEvent(api, { date: '2031-05-04', endDate: '2031-05-04' });
    expect(await flags(id)).toEqual({ isToday: false, isPastEvent: false });
    expect((await api.call('PUT', clock, { now: '2031-05-04T11:29:00+02:00' })).body.now).toMatch(
      /^2031-05-04T09:29:0/,
    );
    expect(await flags(id)).toEqual({ isToday: true, isPastEvent: false });
    await api.call('PUT', clock, { now: '2031-05-04T11:30:01Z' });
    expect(await flags(id)).toEqual({ isToday: true, isPastEvent: true });
    const first = (await api.call('GET', clock)).body.now;
    await vi.waitFor(async () => expect((await api.call('GET', clock)).body.now > first).toBe(true));
    expect((await api.call('DELETE', clock)).status).toBe(204);
    expect(Math.abs(Date.parse((await api.call('GET', clock)).body.now) - Date.now())).toBeLessThan(60_000);
    expect((await api.call('PUT', clock, { now: 'tomorrow' })).status).toBe(422);
  });

  test('can be set by the program of a test', async () => {
    await using sandbox = await startTestCms({ now: () => 0 });
    const { now } = (await callerOf(sandbox).call('GET', clock)).body;
    sandbox.setNow('2030-05-01T12:00:00Z');
    const later = (await callerOf(sandbox).call('GET', clock)).body.now;
    sandbox.setNow();
    const back = (await callerOf(sandbox).call('GET', clock)).body.now;
    expect([now, later, back]).toEqual([
      '1970-01-01T00:00:00.000Z',
      '2030-05-01T12:00:00.000Z',
      '1970-01-01T00:00:00.000Z',
    ]);
  });
});

describe('The program of the documentation', () => {
  const root = join(import.meta.dirname, '../../..');
  const [, program = ''] = /```ts\n(.*?)```/s.exec(readFileSync(join(root, 'docs/sandbox.md'), 'utf8')) ?? [];

  test('runs unchanged, and its test passes', async () => {
    using dir = temporaryDir();
    const sources = { 'feedferry/cms': 'cms/client.ts', 'feedferry/sandbox': 'sandbox/server.ts' };
    const imported = Object.entries(sources).reduce((code, [name, file]) => {
      expect(code).toContain(`from '${name}'`);
      return code.replace(`'${name}'`, `'${new URL(`../../../src/${file}`, import.meta.url).href}'`);
    }, program);
    writeFileSync(join(dir.path, 'example.ts'), imported);
    const options = ['--disable-warning=ExperimentalWarning', '--test-reporter=tap', 'example.ts'];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, options, { cwd: dir.path });
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^# pass 1\n# fail 0$/m);
  });

  test('imports names that the package exports', () => {
    const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(exports['./sandbox']).toBe('./dist/src/sandbox/server.js');
  });
});

test('The sandbox loads nothing of the client, the ledger, the queue or the syncs', async () => {
  const { files } = await loadedModules(['src/sandbox/server.ts']);
  const rooms = files.flatMap((file) => /^src\/(\w+)\//.exec(file)?.[1] ?? []);
  expect([...new Set(rooms)].toSorted()).toEqual(['core', 'sandbox']);
  const packages = packagesOf(files);
  expect(packages).toContain('fastify');
  expect(packages.filter((name) => /bullmq|ioredis|pg|kysely|undici|node-ical/.test(name))).toEqual([]);
});
