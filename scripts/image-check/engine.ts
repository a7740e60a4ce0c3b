import { spawnSync } from 'node:child_process';

/** A file or folder of this machine that is mounted in a container. */
export interface Mount {
  source: string;
  target: string;
}

export interface RunOptions {
  /** Replaces the entry point of the image. */
  entrypoint?: string;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Read-only mounts. */
  mounts?: readonly Mount[];
}

/**
 * Builds the image and returns the commands that run containers; the caller runs these commands. Containers share the network of
 * this machine. As in docker-compose.yml, they have a read-only root and no capabilities, and can only write to /tmp and /data.
 */
export interface Engine {
  name: string;
  build(): void;
  /** The size of the image, in a form for people. */
  size(): string;
  /** The command of the image's HEALTHCHECK; undefined if the image has none. */
  healthCheck(): string[] | undefined;
  /** Returns the command that runs a container with this name; the command ends with the exit code of the container. */
  run(name: string, options: RunOptions): string[];
  /** Returns the command that runs another program in a container. */
  exec(name: string, command: readonly string[]): string[];
  /** Returns the command that sends a signal to a container. */
  signal(name: string, signal: 'TERM' | 'KILL'): string[];
  /** Deletes the files and containers of the engine, except an image that its user may want to see. */
  clean(): void;
}

/** Runs a command, shows its errors and progress, and returns its output. */
export function output(program: string, args: readonly string[]): string {
  const { status, stdout, error } = spawnSync(program, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${error?.message ?? `exit code ${status}`}`);
  return stdout.trim();
}

/** Runs a command and shows all of its output as progress. */
export function show(program: string, args: readonly string[]): void {
  const { status, error } = spawnSync(program, args, { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${error?.message ?? `exit code ${status}`}`);
}

/** Returns the programs that cannot be started. */
export function missingPrograms(programs: readonly string[]): string[] {
  return programs.filter((program) => spawnSync(program, ['--version']).error);
}

/** Returns the value of the parsed HEALTHCHECK without its leading `CMD`. */
export function commandOf(check: { Test?: string[] } | undefined): string[] | undefined {
  const [kind, ...command] = check?.Test ?? [];
  return kind === 'CMD' ? command : undefined;
}
