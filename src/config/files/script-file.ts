import { resolve } from 'node:path';
import { messageOf } from '../../core/errors.ts';
import { isObject } from '../../core/record.ts';
import { brokenFile, type ConfigFile, type Path, type Position, readConfigFile } from './config-file.ts';
import { loadScript, plainStack } from './script-modules.ts';

/** Loads a TypeScript sync file: its default export, made by `defineSync`. Mistakes are in `problems`. */
export function readScriptFile(file: string): ConfigFile {
  return readConfigFile(file, (text) => load(file, text));
}

function load(file: string, text: string): ConfigFile {
  try {
    const { value, hash } = loadScript(resolve(file));
    if (!isObject(value)) throw new Error('it has no default export made by defineSync');
    return {
      file,
      value,
      problems: [],
      positionOf: (path) => positionOf(path, text),
      sourceOf: () => undefined,
      scriptHash: hash,
    };
  } catch (error) {
    const waits = (error as NodeJS.ErrnoException).code === 'ERR_REQUIRE_ASYNC_MODULE';
    const message = `the file cannot be loaded: ${waits ? topLevelAwait : messageOf(error)}`;
    return brokenFile(file, 'FF_CONFIG_INVALID', message, waits ? placeOfAwait(text) : placeOf(error, resolve(file)));
  }
}

/** Node's own message names flags of Node. */
const topLevelAwait =
  'it, or a module that it imports, uses `await` outside a function, and a sync file is loaded without waiting. ' +
  'Read files with functions that do not wait, such as readFileSync, and what is on the network as the feed of the sync';

/** Finds the first `await` of a line that is not indented. Undefined if there is none: it is in another module, then. */
function placeOfAwait(text: string): Position | undefined {
  const before = /^(?!\s|\/[/*]|async |export (default )?async ).*?(?=\bawait\b)/m.exec(text);
  if (!before) return undefined;
  const line = text.slice(0, before.index).split('\n').length;
  return { line, column: before[0].length + 1 };
}

/** Finds the position in the stack: at the start of the stack for a syntax error, else in its first line with the file. */
function placeOf(error: unknown, file: string): Position | undefined {
  const [, rest] = plainStack(error).split(`${file}:`);
  const [, line, column = '1'] = /^(\d+)(?::(\d+))?/.exec(rest ?? '') ?? [];
  return line === undefined ? undefined : { line: Number(line), column: Number(column) };
}

/** Finds the keys of a path one after the other in the text of a script, as far as possible. */
function positionOf(path: Path, text: string): Position {
  let offset = 0;
  for (const key of path) {
    if (typeof key !== 'string') continue;
    const name = key.replace(/\W/g, '\\$&');
    const found = text.slice(offset).search(new RegExp(`(?<![\\w.])(['"]?)${name}\\1\\s*[:(,]`));
    if (found < 0) break;
    offset += found;
  }
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
