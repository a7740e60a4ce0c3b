import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunOptions } from './engine.ts';

/** Settings of the image for its containers, with Docker's keys. */
export interface ImageConfig {
  User?: string;
  Env?: string[];
  Cmd?: string[];
  WorkingDir?: string;
  Entrypoint?: string[];
  Healthcheck?: { Test: string[] };
}

interface Contents extends RunOptions {
  /** Folder with the files of the image. */
  rootfs: string;
  config: ImageConfig;
  /** Folder that is mounted at /data. */
  data: string;
}

/** Writes the OCI description of a container that is like one of `docker run` with the options of ./docker.ts. */
export function writeBundle(
  folder: string,
  { rootfs, config, data, entrypoint, args, env = {}, mounts = [] }: Contents,
): void {
  const [uid, gid] = userOf(rootfs, config.User);
  const start = entrypoint === undefined ? config.Entrypoint : [entrypoint];
  const command = args.length > 0 || entrypoint !== undefined ? args : config.Cmd;
  const variables = new Map(config.Env?.map((pair): [string, string] => [pair.split('=', 1).join(), pair]));
  for (const [name, value] of Object.entries(env)) variables.set(name, `${name}=${value}`);
  const description = {
    ociVersion: '1.0.0',
    root: { path: rootfs, readonly: true },
    process: {
      user: { uid, gid },
      cwd: config.WorkingDir ?? '/',
      args: [...(start ?? []), ...(command ?? [])],
      env: [...variables.values()],
      capabilities: {},
      noNewPrivileges: true,
    },
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc' },
      { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=755'] },
      { destination: '/tmp', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=1777'] },
      { destination: '/data', type: 'bind', source: data, options: ['bind', 'rw'] },
      ...mounts.map(({ source, target }) => ({ destination: target, type: 'bind', source, options: ['bind', 'ro'] })),
    ],
    // There is no network namespace, so the container uses the network of the machine.
    linux: { namespaces: ['pid', 'mount', 'ipc', 'uts'].map((type) => ({ type })) },
  };
  writeFileSync(join(folder, 'config.json'), JSON.stringify(description, null, 2));
}

function userOf(rootfs: string, user = 'root'): number[] {
  const accounts = readFileSync(join(rootfs, 'etc/passwd'), 'utf8').split('\n');
  const account = accounts.map((line) => line.split(':')).find(([name, , uid]) => name === user || uid === user);
  if (!account) throw new Error(`The image has no user ${user}.`);
  return account.slice(2, 4).map(Number);
}
