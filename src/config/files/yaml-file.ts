import { readFileSync } from 'node:fs';
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type YAMLError,
} from 'yaml';
import { type ConfigFile, type Path, type Position, readingMistake, unusable } from './config-file.ts';
import { interpolate, type Variables } from './interpolate.ts';
import type { ConfigProblem } from './problems.ts';

/** Aliases that one file may expand to: config files hardly need any, and an alias bomb needs millions. */
const maxAliasCount = 100;

/** Reads a YAML file and fills in its environment variables. What is wrong with it is in `problems`. */
export function readYamlFile(file: string, env: Variables): ConfigFile {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return unusable(file, 'FF_CONFIG_MISSING', readingMistake(error));
  }
  return parse(file, text, env);
}

function parse(file: string, text: string, env: Variables): ConfigFile {
  const lineCounter = new LineCounter();
  // Pretty errors would quote the line, which may hold a secret.
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const positionAt = (offset: number): Position => {
    const { line, col } = lineCounter.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };

  const problems: ConfigProblem[] = [];
  const report = (code: ConfigProblem['code'], offset: number, message: string) =>
    problems.push({ file, ...positionAt(offset), code, message });

  for (const error of withoutConsequences([...document.errors, ...document.warnings])) {
    const message = error.code === 'DUPLICATE_KEY' ? 'this key is given twice' : error.message;
    report('FF_CONFIG_YAML', error.pos[0], message);
  }
  if (problems.length === 0) fillIn(document, env, report);

  const value = problems.some(({ code }) => code === 'FF_CONFIG_YAML') ? undefined : toPlainData(document, report);

  return {
    file,
    usable: !problems.some(({ code }) => code === 'FF_CONFIG_YAML'),
    value,
    problems,
    positionOf: (path, part) => positionAt(locate(document, path)[part]),
    sourceOf: (path) => {
      const { node, found } = locate(document, path);
      return found && isScalar(node) ? (node.source ?? String(node.value)) : undefined;
    },
  };
}

/** After a mistake in the syntax, the parser finds one in everything that follows. Keys given twice are no syntax. */
function withoutConsequences(errors: readonly YAMLError[]): readonly YAMLError[] {
  const syntax = errors.filter(({ code }) => code !== 'DUPLICATE_KEY');
  const first = Math.min(...syntax.map(({ pos }) => pos[0]));
  return errors.filter(({ code, pos }) => code === 'DUPLICATE_KEY' || pos[0] === first);
}

type Report = (code: ConfigProblem['code'], offset: number, message: string) => void;

/** Replaces the values in place; `source` of a scalar keeps what the file says. */
function fillIn(document: Document, env: Variables, report: Report): void {
  visit(document, {
    Alias(_key, node) {
      if (node.resolve(document)) return;
      report(
        'FF_CONFIG_YAML',
        node.range?.[0] ?? 0,
        `the alias *${node.source} has no anchor &${node.source} before it`,
      );
    },
    Scalar(key, node) {
      const offset = node.range?.[0] ?? 0;
      if (key === 'key' && node.value === '__proto__') {
        report('FF_CONFIG_INVALID', offset, '__proto__ cannot be used as a key');
      }
      if (key === 'key' || typeof node.value !== 'string') return;
      const filled = interpolate(node.value, env);
      if ('text' in filled) node.value = filled.text;
      else report(filled.code, offset, filled.message);
    },
  });
}

function toPlainData(document: Document, report: Report): unknown {
  try {
    return document.toJS({ maxAliasCount });
  } catch {
    report('FF_CONFIG_YAML', 0, `the aliases of this file expand to more than ${maxAliasCount} values`);
    return undefined;
  }
}

interface Location {
  node: unknown;
  /** Whether the path leads all the way to `node`. */
  found: boolean;
  /** Offsets of the last key on the way and of its value. */
  key: number;
  value: number;
}

function locate(document: Document, path: Path): Location {
  const start = offsetOf(document.contents) ?? 0;
  const location: Location = { node: document.contents, found: true, key: start, value: start };
  for (const segment of path) {
    const parent = isAlias(location.node) ? location.node.resolve(document) : location.node;
    const step = stepInto(parent, segment);
    if (!step) return { ...location, value: location.key, found: false };
    location.node = step.value;
    location.key = offsetOf(step.key) ?? offsetOf(step.value) ?? location.key;
    location.value = offsetOf(step.value) ?? location.key;
  }
  return location;
}

function stepInto(parent: unknown, segment: PropertyKey): { key: unknown; value: unknown } | undefined {
  if (isMap(parent)) {
    return parent.items.find(({ key }) => isScalar(key) && String(key.value) === String(segment));
  }
  if (isSeq(parent) && typeof segment === 'number' && segment < parent.items.length) {
    return { key: undefined, value: parent.items[segment] };
  }
  return undefined;
}

function offsetOf(node: unknown): number | undefined {
  return isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range?.[0] : undefined;
}
