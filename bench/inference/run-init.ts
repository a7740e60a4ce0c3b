import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { feedOf } from './feed-file.ts';
import type { Label } from './label.ts';

const MAIN = join(import.meta.dirname, '../../src/cli/main.ts');

const rule = z.union([z.string(), z.record(z.string(), z.unknown())]);
export const inferredSchema = z.object({
  sync: z.string(),
  resource: z.string(),
  connector: z.string(),
  key: z.union([rule, z.array(rule)]),
  map: z.record(z.string(), rule),
  attachments: z.record(z.string(), rule).default({}),
  open: z.array(z.object({ id: z.string(), text: z.string() })),
  warnings: z.array(z.string()),
});
export const previewedSchema = z.object({
  payload: z.record(z.string(), z.unknown()).optional(),
  code: z.string().optional(),
});

/** What `feedferry init` says of a feed. */
export type Inferred = z.infer<typeof inferredSchema>;
/** What `feedferry preview` says of a record: without a payload it is rejected or skipped. */
export type Previewed = z.infer<typeof previewedSchema>;
export interface Outcome {
  inferred: Inferred;
  previewed: Previewed[];
  seconds: number;
  bytes: number;
}

/** Runs `init` on the feed of a label, as its webmaster would, and previews the sync that it writes. */
export async function runInit(label: Label): Promise<Outcome> {
  const bytes = await feedOf(label);
  const dir = mkdtempSync(join(tmpdir(), 'feedferry-bench-'));
  try {
    const target = { baseUrl: 'https://cms.example.org', token: 'token', timezone: label.timezone };
    writeFileSync(join(dir, 'feedferry.yaml'), JSON.stringify({ target }));
    const file = join(dir, basename(decodeURIComponent(new URL(label.url).pathname)));
    writeFileSync(file, bytes);
    const startedAt = performance.now();
    const [said] = (await linesOf(dir, 'init', file, '--yes')).slice(-1);
    const seconds = (performance.now() - startedAt) / 1000;
    const inferred = inferredSchema.parse(JSON.parse(said ?? ''));
    const lines = await linesOf(dir, 'preview', inferred.sync);
    const previewed = lines.map((line) => previewedSchema.parse(JSON.parse(line)));
    return { inferred, previewed, seconds, bytes: bytes.length };
  } finally {
    rmSync(dir, { recursive: true });
  }
}

/** Returns the lines that a command prints with --json. It may end with another code than 0: rejected records are scored. */
export async function linesOf(dir: string, ...args: string[]): Promise<string[]> {
  const argv = ['--disable-warning=ExperimentalWarning', MAIN, ...args, '--json', '--config', dir];
  const options = { maxBuffer: 1e9, cwd: dir };
  const { stdout } = await promisify(execFile)(process.execPath, argv, options).catch((error: unknown) => {
    if (hasOutput(error) && error.stdout !== '' && !error.stdout.startsWith('{"error"')) return error;
    throw error;
  });
  return stdout.split('\n').filter((line) => line !== '');
}

function hasOutput(error: unknown): error is { stdout: string } {
  return error instanceof Error && 'stdout' in error && typeof error.stdout === 'string';
}
