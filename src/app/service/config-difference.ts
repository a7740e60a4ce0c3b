import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../../config/types.ts';

/** Differences between two configs, for the log: names of syncs, and names of the parts that concern all syncs. */
export function differenceOf(before: Config, after: Config) {
  const old = new Map(before.syncs.map((sync) => [sync.name, sync]));
  const names = new Set(after.syncs.map(({ name }) => name));
  const isChanged = (name: string, sync: unknown) => old.has(name) && !isDeepStrictEqual(old.get(name), sync);
  const forAll = (['target', 'alerts', 'retention'] as const).filter(
    (part) => !isDeepStrictEqual(before[part], after[part]),
  );
  return {
    added: [...names].filter((name) => !old.has(name)),
    changed: [...forAll, ...after.syncs.filter((sync) => isChanged(sync.name, sync)).map(({ name }) => name)],
    removed: [...old.keys()].filter((name) => !names.has(name)),
  };
}

/** Describes the differences in one line: "added: talks; changed: target, staff". */
export function differenceLine(difference: ReturnType<typeof differenceOf>): string {
  const some = Object.entries(difference).filter(([, names]) => names.length > 0);
  return some.map(([what, names]) => `${what}: ${names.join(', ')}`).join('; ') || 'nothing that a sync uses';
}
