import { readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { sha256 } from '../../core/hash.ts';

const load = createRequire(import.meta.url);
const ownExports = new URL(`../define-sync${extname(import.meta.url)}`, import.meta.url);
const ENTRY = 'feedferry-script:';
const EDITION = /\?edition=\d+/g;

/** A loaded script. */
export interface Script {
  /** Default export of the script. */
  value: unknown;
  /** Absolute paths of the script and of the modules that it imports, except packages. */
  modules: ReadonlySet<string>;
  /** Hex SHA-256 of these modules. */
  hash: string;
}

const loaded = new Map<string, Script>();
let edition = 0;

/**
 * Loads a script and the modules that it imports; Node strips their types. Its imports of `feedferry` get the running
 * feedferry. A script is loaded again only if one of the files has changed, because Node never unloads a module.
 * @param file absolute path
 * @throws what the script throws; SyntaxError
 */
export function loadScript(file: string): Script {
  const before = loaded.get(file);
  if (before && hashOf(before.modules) === before.hash) return before;
  const modules = new Set([file]);
  const value = evaluate(file, modules);
  const script = { value, modules, hash: hashOf(modules) };
  loaded.set(file, script);
  return script;
}

/** Returns the stack of an error with the file names as they are on disk. */
export function plainStack(error: unknown): string {
  return error instanceof Error ? (error.stack ?? '').replace(EDITION, '') : '';
}

/** Evaluates a script. The edition in its URLs makes Node load the modules anew; so does a new entry, which imports the script. */
function evaluate(file: string, modules: Set<string>): unknown {
  edition += 1;
  const entry = `${ENTRY}${edition}`;
  const source = `import * as script from ${JSON.stringify(pathToFileURL(file).href)}; export default script.default;`;
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (specifier === entry) return { url: entry, format: 'module', shortCircuit: true };
      if (specifier === 'feedferry') return { url: ownExports.href, shortCircuit: true };
      const resolved = next(specifier, context);
      // Node turns the name of the entry into a path below the current folder, so only the end is compared.
      const isOwn = [entry, `?edition=${edition}`].some((end) => context.parentURL?.endsWith(end));
      if (!isOwn || !resolved.url.startsWith('file:') || resolved.url.includes('/node_modules/')) return resolved;
      modules.add(fileURLToPath(resolved.url));
      return { ...resolved, url: `${resolved.url}?edition=${edition}` };
    },
    load: (url, context, next) =>
      url === entry ? { format: 'module', source, shortCircuit: true } : next(url, context),
  });
  try {
    return (load(entry) as { default?: unknown }).default;
  } finally {
    hooks.deregister();
    delete load.cache[entry];
  }
}

function hashOf(modules: ReadonlySet<string>): string {
  return sha256([...modules].map(textOf).join('\0'));
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return 'it cannot be read';
  }
}
