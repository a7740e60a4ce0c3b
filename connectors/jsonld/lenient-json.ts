import { decodeHTML } from 'entities';
import { parseExactly } from '../json/exact-numbers.ts';

/**
 * Parses the JSON values of a text, usually one. A text that is not quite JSON is read if it can have only one meaning: it may
 * have raw control characters and `\'` in strings, comments, commas before a closing bracket, and `;` or several values at its
 * top; or it is JSON that was escaped for HTML as a whole.
 * @throws SyntaxError about the text as it is
 */
export function parseLeniently(text: string): unknown[] {
  try {
    return [parseExactly(text)];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // JSON has quotes, unless it was escaped.
    const values = parseEach(valuesIn(text.includes('"') ? text : decodeHTML(text)));
    if (values.length === 0) throw error;
    return values;
  }
}

/** Returns an empty list if one of the texts is not JSON. */
function parseEach(texts: readonly string[]): unknown[] {
  try {
    return texts.map(parseExactly);
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

/** A comment of HTML may also surround the JSON. */
const mark = /"|\/\/|\/\*|<!--(?:[^{[]{0,200}?-->)?|-->|<!\[CDATA\[|\]\]>|[[\]{},;]/g;

/** Splits a text into its values, and writes each as JSON. Whatever else is wrong with a value remains in its text. */
function valuesIn(text: string): string[] {
  const values: string[] = [];
  let parts: string[] = [];
  let depth = 0;
  let hasComma = false;
  let at = 0;
  for (let next = find(mark, text, at); next !== null; next = find(mark, text, at)) {
    const [found] = next;
    add(text.slice(at, next.index));
    at = next.index + found.length;
    if (found === '"') {
      at = endOfString(text, at);
      add(withEscapes(text.slice(next.index, at)));
    } else if (found === '//') at = indexAfter(/\n/g, text, at);
    else if (found === '/*') at = indexAfter(/\*\//g, text, at);
    else if (found === '{' || found === '[') {
      add(found);
      depth += 1;
    } else if (found === '}' || found === ']') close(found);
    else if (found === ',' && depth > 0 && !hasComma) hasComma = true;
    else if (depth > 0 && (found === ',' || found === ';')) add(found);
  }
  add(text.slice(at));
  return parts.length > 0 ? [...values, parts.join('')] : values;

  function add(part: string): void {
    if (part.trim() === '') return;
    if (hasComma) parts.push(',');
    hasComma = false;
    parts.push(part);
  }

  /** Closes a container. A comma before its end is dropped. */
  function close(bracket: string): void {
    hasComma = false;
    parts.push(bracket);
    depth -= 1;
    if (depth > 0) return;
    values.push(parts.join(''));
    parts = [];
  }
}

/** Returns the index after the end of a string, or of the text if the string is not closed. */
function endOfString(text: string, start: number): number {
  for (let at = start; ; ) {
    const next = find(/["\\]/g, text, at);
    if (next === null) return text.length;
    if (next[0] === '"') return next.index + 1;
    at = next.index + 2;
  }
}

function indexAfter(pattern: RegExp, text: string, start: number): number {
  const found = find(pattern, text, start);
  return found === null ? text.length : found.index + found[0].length;
}

function find(pattern: RegExp, text: string, start: number): RegExpExecArray | null {
  pattern.lastIndex = start;
  return pattern.exec(text);
}

/** Escapes control characters. PHP and JavaScript escape single quotes, too. */
function withEscapes(string: string): string {
  return string.replace(/\\[\s\S]|\p{Cc}/gu, (found) => {
    if (found === "\\'") return "'";
    return found.length > 1 ? found : JSON.stringify(found).slice(1, -1);
  });
}
