import type { SyncConfig } from '../core/config.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { FreshRecord, GoneRecord } from '../ledger/relinks.ts';
import { type Candidate, isChurn, relink } from './churn.ts';
import { fingerprintsOf } from './fingerprints.ts';
import { planRecord } from './plan.ts';

/** What came of comparing the records that are gone with those that are new. */
export interface Churn {
  /** Records recognised under a new key: they keep their CMS id. */
  relinked: number;
  /** New records that are the same as gone ones, but not one to one. */
  ambiguous: number;
  /** Most keys of the feed have changed. */
  wholeFeed: boolean;
}

export const noChurn: Churn = { relinked: 0, ambiguous: 0, wholeFeed: false };

/** Recognises staged records whose keys the source has changed, and plans them as the records that they are. */
export async function relinkRecords(run: string, config: SyncConfig, { staging, relinks }: Ledger): Promise<Churn> {
  const { name: sync } = config;
  const fresh = await relinks.fresh(run, sync);
  if (fresh.length === 0) return noChurn;
  const gone = await relinks.gone(run, sync);
  const { unchanged, update } = await staging.countByOp(run);
  const { links, ambiguous } = relink(gone.map(toCandidate), fresh);

  const goneByKey = new Map(gone.map((record) => [record.key, record]));
  const freshByKey = new Map(fresh.map((record) => [record.key, record]));
  for (const [from, to] of links) {
    const known = goneByKey.get(from);
    const found = freshByKey.get(to);
    if (known && found) await relinks.link(run, { from, to, ...planAgain(found, known, config) });
  }
  return {
    relinked: links.size,
    ambiguous: ambiguous.length,
    wholeFeed: isChurn({ gone: gone.length, fresh: fresh.length, kept: unchanged + update }),
  };
}

function toCandidate({ key, resource, payload }: GoneRecord): Candidate {
  return { key, resource, payload: payload ?? {} };
}

function planAgain({ payload, attachments }: FreshRecord, known: GoneRecord, config: SyncConfig) {
  return planRecord({ payload, fingerprints: fingerprintsOf(attachments, config) }, known, config.authority);
}
