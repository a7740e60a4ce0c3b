import type { SyncConfig } from '../config/types.ts';
import { attributeMistake } from '../core/attribute-names.ts';
import { kindOf } from '../core/attributes.ts';
import { CodedError } from '../core/errors.ts';
import { isObject, type Json } from '../core/record.ts';
import { type Coercions, convert, inAttribute, type Warn } from './coerce.ts';
import { compileHtml, type HtmlContext } from './html.ts';
import type { Fields } from './path.ts';
import { withCode } from './text.ts';
import { warnOfNoValue } from './words.ts';

/**
 * Compiles the `map` of a TypeScript sync file. The result must follow the same rules as the result of a YAML map, except that
 * `time` may be an object. The compiled function throws CodedError FF_RECORD_SCRIPT if the map throws or does not return a
 * payload, otherwise the errors of a rule.
 */
export function compileMapFunction(
  { resource, mapFunction }: SyncConfig,
  coercions: Coercions,
  { onHtml }: HtmlContext,
): (fields: Fields, warn: Warn) => Record<string, Json> {
  const mistakes = new Map<string, string | undefined>();
  const check = (attribute: string) => {
    if (!mistakes.has(attribute)) mistakes.set(attribute, attributeMistake(attribute, resource));
    const mistake = mistakes.get(attribute);
    if (mistake) throw new CodedError('FF_RECORD_SCRIPT', `map: ${attribute} ${mistake}`);
  };

  return (fields, warn) => {
    const values: Record<string, Json> = {};
    for (const [attribute, given] of attributesOf(call(mapFunction, fields), resource)) {
      check(attribute);
      const kind = kindOf(resource, attribute);
      const treatHtml = compileHtml(attribute === 'password' ? 'keep' : undefined, kind);
      const value = inAttribute(attribute, '', warn, (warnOf) => {
        const converted = convert(given, kind, coercions, warnOf);
        if (!treatHtml || typeof converted !== 'string') return converted;
        if (kind === 'html') onHtml?.(attribute, converted, false);
        const shown = treatHtml(converted, warnOf, false);
        warnOfNoValue(shown, warnOf);
        return shown;
      });
      if (value !== undefined) values[attribute] = value;
    }
    return values;
  };
}

function call(map: SyncConfig['mapFunction'], fields: Fields): object {
  const result: unknown = withCode('FF_RECORD_SCRIPT', 'map failed', () => map?.(fields));
  if (isObject(result) && !('then' in result)) return result;
  throw new CodedError('FF_RECORD_SCRIPT', 'map must return an object of attributes, not a promise of one');
}

function attributesOf(payload: object, resource: SyncConfig['resource']): Array<[string, unknown]> {
  return Object.entries(payload).flatMap(([attribute, value]): Array<[string, unknown]> => {
    const hasParts = resource === 'events' && attribute === 'time' && isObject(value);
    return hasParts ? Object.entries(value).map(([part, item]) => [`time.${part}`, item]) : [[attribute, value]];
  });
}
