import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { ConfigError } from '../../../src/config/files/problems.ts';
import { loadConfig } from '../../../src/config/load.ts';
import type { Config } from '../../../src/config/types.ts';
import { type AnyConnector, defineConnector } from '../../../src/core/connector.ts';

async function* nothing() {}

export const connectors: AnyConnector[] = [
  defineConnector({ kind: 'json', options: z.strictObject({ items: z.string().optional() }), read: nothing }),
  defineConnector({
    kind: 'csv',
    options: z.strictObject({
      delimiter: z.string().length(1).default(','),
      header: z.union([z.literal(true), z.array(z.string())]).default(true),
    }),
    read: nothing,
  }),
];

export const env = { CMS_BASE_URL: 'https://www.example.edu', CMS_API_TOKEN: 's3cret-token' };

export const target = `target:
  baseUrl: \${CMS_BASE_URL}
  token: \${CMS_API_TOKEN}
  timezone: America/New_York
`;

export const events = `resource: events
source: { connector: csv, url: ./feeds/events.csv }
key: id
map:
  title: name
`;

/** A config folder with these files, gone when the test is over. */
export function folder(files: Record<string, string>): string {
  const dir = mkdtempSync(join(tmpdir(), 'feedferry-config-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), content);
  }
  return dir;
}

/** Loads a folder with one sync file. */
export function loadSync(sync: string, more: Record<string, string> = {}): Config['syncs'][number] {
  const config = loadConfig(folder({ 'feedferry.yaml': target, 'syncs/a.yaml': sync, ...more }), connectors, env);
  const [first] = config.syncs;
  if (!first) throw new Error('no sync');
  return first;
}

/** The mistakes that loading fails with, a line each, without the folder and without excerpts. */
export function problems(files: Record<string, string>, variables: Record<string, string | undefined> = env): string[] {
  const dir = folder(files);
  const lines = failure(dir, variables).message.replaceAll(`${dir}/`, '').split('\n');
  return lines.filter((line) => !line.startsWith('    '));
}

export function failure(dir: string, variables: Record<string, string | undefined> = env): ConfigError {
  try {
    loadConfig(dir, connectors, variables);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('the config was accepted');
}

export function syncProblems(sync: string, more: Record<string, string> = {}): string[] {
  return problems({ 'feedferry.yaml': target, 'syncs/a.yaml': sync, ...more }).map((line) =>
    line.replace(/^syncs\/a\.yaml:/, ''),
  );
}
