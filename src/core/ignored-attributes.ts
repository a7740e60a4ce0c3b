import { isBoundOfDay, isUnfilled } from './attributes.ts';
import { plainText } from './html/html-text.ts';
import { isObject, type Json, type Payload, UNKNOWN } from './record.ts';

/**
 * The attributes, or parts of one (`time.end`), that the CMS ignored: they were delivered with a value, and the CMS showed none.
 * @param madeByCms what the CMS made of delivered attributes that it shows differently
 */
export function ignoredAttributes(delivered: Payload | null, madeByCms: Payload): string[] {
  return Object.entries(madeByCms).flatMap(([attribute, made]) =>
    ignoredIn(attribute, delivered?.[attribute] ?? null, made),
  );
}

function ignoredIn(path: string, delivered: Json, made: Json): string[] {
  if (isObject(delivered) && (isObject(made) || isUnfilled(made))) {
    if (isFileWithAlt(delivered) && isObject(made) && lacksAlt(delivered.alt, made.alt as Json)) return [`${path}.alt`];
    return Object.entries(delivered).flatMap(([part, value]) =>
      ignoredIn(nameOf(path, part), value as Json, (isObject(made) ? (made[part] ?? null) : null) as Json),
    );
  }
  const wasSent = !isUnfilled(delivered) && delivered !== UNKNOWN && !isBoundOfDay(path, delivered);
  return wasSent && isUnfilled(made) ? [path] : [];
}

/** A file is sent by its `src`: people know it by the name of its attribute. */
function nameOf(attribute: string, part: string): string {
  return part === 'src' ? attribute : `${attribute}.${part}`;
}

/** Returns whether a CMS has not taken an alternative text: it shows none, or one of its own. It may have cut the text. */
export function lacksAlt(sent: Json | undefined, shown: Json | undefined): boolean {
  const [text, own] = [sent, shown].map((value) => plainText(typeof value === 'string' ? value : ''));
  return text !== '' && (own === '' || !text?.startsWith(own ?? ''));
}

/** Returns whether a value is a file with an alternative text. */
export function isFileWithAlt(value: unknown): value is { src: string; alt: string } {
  return isObject(value) && typeof value.src === 'string' && typeof value.alt === 'string';
}
