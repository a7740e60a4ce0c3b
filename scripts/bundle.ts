import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { thirdPartyLicenses } from './third-party-licenses.ts';

const root = join(import.meta.dirname, '..');

/** Where the program and the exports of package.json begin: the files of dist/ have the places of their sources. */
const ENTRIES = ['src/cli/main', 'src/config/define-sync', 'src/cms/client'];

/**
 * Packages that users install. They are either large and used by few processes, one file that is loaded only if a sync needs it,
 * or read files of their own at run time. All others become part of dist/, because most of the start of a short command
 * would be the search for hundreds of their files.
 */
const INSTALLED = ['bullmq', 'ioredis', '@bull-board/api', '@bull-board/fastify', 'liquidjs', 'jsonata'];
/** Optional parts of `pg`, which nobody installs. */
const ABSENT = ['pg-native', 'pg-cloudflare'];

/**
 * Bundles the program into dist/: a file for each entry and each command, and chunks that they share. Names are kept, so that
 * stack traces show them.
 * @throws Error with the mistakes of the code, but types are not checked
 */
export async function bundle(): Promise<void> {
  const dir = join(root, 'dist');
  rmSync(dir, { recursive: true, force: true });
  await build({
    cwd: root,
    input: Object.fromEntries(ENTRIES.map((entry) => [entry, `${entry}.ts`])),
    platform: 'node',
    external: [...INSTALLED, ...ABSENT].map((name) => new RegExp(`^${name}(/|$)`)),
    plugins: [thirdPartyLicenses()],
    output: { dir, entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js', comments: { annotation: false } },
    logLevel: 'warn',
  });
  chmodSync(join(dir, `${ENTRIES[0]}.js`), 0o755);
}
