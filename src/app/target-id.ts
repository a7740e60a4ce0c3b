import type { SyncConfig } from '../config/types.ts';
import { sha256 } from '../core/hash.ts';

/** Returns the id of a site in the ledger. */
export function siteOf(baseUrl: string): string {
  return sha256(baseUrl).slice(0, 16);
}

/** Returns the id of the site or calendar within which a sync's item ids are unique. */
export function targetIdOf({ instance }: SyncConfig, baseUrl: string): string {
  return instance ? `${siteOf(baseUrl)}/${instance}` : siteOf(baseUrl);
}
