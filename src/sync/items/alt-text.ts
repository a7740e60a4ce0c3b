import { isFileWithAlt } from '../../core/ignored-attributes.ts';
import type { Json, Payload } from '../../core/record.ts';

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

/** Whether a path of a payload, such as `image.alt`, is an alternative text. */
export function isAltPath(path: string, payload: Payload): boolean {
  return path.endsWith('.alt') && isFileWithAlt(payload[path.slice(0, -'.alt'.length)]);
}
