import { hashJson } from '../hash.ts';

/** The mark of a name that replaces the key of a record. */
const UNNAMED = '?';

/** Returns the name by which a rejection is acknowledged: the key of its record, else a hash of the reason. */
export function rejectionName({ key, code, reason }: { key?: string | null; code: string; reason: string }): string {
  return key || `${UNNAMED}${hashJson([code, reason]).slice(0, 12)}`;
}

/** Whether a name may be that of a rejection without a key. */
export function mayBeUnnamed(name: string): boolean {
  return name.startsWith(UNNAMED);
}
