import type { Plugin } from 'rolldown';

/** Where undici defines what the sources import from it. */
const PARTS: Record<string, string> = {
  Agent: `require('undici/lib/dispatcher/agent.js')`,
  EnvHttpProxyAgent: `require('undici/lib/dispatcher/env-http-proxy-agent.js')`,
  Pool: `require('undici/lib/dispatcher/pool.js')`,
  buildConnector: `require('undici/lib/core/connect.js')`,
  errors: `require('undici/lib/core/errors.js')`,
};
/** As undici's own main file does. */
const SETUP = `Object.assign(require('undici/lib/dispatcher/dispatcher.js').prototype, require('undici/lib/api/index.js'));`;
const getters = Object.entries(PARTS).map(([name, value]) => `get ${name}() { return ${value}; }`);

const VIRTUAL = '\0undici';
const IMPORT = /^import \{([^}]*)\} from 'undici';$/gm;

/**
 * Loads each part of undici when it is first used. Its main file loads all of it: fetch, WebSocket, caches, mocks and
 * proxies, which is half of the start of a run.
 */
export const undiciParts: Plugin = {
  name: 'undici-parts',
  resolveId: (id) => (id === 'undici' ? VIRTUAL : null),
  load: (id) => (id === VIRTUAL ? `${SETUP} module.exports = { ${getters.join(', ')} };` : null),
  transform: {
    filter: { code: `'undici'` },
    handler(code, id) {
      const imported = [...code.matchAll(IMPORT)]
        .flatMap(([, names = '']) => names.split(','))
        .map((name) => name.trim());
      const unknown = imported.filter((name) => !name.startsWith('type ') && !(name in PARTS));
      if (unknown.length > 0)
        throw new Error(`${id} imports ${unknown.join()} from undici: add it to undici-parts.ts.`);
    },
  },
};
