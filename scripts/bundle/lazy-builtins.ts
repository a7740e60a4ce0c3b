import { isBuiltin } from 'node:module';
import type { Plugin } from 'rolldown';

/** `import whole, { named } from "node:module";`, or one of both */
const IMPORT = /^import (?:(?:\* as )?(\w[\w$]*))?(?:, )?(\{[^}]*\})? from "([\w/:]+)";$/gm;

/**
 * Takes Node's own modules from `process.getBuiltinModule`. An import reads all exports of such a module, which loads the parts
 * that Node loads on demand: fetch and WebSocket for `node:http`, Web Crypto for `node:crypto`. That takes up to 40 ms a module.
 */
export const lazyBuiltins: Plugin = {
  name: 'lazy-builtins',
  renderChunk(code) {
    const changed = code.replace(IMPORT, (statement, whole?: string, named?: string, module = '') => {
      if (!isBuiltin(module)) return statement;
      return [whole, named?.replaceAll(' as ', ': ')]
        .filter((target) => target !== undefined)
        .map((target) => `const ${target} = globalThis.process.getBuiltinModule("${module}");`)
        .join(' ');
    });
    const left = /^import .*"node:.*|\bdefault: .*getBuiltinModule.*/m.exec(changed)?.[0];
    if (left) throw new Error(`${left} has a form that is not replaced.`);
    return changed;
  },
};
