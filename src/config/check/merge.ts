import { attributeMistake } from '../../core/attribute-names.ts';
import { shorthands } from '../../core/attributes.ts';
import { isObject } from '../../core/record.ts';
import { didYouMean } from '../../core/suggest.ts';
import { storedMistake } from './map-keys.ts';
import type { Issue } from './validate.ts';

/** The attributes of days and times: one without the others may be wrong. */
const dayAttributes = new Set([
  ...['date', 'endDate', 'time', 'isMultiDay', 'spansMultipleDays', 'showOnAllDates', 'repeats'],
  ...Object.keys(shorthands),
]);

/**
 * Checks the attributes and sources that `merge` names. Reads the sync as written in the file.
 * @param externalId layout key that feedferry itself sets
 */
export function checkMerge(sync: Record<string, unknown>, externalId: string | undefined): Issue[] {
  const { merge, sources } = sync;
  if (!isObject(merge) || !isObject(sources)) return [];
  const files = [sync, ...Object.values(sources)].flatMap((place) =>
    isObject(place) && isObject(place.attachments) ? Object.keys(place.attachments) : [],
  );
  return [
    ...checkMatch(merge.match, new Set(files), externalId),
    ...checkFill(merge.fill, Object.keys(sources), externalId),
  ];
}

function checkMatch(match: unknown, files: ReadonlySet<string>, externalId: string | undefined): Issue[] {
  if (!Array.isArray(match)) return [];
  return match.map(String).flatMap((name, index): Issue[] => {
    const message = files.has(name)
      ? 'is a file, which cannot be compared'
      : storedMistake(name, ['time.start'], { resource: 'events', externalId });
    return message === undefined ? [] : [{ path: ['merge', 'match', index], part: 'value', message }];
  });
}

function checkFill(fill: unknown, known: readonly string[], externalId: string | undefined): Issue[] {
  if (!isObject(fill)) return [];
  return Object.entries(fill).flatMap(([name, sources]): Issue[] => {
    const path = ['merge', 'fill', name];
    const mistake = fillMistake(name, externalId);
    const unknown = [sources].flat().flatMap((source, index): Issue[] => {
      if (typeof source !== 'string' || known.includes(source)) return [];
      const message = `is not one of the sources${didYouMean(source, known) || `, which are ${known.join(', ')}`}`;
      return [{ path: Array.isArray(sources) ? [...path, index] : path, part: 'value', message }];
    });
    return mistake === undefined ? unknown : [{ path, part: 'key', message: mistake }, ...unknown];
  });
}

function fillMistake(name: string, externalId: string | undefined): string | undefined {
  if (dayAttributes.has(name.split('.')[0] ?? '')) {
    return 'cannot be filled: days and times always come together, from the source that publishes the event';
  }
  return name.includes('.')
    ? 'must be a whole attribute, not a part of one'
    : attributeMistake(name, 'events', externalId);
}
