import type { Plugin } from 'rolldown';

const NAME = 'node:child_process';
const LAZY = '\0lazy-child-process';

/** Commander starts other programs only for commands that are programs of their own, of which there are none here. */
export const lazyChildProcess: Plugin = {
  name: 'lazy-child-process',
  resolveId: (id, importer) => (id === NAME && importer?.includes('node_modules/commander/') ? LAZY : null),
  load: (id) =>
    id === LAZY ? `export default { get spawn() { return process.getBuiltinModule('${NAME}').spawn } }` : null,
};
