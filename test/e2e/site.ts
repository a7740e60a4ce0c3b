import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pino } from 'pino';
import { inject } from 'vitest';
import { type App, type AppOptions, openApp } from '../../src/app/app.ts';
import { type Environment, readEnvironment } from '../../src/app/environment.ts';
import { loadAppConfig } from '../../src/app/load-config.ts';
import { sha256 } from '../../src/core/hash.ts';
import type { RunReport } from '../../src/core/run.ts';
import type { RunContext, RunProgress, RunRequest } from '../../src/sync/context/run-context.ts';
import type { Story } from '../../src/sync/explain/explain-record.ts';
import { explainRecord } from '../../src/sync/explain/explain-record.ts';
import { adoptRun } from '../../src/sync/runs/adopt-run.ts';
import { approveRun } from '../../src/sync/runs/approve-run.ts';
import { retryRun } from '../../src/sync/runs/retry-run.ts';
import { syncRun } from '../../src/sync/runs/sync-run.ts';
import type { TestCmsOptions } from '../support/cms/start-cms.ts';
import { startTestCms, type TestCms } from '../support/cms/start-cms.ts';
import {
  createDatabase,
  hasEngine,
  ledgerEngines,
  queueEngines,
  removeQueues,
  temporaryDir,
} from '../support/engines.ts';
import type { TestDatabase } from '../support/postgres-database.ts';
import { createSqliteLedger } from '../support/sqlite-template.ts';

export interface Engines {
  ledger: (typeof ledgerEngines)[number];
  queue: (typeof queueEngines)[number];
}

/** All combinations of ledger and queue for which this test run has the servers. */
export const combinations: Engines[] = ledgerEngines
  .filter(hasEngine)
  .flatMap((ledger) => queueEngines.filter(hasEngine).map((queue) => ({ ledger, queue })));

/** Engines for tests whose result cannot depend on the engines. They need no servers. */
export const simplest: Engines = { ledger: 'sqlite', queue: 'in-process' };

/** Combinations without a common engine. They cover each engine, but not every pair of engines. */
export const farthest: Engines[] = combinations.filter(
  ({ ledger, queue }) => (ledger === 'sqlite') === (queue === 'in-process'),
);

/** A website with a sandbox for a CMS, a config folder, and a ledger and queue of its own. */
export interface Site extends AsyncDisposable {
  sandbox: TestCms;
  /** Absolute folder that holds config/ and data/. */
  dir: string;
  /** Environment variables for a process that works on this site. */
  variables: Record<string, string>;
  environment(): Environment;
  /** Writes a file below config/. */
  write(path: string, content: string | Uint8Array): void;
  /** Runs all syncs, or the named ones, each in its own run, as one process does. */
  sync(
    names?: string[],
    options?: { signal?: AbortSignal; onProgress?: (progress: RunProgress) => void },
  ): Promise<RunReport[]>;
  /** Opens the app for an action, like one process, and then closes it. */
  withApp<T>(action: (app: App) => Promise<T>, options?: AppOptions): Promise<T>;
  /** Opens the app for an action on a sync: the first sync, unless another is named. */
  withContext<T>(action: (context: RunContext) => Promise<T>, options?: ContextOptions): Promise<T>;
  /** Retries the named records of a sync, or else all. */
  retry(sync: string, keys?: string[]): Promise<RunReport | undefined>;
  /** Applies the plan of a held run. */
  approve(sync: string, run: string): Promise<RunReport>;
  /** Assigns an item of the CMS to a record. */
  adopt(sync: string, key: string, id: number): Promise<RunReport>;
  /** How a record is explained, and the attempts to deliver it, newest first. */
  explain(
    sync: string,
    key: string,
  ): Promise<Story & { history: Awaited<ReturnType<App['ledger']['history']['deliveries']>> }>;
  /** Sends a request of an editor to the CMS, or of a test to the sandbox. `writes` does not count such requests. */
  request(method: string, path: string, body?: object): Promise<Item>;
  /** Returns all items of a resource, read from the API. */
  items(resource: 'calendar/events' | 'account/accounts', query?: string): Promise<Item[]>;
  /** Returns the numbers of requests since the last call that changed something, by kind. */
  writes(): Record<string, number>;
}

type ContextOptions = Partial<RunRequest> & { sync?: string };

export type Item = { id: number } & Record<string, unknown>;

export interface SiteOptions extends TestCmsOptions {
  /** Further lines of `target`. */
  target?: string;
  /** Whether there is no ledger yet, if it is SQLite; by default, its tables exist. */
  isNew?: boolean;
}

