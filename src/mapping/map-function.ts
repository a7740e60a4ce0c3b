import type { SyncConfig } from '../config/types.ts';
import { attributeMistake } from '../core/attribute-names.ts';
import { kindOf } from '../core/attributes.ts';
import { CodedError } from '../core/errors.ts';
import type { Json } from '../core/record.ts';
import { blame, type Coercions, convert } from './coerce.ts';

type Fields = Readonly<Record<string, unknown>>;
type Warn = (message: string) => void;

/**
 * Compiles the `map` of a TypeScript sync file: what it gives is held to the same rules as what a YAML file maps. `time`
 * may be a whole object there. The compiled function throws CodedError FF_RECORD_SCRIPT where the map throws or gives
 * what is no payload, else as rules do.
 */
export function compileMapFunction(
  { resource, mapFunction }: SyncConfig,
  coercions: Coercions,
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
      const value = converted(attribute, given, warn);
      if (value !== undefined) values[attribute] = value;
    }
    return values;
  };

  function converted(attribute: string, given: unknown, warn: Warn): Json | undefined {
    try {
      const kind = kindOf(resource, attribute);
      return convert(given, { kind, coercions, warn: (message) => warn(`${attribute}: ${message}`) });
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      throw blame(attribute, error);
    }
  }
}

function call(map: SyncConfig['mapFunction'], fields: Fields): object {
  let result: unknown;
  try {
    result = map?.(fields);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new CodedError('FF_RECORD_SCRIPT', `map failed: ${message}`, { cause: error });
  }
  if (typeof result === 'object' && result !== null && !Array.isArray(result) && !('then' in result)) return result;
  throw new CodedError('FF_RECORD_SCRIPT', 'map must return an object of attributes, and not a promise of one');
}

function attributesOf(payload: object, resource: SyncConfig['resource']): Array<[string, unknown]> {
  return Object.entries(payload).flatMap(([attribute, value]): Array<[string, unknown]> => {
    const parts = resource === 'events' && attribute === 'time' && typeof value === 'object' && value !== null;
    return parts ? Object.entries(value).map(([part, item]) => [`time.${part}`, item]) : [[attribute, value]];
  });
}
