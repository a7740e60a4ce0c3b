import { Document, type Node, type ToStringOptions, visit, type YAMLMap } from 'yaml';
import { mapTexts } from '../core/text/map-texts.ts';
import type { Guess, Proposal } from './proposal.ts';

/** Longest line with a comment at its end. The comment of a longer line is above the line. */
const LONGEST = 120;
/** Texts are quoted, because a block scalar loses a first line that has only blanks. */
export const FORMAT: ToStringOptions = { lineWidth: 0, blockQuote: false };
/** Quotes texts that YAML 1.1 reads as other values, because other programs may read a time such as 10:00 as a number. */
export const WRITTEN = { aliasDuplicateObjects: false, compat: 'yaml-1.1' } as const;

/**
 * Writes the file of a proposed sync: each key with its evidence as a comment, and the open questions.
 * @param url path or address of the feed, in the form for the file: `${NAME}` refers to a variable
 * @param hint comment about the url
 */
export function syncFileText(proposal: Proposal, url: string, hint = ''): string {
  const { resource, source, key, when, map, attachments, suggested, open, authority, schedule, missing, recurrence } =
    proposal;
  const document = new Document({}, WRITTEN);
  const root = document.contents as unknown as YAMLMap;
  document.commentBefore = comment([
    'Written by `feedferry init`. All keys: `feedferry help configuration`',
    ...questions(open),
  ]);
  add(root, 'resource', resource);
  const { connector, ...options } = source;
  const feed = section({});
  if (connector) add(feed, 'connector', connector);
  add(feed, 'url', { value: url, evidence: hint, hasVariables: true });
  addAll(feed, options);
  addNode(root, 'source', feed);
  add(root, 'key', key);
  if (when) add(root, 'when', when);
  const attributes = section(map);
  const ideas = Object.keys(suggested).length === 0 ? '' : suggestions(suggested);
  if (attributes.items.length > 0) {
    addNode(root, 'map', attributes);
    attributes.comment = ideas || undefined;
  } else if (ideas) document.comment = ideas;
  if (Object.keys(attachments).length > 0) addNode(root, 'attachments', section(attachments));
  if (authority) add(root, 'authority', authority);
  if (recurrence) add(root, 'recurrence', recurrence);
  if (schedule) add(root, 'schedule', schedule);
  if (missing) add(root, 'missing', missing);
  return document.toString(FORMAT);
}

/** Writes a value in one line, as in a sync file. */
export function flowText(value: unknown): string {
  const document = new Document(value, WRITTEN);
  toOneLine(document);
  return oneLine(document.toString(FORMAT));
}

/** Writes lists and mappings in one line, and texts of several lines in quotes. */
export function toOneLine(document: Document): void {
  visit(document, {
    Collection: (_, node) => {
      node.flow = true;
    },
    Scalar: (_, node) => {
      if (String(node.value).includes('\n')) node.type = 'QUOTE_DOUBLE';
    },
  });
}

/** Returns a value for a config file: escapes `${`, which would refer to a variable. */
export function literal(value: unknown): unknown {
  return mapTexts(value, (text) => text.replaceAll('${', () => '$${'));
}

function section(guesses: Readonly<Record<string, Guess<unknown>>>): YAMLMap {
  const map = new Document({}, WRITTEN).contents as unknown as YAMLMap;
  addAll(map, guesses);
  return map;
}

function addAll(map: YAMLMap, guesses: Readonly<Record<string, Guess<unknown>>>): void {
  for (const [name, guess] of Object.entries(guesses)) add(map, name, guess);
}

/** Adds a key with its evidence as a comment, beside the key or, if the line would be long, above the key. */
function add(map: YAMLMap, name: string, { value, evidence, hasVariables }: Guess<unknown>): void {
  const document = new Document(hasVariables ? value : literal(value), WRITTEN);
  toOneLine(document);
  const node = document.contents as Node;
  const note = comment([evidence]);
  const length = name.length + document.toString(FORMAT).length + note.length;
  const key = addNode(map, name, node);
  if (evidence === '') return;
  if (length > LONGEST) key.commentBefore = note;
  else node.comment = note;
}

function addNode(map: YAMLMap, name: string, node: Node): Node {
  const document = new Document({}, WRITTEN);
  const key = document.createNode(name) as Node;
  map.add(document.createPair(key, node));
  return key;
}

function questions(open: Proposal['open']): string[] {
  return open.length === 0 ? [] : ['', 'Please check:', ...open.map(({ comment }) => `- ${oneLine(comment)}`)];
}

/** Writes the rules of custom attributes that the site may have as comments. */
function suggestions(suggested: Proposal['suggested']): string {
  const map = section(suggested);
  const text = new Document(map, WRITTEN).toString(FORMAT).trimEnd().split('\n');
  return comment([
    'Other fields. If the site has a custom attribute for one, add it with the layout key of that:',
    ...text.map((line) => `  ${line}`),
  ]);
}

function comment(lines: readonly string[]): string {
  return lines.map((line) => (line === '' ? ' ' : ` ${line.replace(/\p{Cc}+/gu, ' ')}`)).join('\n');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
