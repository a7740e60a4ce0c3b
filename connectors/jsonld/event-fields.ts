import { isObject } from '../../src/core/record.ts';
import { type EventDescription, idOf } from './event.ts';
import { literalsOf, textOf } from './values.ts';
import type { Node } from './vocabulary.ts';

/** What reading the properties of an event needs besides the event. */
export interface PropertyContext {
  resolve(value: unknown): unknown;
  /** Reports several values of a property of which only the first is used. */
  onSeveral(name: string, values: readonly string[]): void;
}

/**
 * Reads the fields of an event: its own properties, with the common ones in one form. `id` is its `@id`, identifier or URL,
 * otherwise a hash of its content; `name`, `description` and `url` are text; `startDate` and `endDate` are text, or lists if
 * they have several dates; `image` is a list of URLs,
 * and `imageCaption` the caption or name of the first. References to other objects are resolved.
 * @param written the event as it was written, if its properties have other names there
 */
export function eventFields(event: EventDescription, written: Node = {}, context: PropertyContext): Node {
  const caption = captionOf(context.resolve(event.node.image));
  const read = Object.entries(event.node).map(
    ([name, value]) => [name, fieldOf(name, value, context) ?? value] as const,
  );
  return {
    ...written,
    ...Object.fromEntries(read),
    ...(caption !== undefined && { imageCaption: caption }),
    id: idOf(event),
  };
}

/** Returns undefined if the property has no value in the usual form. */
function fieldOf(name: string, value: unknown, { resolve, onSeveral }: PropertyContext): unknown {
  switch (name) {
    case 'startDate':
    case 'endDate': {
      // Which of several dates is meant is for the sync to say.
      const texts = literalsOf(value);
      return texts.length > 1 ? texts : texts[0];
    }
    case 'name':
    case 'description':
    case 'url': {
      const texts = literalsOf(name === 'url' ? addressesOf(value) : value);
      if (texts.length > 1) onSeveral(name, texts);
      return texts[0];
    }
    case 'image':
      return imagesOf(resolve(value));
    default:
      return name.startsWith('@') ? value : withoutLiterals(resolve(value));
  }
}

/** Replaces typed and tagged literals with their values. */
function withoutLiterals(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutLiterals);
  if (!isObject(value)) return value;
  if (value['@value'] !== undefined) return value['@value'];
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutLiterals(member)]));
}

/** An address may be written as the `@id` of an object that has nothing else. */
function addressesOf(url: unknown): unknown[] {
  return [url].flat().map((one) => (isObject(one) ? (one['@id'] ?? one) : one));
}

function imagesOf(image: unknown): string[] | undefined {
  const images = [image].flat().flatMap((one) => imageUrl(one) ?? []);
  return images.length > 0 ? images : undefined;
}

function imageUrl(image: unknown): string | undefined {
  const url = isObject(image) ? (image.url ?? image.contentUrl ?? image['@id']) : image;
  return typeof url === 'string' && url.trim() !== '' ? url.trim() : undefined;
}

/** The caption of an image may be an object with a text; without one, it may have a name. */
function captionOf(image: unknown): string | undefined {
  const first = [image].flat().find((one) => imageUrl(one) !== undefined);
  return isObject(first) ? (textOf(first.caption) ?? textOf(first.name)) : undefined;
}
