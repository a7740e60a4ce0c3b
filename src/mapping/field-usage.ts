import type { SyncConfig } from '../config/types.ts';
import type { AnyConnector } from '../core/connector.ts';
import type { SourceRecord } from '../core/record.ts';
import { hasNoValue } from './coerce.ts';
import { expressionsOf, mappedFields, rulesOf } from './compile.ts';
import { firstSegment } from './path.ts';

/** More names than people read. A feed may use values as names. */
const MOST_UNMAPPED = 50;
const MOST_NAMES = 1000;

/**
 * Collects the names of fields from the records that are added.
 * @returns `names`: of all fields; `unmapped`: those that have a value but are not used by the sync, each with its first
 * value. What a map function reads is unknown, so nothing is unmapped for it
 */
export function collectFields(sync: SyncConfig, { defaultMap, ownFields }: AnyConnector) {
  const names = new Set<string>();
  const unmapped = new Map<string, unknown>();
  const expressions = expressionsOf(sync);
  const byRule = Object.values(rulesOf(sync, defaultMap)).flatMap(({ field }) => field ?? []);
  const used = new Set([...mappedFields(sync, defaultMap), ...byRule.map(firstSegment)]);
  const isUsed = (name: string) =>
    sync.mapFunction !== undefined ||
    ownFields?.test(name) ||
    used.has(firstSegment(name)) ||
    expressions.some((text) => text.includes(name));
  const judged = new Set(used);
  return { names, unmapped, add };

  function add(fields: SourceRecord['fields']): void {
    for (const name of Object.keys(fields)) {
      if (names.size < MOST_NAMES) names.add(name);
      if (judged.has(name) || unmapped.size >= MOST_UNMAPPED || hasNoValue(fields[name])) continue;
      judged.add(name);
      if (!isUsed(name)) unmapped.set(name, fields[name]);
    }
  }
}

/** Returns the fields that a sync file names, but that are not among these. */
export function missingFields(sync: SyncConfig, names: readonly string[]): string[] {
  const present = new Set([...names, ...names.map(firstSegment)]);
  return [...mappedFields(sync)].filter((field) => !present.has(field));
}
