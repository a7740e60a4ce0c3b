import { isObject, parseJson } from '../../core/record.ts';

/** Real data is never nested deeper. */
const MAX_DEPTH = 200;

/** Parses a JSON text, or the complete part of a text that is cut off; undefined: no part is complete. */
export function parseJsonBeginning(text: string): unknown {
  return parseJson(text) ?? parseJson(closed(text));
}

/** Cuts a text after the last complete value, and closes the containers that are open there. */
function closed(text: string): string {
  const open: string[] = [];
  let whole = { length: 0, closing: '' };
  let isInText = false;
  for (let at = 0; at < text.length && open.length <= MAX_DEPTH; at += 1) {
    const mark = text[at];
    if (isInText) {
      if (mark === '\\') at += 1;
      else if (mark === '"') isInText = false;
    } else if (mark === '"') isInText = true;
    else if (mark === '{') open.push('}');
    else if (mark === '[') open.push(']');
    else if (mark === '}' || mark === ']') {
      open.pop();
      whole = { length: at + 1, closing: open.toReversed().join('') };
    }
  }
  return text.slice(0, whole.length) + whole.closing;
}

/** Whether a document is a JSON Feed (https://jsonfeed.org). */
export function isJsonFeed(document: unknown): boolean {
  return isObject(document) && String(document.version).startsWith('https://jsonfeed.org/version/');
}

/** Whether a document is JSON-LD with the vocabulary of schema.org. */
export function isSchemaOrg(document: unknown): boolean {
  const first: unknown = Array.isArray(document) ? document[0] : document;
  return isObject(first) && /schema\.org/.test(JSON.stringify([first['@context'], first['@type']]));
}
