import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { knownVariables } from '../deploy/known-variables.ts';
import { cliCommands } from './cli-commands.ts';
import { healthCheckOf, readStages } from './dockerfile.ts';

interface Service {
  image: string;
  build?: string;
  command?: string[];
  entrypoint?: string[];
  user?: string;
  environment?: Record<string, string>;
  secrets?: string[];
  volumes?: string[];
  ports?: string[];
  networks: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck: { test: string[]; interval: string; retries: number };
  logging: { driver: string; options: Record<string, string> };
  read_only?: boolean;
  tmpfs?: string[];
  cap_drop: string[];
  security_opt: string[];
  restart: string;
  stop_grace_period: string;
}

interface Compose<Name extends string> {
  services: Record<Name, Service>;
  secrets: Record<string, { file: string }>;
  volumes: Record<string, unknown>;
  networks: Record<string, { internal?: boolean }>;
}

const root = join(import.meta.dirname, '../../..');
const compose = await readCompose<'scheduler' | 'worker' | 'redis' | 'postgres' | 'backup'>('docker-compose.yml');
const single = await readCompose<'feedferry' | 'backup'>('docker-compose.single.yml');
const { scheduler, worker, redis, postgres, backup } = compose.services;
const { feedferry } = single.services;
const apps = [scheduler, worker];
const healthCheck = healthCheckOf(readStages());

const all = [
  ['docker-compose.yml', compose],
  ['docker-compose.single.yml', single],
] as const;

