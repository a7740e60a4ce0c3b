import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  parseDocument,
  visit,
  type YAMLError,
} from 'yaml';
import { toCodedError } from '../../core/errors.ts';
import { type ConfigFile, type Path, type Position, readConfigFile } from './config-file.ts';
import { excerptOf, shownLine } from './excerpt.ts';
import { interpolate, type Variables } from './interpolate.ts';
import type { ConfigProblem } from './problems.ts';

/** Messages that replace those of the parser, which use terms of the YAML grammar. */
const plainMessages: Partial<Record<YAMLError['code'], string>> = {
  BLOCK_AS_IMPLICIT_KEY: 'the next line is indented too far, or a value contains ": " and needs quotes',
  DUPLICATE_KEY: 'this key appears twice',
  MULTIPLE_DOCS: 'the file may contain only one document, so only one line ---',
  MULTILINE_IMPLICIT_KEY: 'this line is not "key: value"; is the colon or the space after it missing?',
  TAB_AS_INDENT: 'lines must be indented with spaces, not with tabs',
  UNEXPECTED_TOKEN: 'this is not valid here; if it belongs to a value, put the whole value in quotes',
};

/** Mistakes that are not caused by a value on the line. */
const unrelated = new Set<YAMLError['code']>(['DUPLICATE_KEY', 'MULTIPLE_DOCS', 'TAB_AS_INDENT']);

/** Limit for the values that the aliases of a file expand to: config files need few, an alias bomb needs millions. */
const maxAliasCount = 100;

/** Reads a YAML file and fills in its environment variables. Mistakes are in `problems`. */
export function readYamlFile(file: string, env: Variables): ConfigFile {
  return readConfigFile(file, (text) => parseYaml(file, text, env));
}

/** Parses the text of a YAML file, as `readYamlFile` does. */
export function parseYaml(file: string, text: string, env: Variables): ConfigFile {
  const lineCounter = new LineCounter();
  // Pretty errors would quote the line with its secrets.
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const positionAt = (offset: number): Position => {
    const { line, col } = lineCounter.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };

  const problems: ConfigProblem[] = [];
  const report: Report = (code, offset, message) => {
    const position = positionAt(offset);
    const excerpt = code === 'FF_CONFIG_YAML' ? { excerpt: excerptOf(text, position) } : {};
    problems.push({ file, ...position, code, message, ...excerpt });
  };
  const lineAt = (offset: number) => shownLine(text, positionAt(offset).line);

  for (const error of withoutConsequences([...document.errors, ...document.warnings])) {
    const [offset] = error.pos;
    report('FF_CONFIG_YAML', offset, causeOf(lineAt(offset), error.code, error.message));
  }
  if (problems.length === 0) fillIn(document, env, report, lineAt);

  const isValid = !problems.some(({ code }) => code === 'FF_CONFIG_YAML');
  return {
    file,
    value: isValid ? toPlainData(document, report) : undefined,
    problems,
    positionOf(path, part) {
      const { value, offset } = entryAt(document, path);
      return positionAt((part === 'value' ? offsetOf(value) : undefined) ?? offset);
    },
    sourceOf(path) {
      const { value: node } = entryAt(document, path);
      const value = isAlias(node) ? node.resolve(document) : node;
      return isScalar(value) ? (value.source ?? String(value.value)) : undefined;
    },
  };
}

/** Keeps only the first syntax mistake, because later ones may be its consequences. Keeps all duplicate keys. */
function withoutConsequences(errors: readonly YAMLError[]): readonly YAMLError[] {
  const syntax = errors.filter(({ code }) => code !== 'DUPLICATE_KEY').toSorted((a, b) => a.pos[0] - b.pos[0]);
  return errors.filter((error) => error.code === 'DUPLICATE_KEY' || error === syntax[0]);
}

type Report = (code: ConfigProblem['code'], offset: number, message: string) => void;

/** Replaces the values in place; `source` of a scalar stays as written in the file. */
function fillIn(document: Document, env: Variables, report: Report, lineAt: (offset: number) => string): void {
  visit(document, {
    Alias(_key, node) {
      if (node.resolve(document)) return;
      const offset = node.range?.[0] ?? 0;
      const message = `the alias *${node.source} has no anchor &${node.source} before it`;
      report('FF_CONFIG_YAML', offset, usualCause(lineAt(offset)) ?? message);
    },
    Pair(_key, { key }) {
      if (isCollection(key)) {
        const offset = offsetOf(key) ?? 0;
        report(
          'FF_CONFIG_YAML',
          offset,
          usualCause(lineAt(offset)) ?? 'a key or value that starts with { or [ needs quotes',
        );
      }
    },
    Scalar(key, node) {
      const offset = node.range?.[0] ?? 0;
      if (key === 'key' && node.value === '__proto__') {
        report('FF_CONFIG_INVALID', offset, '__proto__ cannot be used as a key');
      }
      if (key === 'key' || typeof node.value !== 'string') return;
      try {
        node.value = interpolate(node.value, env);
      } catch (error) {
        const { code, message } = toCodedError(error);
        report(code, offset, message);
      }
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

/** Returns the value at a path and the offset of its key. If there is no such key, the offset is that of the nearest parent. */
function entryAt(document: Document, path: Path): { value: unknown; offset: number } {
  let value: unknown = document.contents;
  let offset = offsetOf(value) ?? 0;
  for (const segment of path) {
    const parent = isAlias(value) ? value.resolve(document) : value;
    const isNamed = ({ key }: Pair) => isScalar(key) && String(key.value) === String(segment);
    const pair = isMap(parent) ? parent.items.find(isNamed) : undefined;
    value = isSeq(parent) && typeof segment === 'number' ? parent.items[segment] : pair?.value;
    offset = offsetOf(pair?.key) ?? offsetOf(value) ?? offset;
  }
  return { value, offset };
}

function offsetOf(node: unknown): number | undefined {
  return isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range?.[0] : undefined;
}

/**
 * Returns what is wrong with a line, and what to write instead, if one of the usual causes is recognised.
 * @param line the line with masked secrets
 */
function causeOf(line: string, code: YAMLError['code'], message: string): string {
  const cause = unrelated.has(code) ? undefined : (usualCause(line) ?? keyCause(line, code));
  return cause ?? plainMessages[code] ?? message;
}

/** Recognises values that YAML reads in another way than the user meant. */
function usualCause(line: string): string | undefined {
  const [, key, template] = /([\w.-]+):\s+(\{\{.*\}\})/.exec(line) ?? [];
  if (template !== undefined) return `a template needs quotes: write ${key}: { template: "${template}" }`;
  const [, starred, value] = /([\w.-]+):\s+([*&@%`|>][^"{}]*?)\s*(?:\}\s*)?$/.exec(line) ?? [];
  if (value !== undefined && starred !== undefined) {
    return `a value that starts with ${value.charAt(0)} needs quotes: write ${starred}: "${value}"`;
  }
  const [variable] = /(?<=[{[].*[:,[]\s*)\$\{\w+\}/.exec(line) ?? [];
  return variable === undefined ? undefined : `a variable between braces or brackets needs quotes: write "${variable}"`;
}

function keyCause(line: string, code: YAMLError['code']): string | undefined {
  if (code !== 'MULTILINE_IMPLICIT_KEY') return undefined;
  const [, key, mark, value] = /^[\s-]*([\w.-]+)(:(?=\S)|\s+)(\S.*)$/.exec(line) ?? [];
  if (key === undefined) return undefined;
  const missing = mark === ':' ? 'the space after the colon' : 'the colon';
  return `${missing} is missing: write ${key}: ${value}`;
}
