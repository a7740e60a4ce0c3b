import { isObject, type Json, type Payload, UNKNOWN } from './record.ts';

/** Whether an attribute has no value. CMSes show flags that are not set as false. */
export function hasNoValue(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '' || value === false) return true;
  return typeof value === 'object' && Object.values(value).every(hasNoValue);
}

/**
 * The attributes, or parts of one (`time.end`), that the CMS ignored: they were delivered with a value, and the CMS showed none.
 * @param madeByCms what the CMS made of delivered attributes that it shows differently
 */
export function ignoredAttributes(delivered: Payload | null, madeByCms: Payload): string[] {
  return Object.entries(madeByCms).flatMap(([attribute, made]) =>
    ignoredIn(attribute, delivered?.[attribute] ?? null, made),
  );
}

/** An event of whole days begins and ends with them: a CMS may show it without times. */
export function isBoundOfDay(path: string, value: Json): boolean {
  return (path === 'time.start' && value === '00:00:00') || (path === 'time.end' && value === '23:59:59');
}

function ignoredIn(path: string, delivered: Json, made: Json): string[] {
  if (isObject(delivered) && (isObject(made) || hasNoValue(made))) {
    return Object.entries(delivered).flatMap(([part, value]) =>
      ignoredIn(nameOf(path, part), value as Json, (isObject(made) ? (made[part] ?? null) : null) as Json),
    );
  }
  const wasSent = !hasNoValue(delivered) && delivered !== UNKNOWN && !isBoundOfDay(path, delivered);
  return wasSent && hasNoValue(made) ? [path] : [];
}

/** A file is sent by its `src`: people know it by the name of its attribute. */
function nameOf(attribute: string, part: string): string {
  return part === 'src' ? attribute : `${attribute}.${part}`;
}