describe.each(all)('%s', (_, { services, secrets }) => {
  test.each(Object.entries(services))('gives %s no capabilities, and restarts it', (_name, service) => {
    expect(service).toMatchObject({ cap_drop: ['ALL'], restart: 'unless-stopped', read_only: true });
    expect(service.security_opt).toContain('no-new-privileges:true');
    expect(Number.parseInt(service.stop_grace_period, 10)).toBeGreaterThanOrEqual(30);
    expect(service.image).toMatch(/:[\w.-]*\d/); // never "latest"
    expect(service.healthcheck.retries).toBeGreaterThan(1);
    expect(service.logging).toEqual({ driver: 'json-file', options: { 'max-size': '10m', 'max-file': '5' } });
  });

  test('has its secrets in files only', () => {
    for (const { environment = {}, secrets: own = [] } of Object.values(services)) {
      for (const [name, value] of Object.entries(environment)) {
        if (name.endsWith('_FILE')) expect(own).toContain(value.replace('/run/secrets/', ''));
        else expect(name).not.toMatch(/TOKEN|PASSWORD|SECRET|(DATABASE|REDIS)_URL/);
        expect(value).not.toMatch(/:\/\/[^/]*@/); // credentials in an address
      }
    }
    const used = new Set(Object.values(services).flatMap((service) => service.secrets ?? []));
    expect([...used].sort()).toEqual(Object.keys(secrets).sort());
    for (const { file } of Object.values(secrets)) expect(file).toMatch(/^\.\/secrets\//);
  });

  test('sets only variables that the program reads, and leaves it enough time for a clean stop', () => {
    for (const service of Object.values(services).filter(({ build }) => build)) {
      const variables = service.environment ?? {};
      expect([...knownVariables]).toEqual(expect.arrayContaining(Object.keys(variables)));
      expect(Number.parseInt(service.stop_grace_period, 10)).toBeGreaterThan(Number(variables.STOP_AFTER) + 5);
    }
  });
});

describe('docker-compose.single.yml', () => {
  test('runs everything in one container, with the ledger and its backups on a volume', () => {
    expect(Object.keys(single.services)).toEqual(['feedferry', 'backup']);
    const script = single.services.backup.entrypoint?.at(-1);
    const entrypoint =
      readStages()
        .at(-1)
        ?.instructions.find(({ name }) => name === 'ENTRYPOINT')?.rest ?? '[]';
    expect(script).toContain(`${(JSON.parse(entrypoint) as string[]).join(' ')} backup /data/backups`);
    expect(single.services.backup.volumes).toEqual(['data:/data']);
    expect(feedferry).toMatchObject({ build: '.', command: ['start'], tmpfs: ['/tmp'] });
    expect(feedferry.volumes).toEqual(['data:/data', './config:/app/config:ro']);
    expect(Object.keys(single.volumes)).toEqual(['data']);
    expect(feedferry.environment).not.toHaveProperty('DATABASE_URL_FILE');
    expect(feedferry.environment).not.toHaveProperty('REDIS_URL_FILE');
  });

  test('publishes its port on loopback only, with a token', () => {
    expect(feedferry.ports).toEqual(['127.0.0.1:8420:8420']);
    expect(feedferry.environment).toMatchObject({ HTTP_HOST: '0.0.0.0', HTTP_TOKEN_FILE: '/run/secrets/http_token' });
    expect(unescaped(feedferry.healthcheck.test)).toEqual(healthCheck);
  });
});

describe('docker-compose.yml', () => {
  test('runs commands that exist', () => {
    expect(scheduler.command).toEqual(['start']);
    expect(worker.command).toEqual(['worker']);
    for (const { command } of apps) expect(cliCommands).toContain(command?.[0]);
  });

  test('starts the program when both stores are healthy, on a read-only file system', () => {
    for (const app of apps) {
      expect(app.build).toBe('.');
      expect(app.tmpfs).toContain('/tmp');
      expect(app.depends_on).toEqual({
        redis: { condition: 'service_healthy' },
        postgres: { condition: 'service_healthy' },
      });
    }
    expect(redis.healthcheck.test.join(' ')).toMatch(/redis-cli -e ping$/); // -e: "NOAUTH" and "LOADING" are failures
    expect(postgres.healthcheck.test.slice(0, 2)).toEqual(['CMD', 'pg_isready']);
  });

  test('checks the health of scheduler and worker in their own containers', () => {
    for (const app of apps) expect(unescaped(app.healthcheck.test)).toEqual(healthCheck);
  });

  test('requires a password for Redis', () => {
    expect(redis.command?.slice(0, 2)).toEqual(['redis-server', '/run/secrets/redis_conf']);
    expect(redis.secrets).toEqual(['redis_conf']);
  });

  test('allows several workers: they have no port, name or file that only one can use', () => {
    expect(worker).not.toHaveProperty('container_name');
    expect(worker.ports).toBeUndefined();
    expect(worker.volumes?.every((volume) => volume.endsWith(':ro'))).toBe(true);
  });

  test('keeps the data of Redis', () => {
    const command = redis.command?.join(' ');
    expect(command).toMatch(/^redis-server /);
    expect(command).toContain('--appendonly yes');
    expect(command).toContain('--maxmemory-policy noeviction');
    expect(redis.volumes).toEqual(['redis:/data']);
    expect(redis.image).toMatch(/^redis:7/);
  });

  test('keeps the ledger on a volume', () => {
    expect(postgres.volumes).toEqual(['postgres:/var/lib/postgresql/data']);
    expect(postgres.image).toMatch(/^postgres:16/);
    expect(Object.keys(compose.volumes).sort()).toEqual(['backups', 'postgres', 'redis']);
    expect(backup.image).toBe(postgres.image);
    expect(backup.entrypoint?.at(-1)).toContain(
      'pg_dump --host=postgres --username=feedferry --format=custom --schema=public',
    );
  });

  test('reaches the stores on an internal network only', () => {
    expect(compose.networks.stores).toEqual({ internal: true });
    for (const store of [redis, postgres, backup]) {
      expect(store.networks).toEqual(['stores']);
      expect(store.ports).toBeUndefined();
    }
  });

  test('runs no store as root', () => {
    expect([redis.user, postgres.user, backup.user]).toEqual(['redis', 'postgres', 'postgres']);
  });

  test('gives the program its token, its key and the addresses of its stores in files', () => {
    for (const { environment } of apps) {
      expect(environment).toMatchObject({
        CMS_API_TOKEN_FILE: '/run/secrets/cms_api_token',
        DATABASE_URL_FILE: '/run/secrets/database_url',
        REDIS_URL_FILE: '/run/secrets/redis_url',
        FEEDFERRY_SECRET_FILE: '/run/secrets/feedferry_secret',
      });
    }
  });
});

async function readCompose<Name extends string>(file: string): Promise<Compose<Name>> {
  return parse(await readFile(join(root, file), 'utf8'), { merge: true });
}

/** The command as Compose passes it on: `$$` means `$`. */
function unescaped(command: readonly string[]): string[] {
  return command.map((part) => part.replaceAll('$$', '$'));
}
