import { isDeepStrictEqual } from 'node:util';
import { Document, isAlias, isMap, isScalar, isSeq, Lexer, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { CodedError } from '../../core/errors.ts';
import { isObject } from '../../core/record.ts';
import { FORMAT, toOneLine, WRITTEN } from '../sync-file.ts';

/** A change of one key of a file: its path from the root, and its new value; undefined removes the key. */
export interface KeyChange {
  path: readonly string[];
  value: unknown;
}

type Values = Readonly<Record<string, unknown>>;

/** A part of a text that is replaced. */
interface Splice {
  from: number;
  to: number;
  text: string;
}

/** A key of the file, and the mapping that holds it. */
interface Step {
  map: YAMLMap;
  pair: Pair;
}

/**
 * Changes keys in the text of a YAML file. Each change replaces one part of the text; all other bytes stay as they are, with their
 * comments, quotes and line ends. A mapping that loses its last key is removed.
 * @throws CodedError FF_EDIT_IMPOSSIBLE if a change would also change other keys, such as those that refer to an anchor
 */
export function editYaml(text: string, changes: readonly KeyChange[]): string {
  return changes.reduce(changeKey, text);
}

/** Lists the changes that turn the data of a file into others. Mappings are compared key by key, lists as a whole. */
export function changesBetween(before: Values, after: Values): KeyChange[] {
  const changes = changesIn(before, after, []);
  // A mapping that would lose all its keys before it has new ones would be removed.
  const removed = changes.filter(({ value }) => value === undefined);
  return [...changes.filter(({ value }) => value !== undefined), ...removed];
}

function changesIn(before: Values, after: Values, path: readonly string[]): KeyChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const [from, to] = [before[name], after[name]];
    if (isDeepStrictEqual(from, to)) return [];
    const isNarrower = isObject(from) && isObject(to) && Object.keys(to).length > 0;
    return isNarrower ? changesIn(from, to, [...path, name]) : [{ path: [...path, name], value: to }];
  });
}

function changeKey(text: string, change: KeyChange): string {
  const before = parsed(text);
  const splice = spliceOf(text, before.contents, change);
  const changed = splice === undefined ? text : text.slice(0, splice.from) + splice.text + text.slice(splice.to);
  const after = parsed(changed);
  // Whatever the file looks like, no other key may change.
  if (isDeepStrictEqual(dataOf(after), withChange(dataOf(before) ?? {}, change))) return changed;
  throw impossible(change.path);
}

function impossible(path: readonly string[]): CodedError {
  const message = `${path.join('.')} cannot be changed by itself in this file. Perhaps another key refers to it (\`&\` and \`*\`).`;
  return new CodedError('FF_EDIT_IMPOSSIBLE', message);
}

/** Whether a key has no value, as in `map:`. */
function isEmpty(node: unknown): boolean {
  return isScalar(node) && node.value === null;
}

function parsed(text: string): Document.Parsed {
  return parseDocument(text, { prettyErrors: false });
}

/** Returns the data of a file; undefined if it has mistakes, such as an alias without its anchor. */
function dataOf(document: Document.Parsed): Values | undefined {
  if (document.errors.length > 0) return undefined;
  try {
    const data: unknown = document.toJS({ maxAliasCount: 100 });
    return isObject(data) ? data : {};
  } catch {
    return undefined;
  }
}

function withChange(values: Values, { path, value }: KeyChange): Values {
  const [name = '', ...rest] = path;
  const inner = values[name];
  const next = rest.length === 0 ? value : withChange(isObject(inner) ? inner : {}, { path: rest, value });
  const isEmptied = value === undefined && isObject(next) && Object.keys(next).length === 0;
  const { [name]: _, ...others } = values;
  return next === undefined || isEmptied ? others : { ...others, [name]: next };
}

function spliceOf(text: string, contents: unknown, { path, value }: KeyChange): Splice | undefined {
  const steps: Step[] = [];
  let node = contents;
  for (const [index, name] of path.entries()) {
    if (!isMap(node)) {
      const last = steps.at(-1);
      if (value === undefined) return undefined;
      if (last === undefined || !isEmpty(last.pair.value)) throw impossible(path);
      return replacement(text, last, nested(path.slice(index), value));
    }
    const map = node;
    const pair = map.items.find(({ key }) => isScalar(key) && String(key.value) === name);
    if (pair === undefined) return value === undefined ? undefined : addition(text, map, path.slice(index), value);
    steps.push({ map, pair });
    node = pair.value;
  }
  if (value !== undefined) return replacement(text, steps.at(-1) as Step, value);
  const emptied = steps.findLastIndex(({ map }, index) => map.items.length > 1 || index === 0);
  return removal(text, steps[emptied] as Step);
}

