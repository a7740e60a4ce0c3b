import { spawnSync } from 'node:child_process';

/** A place on this machine that a container sees. */
export interface Mount {
  source: string;
  target: string;
}

export interface RunOptions {
  /** Replaces the entry point of the image. */
  entrypoint?: string;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Read-only. */
  mounts?: readonly Mount[];
}

/**
 * What builds the image and runs containers. Containers share the network of this machine; as in docker-compose.yml, they have a
 * read-only root and no capabilities, and can write to /tmp and /data only. The commands are run by the caller.
 */
export interface Engine {
  name: string;
  build(): void;
  /** The size of the image, as people read it. */
  size(): string;
  /** The command of the image's HEALTHCHECK; undefined if the image has none. */
  healthCheck(): string[] | undefined;
  /** Returns the command that runs a container of this name, and ends with its exit code. */
  run(name: string, options: RunOptions): string[];
  /** Returns the command that runs another program in a container. */
  exec(name: string, command: readonly string[]): string[];
  /** Returns the command that sends a signal to a container. */
  signal(name: string, signal: 'TERM' | 'KILL'): string[];
  /** Deletes what the engine has made, except an image that its user may want to see. */
  clean(): void;
}

/** Runs a command, whose errors and progress are shown, and returns what it prints. */
export function output(program: string, args: readonly string[]): string {
  const { status, stdout, error } = spawnSync(program, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${error?.message ?? `exit code ${status}`}`);
  return stdout.trim();
}

/** Runs a command and shows all that it prints as progress. */
export function show(program: string, args: readonly string[]): void {
  const { status, error } = spawnSync(program, args, { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${error?.message ?? `exit code ${status}`}`);
}

/** Returns the programs of a list that cannot be started. */
export function missingPrograms(programs: readonly string[]): string[] {
  return programs.filter((program) => spawnSync(program, ['--version']).error);
}

/** Returns the value of the parsed HEALTHCHECK without its leading `CMD`. */
export function commandOf(check: { Test?: string[] } | undefined): string[] | undefined {
  const [kind, ...command] = check?.Test ?? [];
  return kind === 'CMD' ? command : undefined;
}
