import { parse } from 'yaml';
import { isObject } from '../../core/record.ts';
import type { Corrections } from '../correct/corrections.ts';

type Values = Readonly<Record<string, unknown>>;

/** Keys of a sync file that a correction replaces as a whole. */
export const wholeKeys = ['key', 'when', 'recurrence', 'authority', 'schedule', 'missing'];

/** The data of a sync file as they are written, with variables and without defaults. */
export interface WrittenSync {
  /** The keys of the file; with several sources, those of one of them as if it were the only one. */
  values: Values;
  /** Returns where the file has a key of these values: `['sources', 'museum', 'map']`. */
  placeOf(key: string): readonly string[];
}

/**
 * Reads the data of a sync file.
 * @param text the file, which must be valid
 * @param source the source whose lines are meant, if the sync has several, and the keys that a source may have for itself
 */
export function writtenSync(text: string, source?: { name: string; ownKeys: readonly string[] }): WrittenSync {
  const file = parse(text, { maxAliasCount: 100, logLevel: 'error' }) as Values;
  const { sources, ...shared } = file;
  const given = source && isObject(sources) ? sources[source.name] : undefined;
  if (source === undefined || !isObject(given)) return { values: file, placeOf: (key) => [key] };
  const entries = Object.entries(given);
  const own = Object.fromEntries(entries.filter(([key]) => source.ownKeys.includes(key)));
  const feed = Object.fromEntries(entries.filter(([key]) => !source.ownKeys.includes(key)));
  const place = ['sources', source.name];
  return {
    values: { ...shared, ...own, source: feed },
    placeOf(key) {
      if (key === 'source') return place;
      // A new key of the source is its own.
      return key in own || (!(key in shared) && source.ownKeys.includes(key)) ? [...place, key] : [key];
    },
  };
}

/** Returns what a sync file says as the lines of a person, so that inference leaves them as they are. */
export function writtenLines({ values }: WrittenSync): Corrections['lines'] {
  const section = (name: string) => Object.entries(isObject(values[name]) ? values[name] : {});
  const whole = ['resource', ...wholeKeys].flatMap((key) => (values[key] === undefined ? [] : [[key, values[key]]]));
  const source = section('source').flatMap(([name, value]) => (name === 'url' ? [] : [[`source.${name}`, value]]));
  const rules = section('map').map(([attribute, rule]) => [attribute, isObject(rule) ? rule : { field: rule }]);
  const files = section('attachments').map(([attribute, field]) => [`attachments.${attribute}`, field]);
  return Object.fromEntries([...whole, ...source, ...rules, ...files]);
}
