import { spawnSync } from 'node:child_process';
import { commandOf, type Engine, output, type RunOptions, show } from './engine.ts';

const IMAGE = 'feedferry:check';

/** Returns whether the docker client reaches an engine. */
export function dockerRuns(): boolean {
  return spawnSync('docker', ['info'], { stdio: 'ignore' }).status === 0;
}

/** @param nodeImage replaces the base image that the Dockerfile names */
export function dockerEngine(root: string, nodeImage?: string): Engine {
  return { name: 'Docker', build, size, healthCheck, run, exec, signal, clean: () => {} };

  function build(): void {
    const base = nodeImage ? ['--build-arg', `NODE_IMAGE=${nodeImage}`] : [];
    show('docker', ['build', ...base, '--tag', IMAGE, root]);
  }

  function size(): string {
    return output('docker', ['image', 'ls', '--format', '{{.Size}}', IMAGE]);
  }

  function healthCheck() {
    return commandOf(
      JSON.parse(output('docker', ['image', 'inspect', '--format', '{{json .Config.Healthcheck}}', IMAGE])),
    );
  }

  function run(name: string, { entrypoint, args, env = {}, mounts = [] }: RunOptions): string[] {
    return [
      ...['docker', 'run', '--rm', '--name', name, '--network', 'host'],
      ...['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
      ...Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`]),
      ...mounts.flatMap(({ source, target }) => ['--volume', `${source}:${target}:ro`]),
      ...(entrypoint === undefined ? [] : ['--entrypoint', entrypoint]),
      IMAGE,
      ...args,
    ];
  }

  function exec(name: string, command: readonly string[]): string[] {
    return ['docker', 'exec', name, ...command];
  }

  function signal(name: string, kind: string): string[] {
    return ['docker', 'kill', '--signal', kind, name];
  }
}
