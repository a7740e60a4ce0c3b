import type { SyncConfig } from '../config/types.ts';
import type { AnyConnector } from '../core/connector.ts';
import type { SourceRecord } from '../core/record.ts';
import { hasNoValue } from './coerce.ts';
import { expressionsOf, mappedFields, rulesOf } from './compile.ts';
import { firstSegment } from './path.ts';

/** More names than people read. A feed may use values as names. */
const MOST = 50;

/**
 * Collects the fields that have a value but are not used by a sync. What a map function reads is unknown, so nothing is
 * collected for it.
 * @returns `found`: field → its first value, from the records that were added
 */
export function collectUnmapped(sync: SyncConfig, { defaultMap, ownFields }: AnyConnector) {
  const found = new Map<string, unknown>();
  const expressions = expressionsOf(sync);
  const byRule = Object.values(rulesOf(sync, defaultMap)).flatMap(({ field }) => field ?? []);
  const used = new Set([...mappedFields(sync, defaultMap), ...byRule.map(firstSegment)]);
  const isUsed = (name: string) =>
    ownFields?.test(name) || used.has(firstSegment(name)) || expressions.some((text) => text.includes(name));
  const seen = new Set(used);
  return { found, add };

  function add(fields: SourceRecord['fields']): void {
    if (sync.mapFunction || found.size >= MOST) return;
    for (const name of Object.keys(fields)) {
      if (seen.has(name) || hasNoValue(fields[name])) continue;
      seen.add(name);
      if (!isUsed(name)) found.set(name, fields[name]);
    }
  }
}
