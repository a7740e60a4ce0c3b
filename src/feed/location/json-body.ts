import { CodedError } from '../../core/errors.ts';
import { isObject, parseJson } from '../../core/record.ts';

/** Returns true if the body of a request is a JSON object. */
export function isJsonObject(body: string | undefined): boolean {
  return parsed(body) !== undefined;
}

/**
 * Sets values in the JSON body of a request; names are dotted paths: `variables.after`.
 * @throws CodedError FF_FEED_UNREADABLE if the body is not a JSON object
 */
export function setInBody(body: string | undefined, values: Readonly<Record<string, string | number>>): string {
  const root = parsed(body);
  if (root === undefined) {
    const message = 'source.pages has `in: body`, but source.body is not a mapping. Write the body as a mapping.';
    throw new CodedError('FF_FEED_UNREADABLE', message);
  }
  for (const [path, value] of Object.entries(values)) setAt(root, path.split('.'), value);
  return JSON.stringify(root);
}

function setAt(object: Record<string, unknown>, [name = '', ...rest]: string[], value: string | number): void {
  if (rest.length === 0) object[name] = value;
  else {
    const inner = Object.hasOwn(object, name) ? object[name] : undefined;
    const member = isObject(inner) ? { ...inner } : {};
    setAt(member, rest, value);
    object[name] = member;
  }
}

function parsed(body: string | undefined): Record<string, unknown> | undefined {
  const value = parseJson(body ?? '');
  return isObject(value) ? { ...value } : undefined;
}
