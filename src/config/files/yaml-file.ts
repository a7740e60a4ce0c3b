import { readFileSync } from 'node:fs';
import {
  type Document,
  isAlias,
  isCollection,
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

/** The most values that the aliases of a file may expand to: config files need few, an alias bomb needs millions. */
const maxAliasCount = 100;

/** Reads a YAML file and fills in its environment variables. Mistakes are in `problems`. */
export function readYamlFile(file: string, env: Variables): ConfigFile {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return unusable(file, 'FF_CONFIG_MISSING', readingMistake(error));
  }
  return parse(file, text, env);
}

/** Messages in place of the parser's, which name parts of its grammar. */
const plainMessages: Partial<Record<YAMLError['code'], string>> = {
  BLOCK_AS_IMPLICIT_KEY: 'the next line is indented too far, or a value contains ": " and needs quotes',
  DUPLICATE_KEY: 'this key appears twice',
  MULTIPLE_DOCS: 'the file may contain only one document, so only one line ---',
  MULTILINE_IMPLICIT_KEY: 'this line is not "key: value"; is the colon or the space after it missing?',
  TAB_AS_INDENT: 'lines must be indented with spaces, not with tabs',
  UNEXPECTED_TOKEN: 'this is not valid here; if it belongs to a value, put the whole value in quotes',
};

function parse(file: string, text: string, env: Variables): ConfigFile {
  const lineCounter = new LineCounter();
  // Pretty errors would quote the line, which may contain a secret.
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const positionAt = (offset: number): Position => {
    const { line, col } = lineCounter.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };

  const problems: ConfigProblem[] = [];
  const report = (code: ConfigProblem['code'], offset: number, message: string) =>
    problems.push({ file, ...positionAt(offset), code, message });

  for (const error of withoutConsequences([...document.errors, ...document.warnings])) {
    report('FF_CONFIG_YAML', error.pos[0], plainMessages[error.code] ?? error.message);
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

/** Keeps the first mistake in the syntax, because the others may follow from it, and all duplicate keys. */
function withoutConsequences(errors: readonly YAMLError[]): readonly YAMLError[] {
  const syntax = errors.filter(({ code }) => code !== 'DUPLICATE_KEY').toSorted((a, b) => a.pos[0] - b.pos[0]);
  return errors.filter((error) => error.code === 'DUPLICATE_KEY' || error === syntax[0]);
}

type Report = (code: ConfigProblem['code'], offset: number, message: string) => void;

/** Replaces the values in place; `source` of a scalar stays as written in the file. */
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
    Pair(_key, { key }) {
      if (isCollection(key)) {
        report('FF_CONFIG_YAML', offsetOf(key) ?? 0, 'a key or value that starts with { or [ needs quotes');
      }
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
