import type { TargetConfig } from '../core/config.ts';
import { sha256 } from '../core/hash.ts';

/** The name of a site in the ledger and of its queue in Redis. */
export function destinationOf({ baseUrl }: TargetConfig): string {
  return sha256(baseUrl).slice(0, 16);
}
