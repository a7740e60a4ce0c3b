import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeBaseImage } from './base-image.ts';
import { type ImageConfig, writeBundle } from './bundle.ts';
import { commandOf, type Engine, missingPrograms, output, type RunOptions, show } from './engine.ts';

const IMAGE = 'localhost/feedferry:check';
const BASE = 'localhost/node:check';
const PROGRAMS = ['buildah', 'crun', 'debootstrap', 'unshare'];
/** Starts crun without cgroup v2. crun does not need cgroups, but refuses to run if both versions are mounted. */
const CRUN = 'umount /sys/fs/cgroup/unified 2> /dev/null; exec crun "$@"';

/** Returns why this machine cannot build an image without an engine; undefined if it can. */
export function buildahProblem(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'buildah and crun need Linux and root';
  const missing = missingPrograms(PROGRAMS);
  return missing.length > 0 ? `${missing.join(', ')} cannot be found: apt-get install ${missing.join(' ')}` : undefined;
}

/**
 * Builds with buildah and runs with crun, which both work without an engine. All files are in a temporary folder.
 * @param nodeImage replaces the default base image, which is made from Debian's packages and this project's Node
 */
export function buildahEngine(root: string, nodeImage?: string): Engine {
  const dir = mkdtempSync(join(tmpdir(), 'feedferry-image-'));
  const storage = ['--root', join(dir, 'storage'), '--runroot', join(dir, 'run'), '--storage-driver', 'vfs'];
  let rootfs = '';
  let config: ImageConfig = {};
  return { name: 'buildah and crun', build, size, healthCheck, run, exec, signal, clean };

  function buildah(...args: string[]): string {
    return output('buildah', [...storage, ...args]);
  }

  function build(): void {
    const base = nodeImage ?? makeBaseImage(root, { buildah, name: BASE });
    // Uses Docker's format, because the OCI format has no health check.
    const options = [
      '--isolation',
      'chroot',
      '--format',
      'docker',
      '--build-arg',
      `NODE_IMAGE=${base}`,
      '--tag',
      IMAGE,
    ];
    show('buildah', [...storage, 'build', ...options, root]);
    config = JSON.parse(buildah('inspect', '--type', 'image', IMAGE)).Docker.config;
    rootfs = buildah('mount', buildah('from', IMAGE));
  }

  function size(): string {
    const of = (image: string) => buildah('images', '--format', '{{.Size}}', image);
    return nodeImage ? of(IMAGE) : `${of(IMAGE)}, of which ${of(BASE)} are the base image`;
  }

  function healthCheck() {
    return commandOf(config.Healthcheck);
  }

  function run(name: string, options: RunOptions): string[] {
    const bundle = join(dir, name);
    const data = join(bundle, 'data');
    mkdirSync(bundle);
    // Like a new volume, the copy keeps the owner of /data in the image.
    output('cp', ['--archive', join(rootfs, 'data'), data]);
    writeBundle(bundle, { rootfs, config, data, ...options });
    return crun('run', '--bundle', bundle, name);
  }

  function exec(name: string, command: readonly string[]): string[] {
    return crun('exec', name, ...command);
  }

  function signal(name: string, kind: string): string[] {
    return crun('kill', name, kind);
  }

  function crun(...args: string[]): string[] {
    const state = ['--root', join(dir, 'crun'), '--cgroup-manager', 'disabled'];
    return ['unshare', '--mount', 'sh', '-c', CRUN, 'sh', ...state, ...args];
  }

  function clean(): void {
    rmSync(dir, { recursive: true, force: true });
  }
}
