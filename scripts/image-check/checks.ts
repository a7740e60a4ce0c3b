import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type Containers, explain } from './containers.ts';

export interface Check {
  name: string;
  /** @throws Error that describes the problem */
  run(): Promise<void>;
}

const root = join(import.meta.dirname, '../..');
/** The runs of `feedferry demo`: three syncs, three times. */
const DEMO_RUNS = 9;
/** Variables with the address of a CMS that does not exist. */
const NO_SITE = { CMS_API_TOKEN: 'none', CMS_BASE_URL: 'http://127.0.0.1:1', CMS_TIMEZONE: 'UTC' };
/** The image has no examples. */
const EXAMPLES = [{ source: join(root, 'examples'), target: '/app/examples' }];

/** Returns the checks of a single container. */
export function checksOf({ run, start }: Containers): Check[] {
  return [
    { name: 'it has the version of package.json', run: hasVersion },
    { name: 'it runs as user 1000', run: runsAsUser },
    { name: 'its program cannot be changed', run: isReadOnly },
    { name: 'it contains the license and the bill of materials', run: hasPapers },
    { name: 'it runs the demo only if it is given the examples', run: lacksExamples },
    { name: 'it runs the demo on a read-only root', run: runsDemo },
    { name: 'it has what Redis needs', run: looksForRedis },
    { name: 'start becomes healthy, and SIGTERM ends it with 143', run: startsAndStops },
  ];

  async function hasVersion(): Promise<void> {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    const printed = await print({ args: ['--version'] });
    if (printed !== version) throw new Error(`its version is ${printed} in place of ${version}`);
  }

  async function runsAsUser(): Promise<void> {
    const id = await print({ entrypoint: 'id', args: ['-u'] });
    if (id !== '1000') throw new Error(`the program runs as user ${id}`);
  }

  async function isReadOnly(): Promise<void> {
    const { code } = await run({ entrypoint: 'touch', args: ['/app/x'] });
    if (code === 0) throw new Error('the program can be changed');
  }

  async function hasPapers(): Promise<void> {
    const license = await print({ entrypoint: 'cat', args: ['LICENSE'] });
    if (license !== readFileSync(join(root, 'LICENSE'), 'utf8').trim()) throw new Error('LICENSE is another one');
    const { components } = JSON.parse(await print({ entrypoint: 'cat', args: ['feedferry.cdx.json'] })) as {
      components: Array<{ name: string; version: string }>;
    };
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const listed = new Set(components.map(({ name, version }) => `${name}@${version}`));
    const missing = Object.entries(dependencies).filter(([name, version]) => !listed.has(`${name}@${version}`));
    if (missing.length > 0) throw new Error(`the bill of materials lacks ${missing.map(([name]) => name).join(', ')}`);
  }

  async function lacksExamples(): Promise<void> {
    const end = await run({ args: ['demo'] });
    if (end.code !== 2) throw new Error(`the image has examples: ${explain(end)}`);
  }

  async function runsDemo(): Promise<void> {
    const printed = await print({ args: ['demo', '--json'], mounts: EXAMPLES });
    const { runs } = JSON.parse(printed.split('\n').at(-1) ?? '') as { runs: unknown[] };
    if (runs.length !== DEMO_RUNS) throw new Error(`the demo had ${runs.length} runs in place of ${DEMO_RUNS}`);
  }

  /** Checks that the image has the packages for Redis: only the Redis server is missing. */
  async function looksForRedis(): Promise<void> {
    const env = { ...NO_SITE, REDIS_URL: 'redis://127.0.0.1:1' };
    const end = await run({ args: ['sync', 'staff', '--config', 'examples'], env, mounts: EXAMPLES });
    if (!end.stderr.includes('FF_QUEUE_UNAVAILABLE')) throw new Error(`unexpected: ${explain(end)}`);
  }

  /** Tries another port if a process has taken the free one meanwhile. */
  async function startsAndStops(ports = 3): Promise<void> {
    const container = start({ args: [], env: { ...NO_SITE, HTTP_PORT: String(await freePort()) } });
    try {
      await container.untilHealthy();
    } catch (error) {
      if (ports > 1 && String(error).includes('EADDRINUSE')) return startsAndStops(ports - 1);
      throw error;
    }
    const end = await container.stop();
    if (end.code !== 143) throw new Error(`the container ended with ${explain(end)}`);
  }

  /** Runs a container that must succeed, and returns its output. */
  async function print(options: Parameters<Containers['run']>[0]): Promise<string> {
    const end = await run(options);
    if (end.code !== 0) throw new Error(explain(end));
    return end.stdout.trim();
  }
}

/** Returns a port of this machine that is free now. */
export function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
