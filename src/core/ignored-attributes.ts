import { isFileWithAlt, lacksAlt } from './alt-text.ts';
import { isBoundOfDay, isUnfilled } from './attributes.ts';
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
