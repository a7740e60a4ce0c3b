import { isDeepStrictEqual } from 'node:util';
import type { SyncConfig, TargetConfig } from '../../config/types.ts';
import type { Payload } from '../../core/record.ts';
import type { SetBy } from '../views/record.ts';

/** Attributes of events that are derived from their start and end. */
const DERIVED = ['date', 'endDate', 'time', 'isMultiDay', 'spansMultipleDays'];

/**
 * Returns the attributes whose values do not come from a field of the feed, and where the values come from. Nothing is known of
 * a sync without a map.
 * @param desired the payload that the source last asked for
 */
export function setBy(
  attributes: readonly string[],
  desired: Payload,
  { map }: Partial<Pick<SyncConfig, 'map'>>,
  { externalId }: Pick<TargetConfig, 'externalId'>,
): Record<string, SetBy> {
  return Object.fromEntries(
    attributes.flatMap((attribute): Array<[string, SetBy]> => {
      if (attribute === externalId) return [[attribute, 'feedferry']];
      if (map === undefined) return [];
      const rules = Object.entries(map).filter(([name]) => name === attribute || name.startsWith(`${attribute}.`));
      if (rules.length === 0) return DERIVED.includes(attribute) ? [[attribute, 'derived']] : [];
      if (rules.every(([, rule]) => rule.value !== undefined)) return [[attribute, 'constant']];
      const [, rule] = rules[0] ?? [];
      const isDefault = rule?.default !== undefined && isDeepStrictEqual(rule.default, desired[attribute]);
      return isDefault ? [[attribute, 'default']] : [];
    }),
  );
}
