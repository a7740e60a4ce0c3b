import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { cliCommands } from './cli-commands.ts';

interface Service {
  image: string;
  build?: string;
  command?: string[];
  user?: string;
  environment?: Record<string, string>;
  secrets?: string[];
  volumes?: string[];
  ports?: string[];
  networks: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  read_only?: boolean;
  tmpfs?: string[];
  cap_drop: string[];
  security_opt: string[];
  restart: string;
  stop_grace_period: string;
}

const root = join(import.meta.dirname, '../../..');
const text = await readFile(join(root, 'docker-compose.yml'), 'utf8');
const compose = parse(text, { merge: true }) as {
  services: Record<'scheduler' | 'worker' | 'redis' | 'postgres', Service>;
  secrets: Record<string, { file: string }>;
  volumes: Record<string, unknown>;
  networks: Record<string, { internal?: boolean }>;
};
const { scheduler, worker, redis, postgres } = compose.services;
const services = Object.entries(compose.services);
const apps = [scheduler, worker];

describe('docker-compose.yml', () => {
  test.each(services)('%s drops what it does not need, and comes back', (_, service) => {
    expect(service).toMatchObject({ cap_drop: ['ALL'], restart: 'unless-stopped' });
    expect(service.security_opt).toContain('no-new-privileges:true');
    expect(Number.parseInt(service.stop_grace_period, 10)).toBeGreaterThanOrEqual(30);
    expect(service.image).toMatch(/:[\w.-]*\d/); // never "latest"
  });

  test('runs commands that the program has', () => {
    expect(scheduler.command).toEqual(['start']);
    expect(worker.command).toEqual(['worker']);
    for (const { command } of apps) expect(cliCommands).toContain(command?.[0]);
  });

  test('starts the program when both stores are healthy, on a read-only file system', () => {
    for (const app of apps) {
      expect(app).toMatchObject({ build: '.', read_only: true });
      expect(app.tmpfs).toContain('/tmp');
      expect(app.depends_on).toEqual({
        redis: { condition: 'service_healthy' },
        postgres: { condition: 'service_healthy' },
      });
    }
    expect(redis.healthcheck?.test).toEqual(['CMD', 'redis-cli', 'ping']);
    expect(postgres.healthcheck?.test.slice(0, 2)).toEqual(['CMD', 'pg_isready']);
  });

  test('lets workers be scaled: no port, no name, no file that only one may hold', () => {
    expect(worker).not.toHaveProperty('container_name');
    expect(worker.ports).toBeUndefined();
    expect(worker.volumes?.every((volume) => volume.endsWith(':ro'))).toBe(true);
  });

  test('never lets Redis forget', () => {
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
    expect(Object.keys(compose.volumes).sort()).toEqual(['postgres', 'redis']);
  });

  test('reaches the stores on an internal network only', () => {
    expect(compose.networks.stores).toEqual({ internal: true });
    for (const store of [redis, postgres]) {
      expect(store.networks).toEqual(['stores']);
      expect(store.ports).toBeUndefined();
    }
  });

  test('runs no store as root', () => {
    expect([redis.user, postgres.user]).toEqual(['redis', 'postgres']);
  });

  test('has its secrets in files, and none in clear', () => {
    for (const { environment = {}, secrets = [] } of Object.values(compose.services)) {
      for (const [name, value] of Object.entries(environment)) {
        if (name.endsWith('_FILE')) expect(secrets).toContain(value.replace('/run/secrets/', ''));
        else expect(name).not.toMatch(/TOKEN|PASSWORD|SECRET|DATABASE_URL/);
        expect(value).not.toMatch(/:\/\/[^/]*@/); // credentials in an address
      }
    }
    const used = new Set(Object.values(compose.services).flatMap(({ secrets }) => secrets ?? []));
    expect([...used].sort()).toEqual(Object.keys(compose.secrets).sort());
    for (const { file } of Object.values(compose.secrets)) expect(file).toMatch(/^\.\/secrets\//);
  });

  test('gives the program everything that it needs to find its stores', () => {
    for (const { environment } of apps) {
      expect(environment).toMatchObject({
        CMS_API_TOKEN_FILE: '/run/secrets/cms_api_token',
        DATABASE_URL_FILE: '/run/secrets/database_url',
        REDIS_URL: 'redis://redis:6379',
      });
    }
  });
});
