import { chmodSync, copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type BuildOptions, build } from 'rolldown';
import { assetSources } from '../src/console/assets.ts';
import { lazyBuiltins } from './bundle/lazy-builtins.ts';
import { lazyChildProcess } from './bundle/lazy-child-process.ts';
import { plainAscii } from './bundle/plain-ascii.ts';
import { requiredPackages } from './bundle/required-packages.ts';
import { thirdPartyLicenses } from './bundle/third-party-licenses.ts';
import { undiciParts } from './bundle/undici-parts.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

/** Where the program and the exports of package.json begin: their files in dist/ have the places of the sources. */
const ENTRIES = ['src/cli/main', 'src/config/define-sync', 'src/cms/client', 'src/sandbox/server'];

/**
 * Packages that stay outside: large, used by services only, and with files of their own. All others become part of dist/,
 * because most of the start of a short command would be the search for hundreds of their files.
 */
const INSTALLED = ['bullmq', 'ioredis', '@bull-board/api', '@bull-board/fastify'];
/** The ES modules of `yaml`. Node would take its CommonJS modules, which are functions that are called one by one. */
const YAML = join(root, 'node_modules/yaml/browser/dist/index.js');
/**
 * What most commands share, in three files: without these groups it would be a dozen, and each takes half a millisecond of a
 * start. `core` is what the client of `feedferry/cms` needs of it.
 */
const SHARED = [
  { name: 'core', test: /[\\/](zod[\\/]|core[\\/](errors|attributes)\.ts$)/, priority: 2 },
  { name: 'command', test: /src[\\/](cli[\\/]command|app[\\/](env-file|environment))\.ts$/, priority: 1 },
  { name: 'config', test: /src[\\/](app[\\/]load-config|source[\\/]read-source)\.ts$/, priority: 1 },
];
/** Optional parts of `pg`, which nobody installs. */
const ABSENT = ['pg-native', 'pg-cloudflare'];

/**
 * Bundles the program into dist/: a file for each entry and each command, chunks that they share, and a file for each package
 * that is loaded when it is first used. Names are kept, so that stack traces show them. Types are not checked.
 */
export async function bundle(): Promise<void> {
  rmSync(dist, { recursive: true, force: true });
  const required = requiredPackages('../packages');
  const licenses = thirdPartyLicenses();
  const shared = {
    cwd: root,
    platform: 'node',
    resolve: { alias: { yaml: YAML } },
    external: [...INSTALLED, ...ABSENT].map((name) => new RegExp(`^${name}(/|$)`)),
    logLevel: 'warn',
  } satisfies BuildOptions;
  await build({
    ...shared,
    input: Object.fromEntries(ENTRIES.map((entry) => [entry, `${entry}.ts`])),
    plugins: [required.plugin, undiciParts, lazyChildProcess, lazyBuiltins, plainAscii, licenses.plugin],
    output: {
      dir: dist,
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name].js',
      codeSplitting: { groups: SHARED },
      comments: false,
    },
  });
  await build({
    ...shared,
    input: Object.fromEntries(required.names().map((name) => [name, name])),
    plugins: [plainAscii, licenses.plugin],
    output: {
      dir: join(dist, 'packages'),
      format: 'cjs',
      entryFileNames: '[name].cjs',
      chunkFileNames: '[name].cjs',
      comments: false,
    },
  });
  copyAssets(licenses.add);
  copyFileSync(join(root, 'src/sandbox/openapi/cms-api.yaml'), join(dist, 'cms-api.yaml'));
  licenses.write(join(dist, 'THIRD-PARTY-LICENSES.txt'));
  chmodSync(join(dist, `${ENTRIES[0]}.js`), 0o755);
}

/** Copies the files that the pages of the console load. */
function copyAssets(onCopy: (file: string) => void): void {
  const folder = join(dist, 'assets');
  mkdirSync(folder);
  for (const file of assetSources(root)) {
    copyFileSync(file, join(folder, basename(file)));
    onCopy(file);
  }
}
