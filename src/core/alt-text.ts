import { plainText } from './html/html-text.ts';
import { isObject, type Json, type Payload } from './record.ts';

// An attribute with a picture takes `{ src }` (API: "Event"). That it also takes `alt` is not shown: a CMS may take, ignore or refuse it.

/** Returns a file as an attribute takes it. */
export function fileValue(src: string, alt?: string): Json {
  return { src, ...(alt !== undefined && { alt }) };
}

/** Returns whether a payload has an alternative text. */
export function hasAlt(payload: Payload): boolean {
  return Object.values(payload).some((value) => isFileWithAlt(value));
}

/** Returns a payload without its alternative texts. */
export function withoutAlt(payload: Payload): Payload {
  return Object.fromEntries(
    Object.entries(payload).map(([attribute, value]) => [
      attribute,
      isFileWithAlt(value) ? fileValue(value.src) : value,
    ]),
  );
}

/** Returns whether a CMS has not taken an alternative text: it shows none, or one of its own. It may have cut the text. */
export function lacksAlt(sent: Json | undefined, shown: Json | undefined): boolean {
  const [text, own] = [sent, shown].map((value) => plainText(typeof value === 'string' ? value : ''));
  return text !== '' && (own === '' || !text?.startsWith(own ?? ''));
}

/** Whether a path of a payload, such as `image.alt`, is an alternative text. */
export function isAltPath(path: string, payload: Payload): boolean {
  return path.endsWith('.alt') && isFileWithAlt(payload[path.slice(0, -'.alt'.length)]);
}

export function isFileWithAlt(value: unknown): value is { src: string; alt: string } {
  return isObject(value) && typeof value.src === 'string' && typeof value.alt === 'string';
}
