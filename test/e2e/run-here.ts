import type { Command } from 'commander';
import { vi } from 'vitest';
import type { Site } from './site.ts';

/** Runs a command of a site in this process, which is faster than a process of its own. */
export async function runHere({ variables }: Site, command: Command, ...args: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => out.push(String(text)) > 0);
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => err.push(String(text)) > 0);
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  try {
    // Options stay set on a command that has run.
    for (const option of ['json', 'limit', 'key']) command.setOptionValue(option, undefined);
    await command.parseAsync(args, { from: 'user' });
    return { exitCode: process.exitCode, stdout: out.join(''), stderr: err.join('') };
  } finally {
    process.exitCode = undefined;
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  }
}
