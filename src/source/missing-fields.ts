import type { SyncConfig } from '../config/types.ts';
import { missingFields } from '../mapping/field-usage.ts';

const SHOWN = 30;

/** Describes which fields of a sync file a feed does not have; none if the feed has all of them, or has no records. */
export function describeMissingFields(sync: SyncConfig, fields: ReadonlySet<string>, feed: string): string[] {
  const names = [...fields];
  const missing = names.length === 0 ? [] : missingFields(sync, names);
  if (missing.length === 0) return [];
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '';
  return [
    `No record of ${feed} has the field ${missing.join(' or ')}. Its fields are ${names.slice(0, SHOWN).join(', ')}${more}.`,
  ];
}
