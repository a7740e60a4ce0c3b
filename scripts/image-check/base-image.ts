import { copyFileSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { output, show } from './engine.ts';

const RELEASE = 'bookworm';

interface Options {
  buildah: (...args: string[]) => string;
  /** Name of the image. */
  name: string;
}

/**
 * Makes a stand-in for the Node image of the Dockerfile: Debian, the Node of the npm package `node`, the npm that runs this script
 * with its registry and certificates, and the user node. Returns its name.
 */
export function makeBaseImage(root: string, { buildah, name }: Options): string {
  const container = buildah('from', 'scratch');
  const rootfs = buildah('mount', container);
  show('debootstrap', ['--variant=minbase', RELEASE, rootfs]);
  const local = join(rootfs, 'usr/local');
  copyFileSync(join(root, 'node_modules/node/bin/node'), join(local, 'bin/node'));
  installNpm(local);
  output('chroot', [rootfs, 'useradd', '--create-home', '--uid', '1000', 'node']);
  buildah('commit', '--rm', '--format', 'docker', container, name);
  return name;
}

function installNpm(local: string): void {
  const { npm_execpath: npm } = process.env;
  if (!npm) throw new Error('The base image contains the npm that runs this script: npm run image:check.');
  const modules = join(local, 'lib/node_modules');
  mkdirSync(modules, { recursive: true });
  cpSync(dirname(dirname(npm)), join(modules, 'npm'), { recursive: true, verbatimSymlinks: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'));

  const setting = (key: string) => output('npm', ['config', 'get', key]);
  const lines = [`registry=${setting('registry')}`];
  const certificates = process.env.NODE_EXTRA_CA_CERTS ?? setting('cafile');
  if (certificates !== 'null') {
    copyFileSync(certificates, join(local, 'share/certificates.crt'));
    lines.push('cafile=/usr/local/share/certificates.crt');
  }
  mkdirSync(join(local, 'etc'), { recursive: true });
  writeFileSync(join(local, 'etc/npmrc'), lines.map((line) => `${line}\n`).join(''));
}