function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight((inner, name) => ({ [name]: inner }), value);
}

function replacement(text: string, { map, pair }: Step, value: unknown): Splice {
  const [, keyEnd] = rangeOf(pair.key);
  const afterColon = text.indexOf(':', keyEnd) + 1;
  const written = valueText(value, map.flow === true);
  const [from] = rangeOf(pair.value);
  const to = endOf(text, pair.value);
  const between = text.slice(afterColon, from);
  const isBelow = between.includes('\n') && between.trim() === '';
  return isBelow || from === to ? { from: afterColon, to, text: ` ${written}` } : { from, to, text: written };
}

function addition(text: string, map: YAMLMap, path: readonly string[], value: unknown): Splice {
  const [name = '', ...rest] = path;
  const last = map.items.at(-1);
  if (map.flow || last === undefined) {
    const pair = pairText(name, nested(rest, value), true);
    if (last !== undefined) return insertion(endOfPair(text, last), `, ${pair}`);
    const [from, to] = rangeOf(map);
    return { from, to, text: `{ ${pair} }` };
  }
  const newLine = text.includes('\r\n') ? '\r\n' : '\n';
  const [first] = rangeOf(map.items[0]?.key);
  const lines = blockLines(path, value, ' '.repeat(first - lineStart(text, first)));
  const at = lineEnd(text, endOfPair(text, last));
  const isOpen = at === text.length && !text.endsWith('\n');
  return insertion(at, `${isOpen ? newLine : ''}${lines.join(newLine)}${isOpen ? '' : newLine}`);
}

function insertion(at: number, text: string): Splice {
  return { from: at, to: at, text };
}

function blockLines([name = '', ...rest]: readonly string[], value: unknown, indent: string): string[] {
  if (rest.length === 0) return [`${indent}${pairText(name, value, false)}`];
  const [head = ''] = pairText(name, '', false).split(/(?<=:) /);
  return [`${indent}${head}`, ...blockLines(rest, value, `${indent}  `)];
}

function removal(text: string, { map, pair }: Step): Splice {
  const [from] = rangeOf(pair.key);
  const to = endOfPair(text, pair);
  if (!map.flow) return { from: lineStart(text, from), to: lineEnd(text, to), text: '' };
  const index = map.items.indexOf(pair);
  const [before, after] = [map.items[index - 1], map.items[index + 1]];
  const start = before ? endOfPair(text, before) : from;
  const end = !before && after ? rangeOf(after.key)[0] : to;
  // Comments between the keys of a mapping in braces would go, or come to stand beside another key.
  const around = text.slice(start, Math.min(lineEnd(text, Math.max(to, end)), rangeOf(map)[1]));
  if ([...new Lexer().lex(around)].some((token) => token.startsWith('#'))) throw commented(pair);
  return { from: start, to: end, text: '' };
}

function commented({ key }: Pair): CodedError {
  const message = `${String(key)} cannot be removed by itself, because of the comments around it.`;
  return new CodedError('FF_EDIT_IMPOSSIBLE', message);
}

/** Where the last character of a node is, without the comment and the line ends after it. */
function endOf(text: string, node: unknown): number {
  const last = (isMap(node) || isSeq(node)) && !node.flow ? node.items.at(-1) : undefined;
  if (last !== undefined) return isMap(node) ? endOfPair(text, last as Pair) : endOf(text, last);
  const [from, to] = rangeOf(node);
  return from + text.slice(from, to).trimEnd().length;
}

function endOfPair(text: string, { key, value }: Pair): number {
  return Math.max(endOf(text, value), rangeOf(key)[1]);
}

function rangeOf(node: unknown): readonly [from: number, to: number] {
  const hasRange = isScalar(node) || isMap(node) || isSeq(node) || isAlias(node);
  if (hasRange && node.range) return [node.range[0], node.range[1]];
  throw new CodedError('FF_EDIT_IMPOSSIBLE', 'The file has a key without a value of its own.');
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
}

/** Writes a key with its value in one line; in a mapping with braces, texts need quotes more often. */
function pairText(name: string, value: unknown, isInBraces: boolean): string {
  const document = new Document({ [name]: value }, WRITTEN);
  toOneLine(document);
  (document.contents as YAMLMap).flow = isInBraces;
  const text = document.toString(FORMAT).trimEnd();
  return isInBraces ? text.slice('{ '.length, -' }'.length) : text;
}

function valueText(value: unknown, isInBraces: boolean): string {
  return pairText('k', value, isInBraces).slice('k: '.length);
}
