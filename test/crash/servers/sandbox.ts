import { cpSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultPlan } from '../../support/cms/faults.ts';
import type { TestCmsStats } from '../../support/cms/stats.ts';
import { type Child, killHard, startChild } from '../child.ts';
import { untilReady } from '../until.ts';

const CMS = join(import.meta.dirname, '../../support/cms/main.ts');
export const TOKEN = 'token-of-the-crash-suite';

export type Item = { id: number } & Record<string, unknown>;

/** The CMS in a process of its own, on a durable store. It comes back after SIGKILL on the same port. */
export interface CrashingSandbox {
  url: string;
  restart(downMs: number): Promise<void>;
  /** Keeps a copy of its items. */
  backUp(): Promise<void>;
  /** Replaces its items with that copy. Uploaded files stay. */
  restore(): Promise<void>;
  /** Creates an item, over the API. */
  create(resource: 'calendar/events' | 'account/accounts', attributes: object): Promise<void>;
  /** The faults in force from now on, after a restart too. */
  setFaults(plan: FaultPlan): Promise<void>;
  /** Requests by method and route since the first start; those that a kill cut off are not among them. */
  requests(): Promise<Record<string, number>>;
  /** All items of a resource, over the API. */
  items(resource: 'calendar/events' | 'account/accounts'): Promise<Item[]>;
  isRunning(): boolean;
  /** An uploaded file. */
  file(src: string): Promise<Buffer>;
  stop(): Promise<void>;
}

export async function startSandbox(dir: string): Promise<CrashingSandbox> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const headers = { Accept: 'application/json', 'User-Agent': 'crash-suite', Authorization: `Bearer ${TOKEN}` };
  const [data, backup] = [join(dir, 'cms'), join(dir, 'cms-backup')];
  let faults: FaultPlan = { seed: 1, faults: [] };
  let before: Record<string, number> = {};
  let starts = 0;
  let server = await start();

  return {
    url,
    restart: (downMs) => restart(() => sleep(downMs)),
    backUp: () => restart(() => cpSync(data, backup, { recursive: true })),
    restore: () =>
      restart(() => {
        // The log of a store must not meet the backup of another time.
        for (const end of ['-wal', '-shm']) rmSync(`${join(data, 'sandbox.sqlite')}${end}`, { force: true });
        cpSync(backup, data, { recursive: true });
      }),
    async setFaults(plan) {
      faults = plan;
      await putFaults();
    },
    requests,
    async items(resource) {
      const all: Item[] = [];
      for (let page = 1; ; page++) {
        const { data } = await get<{ data: Item[] }>(`/api/v1/${resource}?limit=100&page=${page}`);
        all.push(...data);
        if (data.length < 100) return all;
      }
    },
    async create(resource, attributes) {
      const post = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' } };
      const response = await fetch(`${url}/api/v1/${resource}`, { ...post, body: JSON.stringify(attributes) });
      if (!response.ok) throw new Error(`an item was refused: ${await response.text()}`);
    },
    async file(src) {
      const response = await fetch(url + src);
      if (!response.ok) throw new Error(`GET ${src}: ${response.status}`);
      return Buffer.from(await response.arrayBuffer());
    },
    isRunning: () => server.isRunning(),
    stop: () => killHard(server),
  };

  async function start(): Promise<Child> {
    starts += 1;
    const log = join(dir, 'logs', `sandbox-${starts}`);
    const args = ['--disable-warning=ExperimentalWarning', CMS, String(port), TOKEN, data, 'America/New_York'];
    const child = startChild(process.execPath, args, log);
    await untilReady(child, 'the sandbox', (said) => said.includes('\n'));
    return child;
  }

  async function restart(whileDown: () => unknown): Promise<void> {
    before = await requests();
    await killHard(server);
    await whileDown();
    server = await start();
    await putFaults();
  }

  async function requests(): Promise<Record<string, number>> {
    const { requests: since } = await get<TestCmsStats>('/_sandbox/stats');
    const routes = [...new Set([...Object.keys(before), ...Object.keys(since)])];
    return Object.fromEntries(routes.map((route) => [route, (before[route] ?? 0) + (since[route] ?? 0)]));
  }

  async function putFaults(): Promise<void> {
    const body = JSON.stringify(faults);
    const put = { method: 'PUT', headers: { ...headers, 'Content-Type': 'application/json' }, body };
    const response = await fetch(`${url}/_sandbox/faults`, put);
    if (!response.ok) throw new Error(`the faults were refused: ${await response.text()}`);
  }

  async function get<T>(path: string): Promise<T> {
    const response = await fetch(url + path, { headers });
    if (!response.ok) throw new Error(`GET ${path}: ${response.status}`);
    return (await response.json()) as T;
  }
}

/** A free port below those that the system gives to outgoing connections: while the sandbox is down, none may take it. */
async function freePort(): Promise<number> {
  const port = 10_000 + Math.floor(Math.random() * 20_000);
  const free = await new Promise<boolean>((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
  return free ? port : freePort();
}