export async function openSite(engines: Engines, options: SiteOptions = {}): Promise<Site> {
  const { target = '', isNew = false, ...sandboxOptions } = options;
  const dir = temporaryDir();
  const sandbox = await startTestCms({ memory: true, timezone: 'America/New_York', ...sandboxOptions });
  const database: TestDatabase | undefined = engines.ledger === 'postgresql' ? await createDatabase() : undefined;
  const variables = {
    HTTP_PORT: 'off',
    CMS_BASE_URL: sandbox.url,
    CMS_API_TOKEN: sandbox.token,
    FEEDFERRY_CONFIG: join(dir.path, 'config'),
    FEEDFERRY_DATA: join(dir.path, 'data'),
    LOG_LEVEL: 'silent',
    ...(database ? { DATABASE_URL: database.url } : {}),
    ...(engines.queue === 'bullmq' ? { REDIS_URL: inject('redisUrl') } : {}),
  };
  if (!database && !isNew) await createSqliteLedger(variables.FEEDFERRY_DATA);
  let writesBefore: Record<string, number> = {};

  const site: Site = {
    sandbox,
    dir: dir.path,
    variables,
    environment: () => readEnvironment(variables),
    write(path, content) {
      const file = join(dir.path, 'config', path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    },
    sync(names, { signal = new AbortController().signal, onProgress } = {}) {
      return site.withApp(
        async (app) => {
          const reports: RunReport[] = [];
          for (const sync of app.config.syncs.filter(({ name }) => names?.includes(name) ?? true)) {
            reports.push(await syncRun(app.contextOf(sync, { signal, ...(onProgress ? { onProgress } : {}) })));
          }
          return reports;
        },
        { signal },
      );
    },
    async withApp(action, options) {
      const environment = site.environment();
      const app = await openApp(loadAppConfig(environment), environment, pino({ level: 'silent' }), options);
      try {
        return await action(app);
      } finally {
        await app.close();
      }
    },
    withContext: (action, { sync: name, ...options } = {}) =>
      site.withApp((app) => {
        const sync = app.config.syncs.find((candidate) => name === undefined || candidate.name === name);
        if (!sync) throw new Error(`no sync is named ${name}`);
        return action(app.contextOf(sync, { signal: new AbortController().signal, ...options }));
      }),
    retry: (sync, keys) => site.withContext((context) => retryRun(keys, context), { sync }),
    approve: (sync, run) => site.withContext((context) => approveRun(run, context), { sync }),
    adopt: (sync, key, id) => site.withContext((context) => adoptRun(key, id, context), { sync }),
    explain: (sync, key) =>
      site.withContext(
        async (context) => {
          const found = await explainRecord(key, context);
          if ('matches' in found) throw new Error(`${found.matches.length} records fit "${key}"`);
          return { ...found, history: await context.ledger.history.deliveries(sync, found.key) };
        },
        { sync },
      ),
    async request(method, path, body) {
      const headers = {
        Accept: 'application/json',
        'User-Agent': 'editor',
        Authorization: `Bearer ${sandbox.token}`,
        ...(body ? { 'Content-Type': 'application/json' } : {}),
      };
      const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
      const response = await fetch(`${sandbox.url}/${path}`, init);
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      site.writes();
      return (response.status === 204 ? undefined : await response.json()) as Item;
    },
    async items(resource, query = '') {
      const headers = { Accept: 'application/json', 'User-Agent': 'test', Authorization: `Bearer ${sandbox.token}` };
      const response = await fetch(`${sandbox.url}/api/v1/${resource}?limit=100${query}`, { headers });
      return ((await response.json()) as { data: Item[] }).data;
    },
    writes() {
      const { requests } = sandbox.stats();
      const kinds = Object.keys(requests).filter((kind) => !kind.startsWith('GET '));
      const since = kinds.map((kind) => [kind, (requests[kind] ?? 0) - (writesBefore[kind] ?? 0)] as const);
      writesBefore = requests;
      return Object.fromEntries(since.filter(([, count]) => count > 0));
    },
    async [Symbol.asyncDispose]() {
      await sandbox.close();
      await database?.drop();
      if (engines.queue === 'bullmq') await removeQueues(queueOf(variables.CMS_BASE_URL));
      dir[Symbol.dispose]();
    },
  };
  writeTarget(site, `  externalId: source_key\n  concurrency: 4\n  backoff: 200ms\n  lookupAfter: 200ms\n${target}`);
  return site;
}

/**
 * Writes another feedferry.yaml for a site.
 * @param more further lines of `target`; without `externalId`, items are only recognised by their attributes
 */
export function writeTarget(site: Site, more: string): void {
  site.write(
    'feedferry.yaml',
    `target:
  baseUrl: \${CMS_BASE_URL}
  token: \${CMS_API_TOKEN}
  timezone: America/New_York
${more}`,
  );
}

/** The name of the queue for a site. */
export function queueOf(baseUrl: string): string {
  return `feedferry-${sha256(baseUrl).slice(0, 16)}`;
}

/** Returns a small real PNG, different for every shade. */
export function png(shade: number): Uint8Array {
  // One transparent pixel; trailing bytes after IEND change the content, and image readers ignore them.
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
  return Buffer.concat([Buffer.from(pixel, 'base64'), Buffer.from([shade])]);
}
