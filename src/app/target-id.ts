import type { SyncConfig, TargetConfig } from '../config/types.ts';
import { sha256 } from '../core/hash.ts';

/** Names a site in the ledger. */
export function siteOf(baseUrl: string): string {
  return sha256(baseUrl).slice(0, 16);
}

/** Names where the items of a sync are: a site, or one of its calendars. Ids mean something there only. */
export function targetIdOf({ instance }: SyncConfig, baseUrl: string): string {
  return instance ? `${siteOf(baseUrl)}/${instance}` : siteOf(baseUrl);
}

/** What the place of a sync was called before its site moved to another address. */
export function formerTargetIdOf(sync: SyncConfig, { movedFrom }: TargetConfig): { formerTargetId?: string } {
  return movedFrom === undefined ? {} : { formerTargetId: targetIdOf(sync, movedFrom) };
}
