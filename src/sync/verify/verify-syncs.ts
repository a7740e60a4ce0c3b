import { setTimeout as sleep } from 'node:timers/promises';
import type { CmsItem } from '../../cms/client.ts';
import type { LostItem } from '../../ledger/plans/adoptions.ts';
import type { VerifiedRecord } from '../../ledger/verifications/verified-records.ts';
import type { RunContext } from '../context/run-context.ts';
import { keyOn } from '../items/external-id.ts';
import { toLost } from '../match/candidates.ts';
import { checkTarget, takeOverRenamed } from '../runs/lead-run.ts';
import { type Drift, type DriftCause, differencesIn, toDrift, undeliveredDrift } from './compare-item.ts';
import { doubtAbout } from './list-doubts.ts';
import { type ListReading, newReading, readList } from './list-reading.ts';

/** What the verification of one sync has found. */
export interface Verification {
  sync: string;
  /** Items that the list of the CMS shows, also those of others. */
  items: number;
  /** Requests that the list took. Syncs of the same list share them. */
  requests: number;
  /** Records that the CMS has exactly as they were delivered and as they are desired. */
  inSync: number;
  drift: Drift[];
  certificate: Certificate;
}

/** What was proven, when, and about what. */
export interface Certificate {
  /** Whether the list proves all that is said here; otherwise `reason` says why not. */
  proven: boolean;
  reason?: string;
  /** ISO instant of the beginning. */
  time: string;
  /** Address of the site. */
  target: string;
  /** Calendar of the site. */
  instance?: string;
  /** Hash of everything in the config that decides what is delivered. */
  config: string;
  counts: Record<DriftCause, number> & {
    /** Records that should be in the CMS, or are. */
    records: number;
    inSync: number;
    /** Records that were being delivered meanwhile. */
    moving: number;
    /** Records of which the list cannot tell whether they differ. */
    unverified: number;
  };
}

/** A verification with what repairing it takes. */
export interface Verified {
  context: RunContext;
  result: Verification;
  /** When it began, in ms since 1970 by the ledger's clock. */
  beganAt: number;
  /** Items with an external id of the sync that belong to no record. */
  orphans: LostItem[];
}

/**
 * Compares what the CMS has with what was delivered, by the lists of the CMS alone, and writes nothing there. Each list is read
 * once, whatever syncs deliver to it.
 * @param contexts one for each sync
 * @throws CmsError; CodedError FF_DESTINATION_CHANGED
 */
export async function verifySyncs(contexts: readonly RunContext[]): Promise<Verified[]> {
  const lists = Map.groupBy(contexts, ({ sync }) => JSON.stringify([sync.resource, sync.instance]));
  const verified: Verified[] = [];
  for (const group of lists.values()) verified.push(...(await verifyList(group)));
  for (const { context, result } of verified) {
    const { sync, drift, certificate } = result;
    // What could not be proven neither raises an alert nor ends one.
    if (drift.length > 0 || certificate.proven) {
      await context.ledger.verifications.finishVerification(sync, drift.length, describeDrift(certificate.counts));
    }
    await context.afterRun?.();
  }
  return verified;
}

const CAUSES: DriftCause[] = ['edited', 'deleted', 'doubled', 'orphan', 'fileMissing', 'undelivered'];

/** "7 edited, 5 deleted" */
export function describeDrift(counts: Record<DriftCause, number>): string {
  const names: Partial<Record<DriftCause, string>> = { orphan: 'orphaned', fileMissing: 'with a missing file' };
  return CAUSES.flatMap((cause) => (counts[cause] > 0 ? `${counts[cause]} ${names[cause] ?? cause}` : [])).join(', ');
}

/** A list may be late: if what was delivered just before differs, it is read again. */
async function verifyList(contexts: readonly RunContext[]): Promise<Verified[]> {
  const first = await readAndCompare(contexts);
  const waitMs = Math.max(0, ...first.map(({ freshMs }) => freshMs));
  if (waitMs === 0) return first;
  const [{ signal } = {}] = contexts;
  await sleep(waitMs, undefined, { signal });
  return readAndCompare(contexts);
}

/** One sync while the list is read. */
interface SyncUnderway {
  context: RunContext;
  beganAt: number;
  /** Differences of items, by the keys of their records. */
  differences: Map<string, Drift[]>;
  /** Items with the external id of a record that they do not belong to, by its key. */
  strays: Map<string, CmsItem[]>;
}

async function readAndCompare(contexts: readonly RunContext[]): Promise<Array<Verified & { freshMs: number }>> {
  const [lister] = contexts;
  if (!lister) return [];
  const reading = newReading();
  const syncs: SyncUnderway[] = [];
  for (const context of contexts) {
    await takeOverRenamed(context);
    await checkTarget(context);
    const beganAt = await context.ledger.verifications.beginVerification(context.sync.name);
    syncs.push({ context, beganAt, differences: new Map(), strays: new Map() });
  }
  const { ledger, sync } = lister;
  for await (const items of readList(reading, lister)) {
    const ids = items.map(({ id }) => id);
    const records = await ledger.verifications.ownersOf(sync.resource, ids);
    for (const each of syncs) compareItems(items, records, each);
  }
  const results: Array<Verified & { freshMs: number }> = [];
  for (const sync of syncs) results.push(await conclude(sync, reading));
  return results;
}

/** @param records the owners of the items, also those of other syncs */
function compareItems(items: readonly CmsItem[], records: readonly VerifiedRecord[], underway: SyncUnderway): void {
  const { context, differences, strays } = underway;
  const owners = new Map(records.map((record) => [record.cmsId, record]));
  for (const item of items) {
    const owner = owners.get(item.id);
    if (owner?.sync === context.sync.name) {
      const found = differencesIn(owner, item, context);
      if (found.length > 0) differences.set(owner.key, found);
    }
    const key = owner ? undefined : keyOn(item, context.sync, context.target.externalId);
    if (key !== undefined) strays.set(key, [...(strays.get(key) ?? []), item]);
  }
}

/** Judges every record of a sync by what the list has shown; what has changed meanwhile is left out. */
async function conclude(underway: SyncUnderway, reading: ListReading): Promise<Verified & { freshMs: number }> {
  const { context, beganAt, differences, strays } = underway;
  const { ledger, sync, target } = context;
  const drift: Drift[] = [];
  const absent: VerifiedRecord[] = [];
  const orphans: LostItem[] = [];
  const sums = { records: 0, inSync: 0, moving: 0, unverified: 0 };
  let settledAt = 0;
  for await (const records of ledger.verifications.recordsOf(sync.name)) {
    for (const record of records) judge(record);
  }
  for (const [key, items] of strays) strand(key, items);
  const { unshown, reasons } = withoutUnshown(drift, reading);
  sums.unverified += unshown;
  const doubt = await doubtAbout(absent, reading, sums.records - sums.moving, context);
  if (doubt !== undefined) {
    reasons.unshift(doubt);
    sums.unverified += absent.length;
  } else drift.push(...absent.map((record) => toDrift(record, 'deleted')));
  const counts = Object.fromEntries(
    CAUSES.map((cause) => [cause, drift.filter((each) => each.cause === cause).length]),
  );
  return {
    context,
    beganAt,
    orphans,
    /** How long the list may still be late about a record that differs, in ms. */
    freshMs: settledAt === 0 ? 0 : Math.max(0, settledAt + target.lookupAfterMs - beganAt),
    result: {
      sync: sync.name,
      items: reading.seen.size,
      requests: reading.requests,
      inSync: sums.inSync,
      drift,
      certificate: {
        proven: reasons.length === 0,
        ...(reasons.length > 0 && { reason: reasons.join('; ') }),
        time: new Date(beganAt).toISOString(),
        target: target.baseUrl,
        ...(sync.instance !== undefined && { instance: sync.instance }),
        config: context.fingerprint.replace(/\..*/, ''),
        counts: { ...sums, ...(counts as Record<DriftCause, number>) },
      },
    },
  };

  function judge(record: VerifiedRecord): void {
    const { key, cmsId, isUndelivered } = record;
    const isMoving = record.isUnderWay || record.settledAt >= beganAt;
    const others = (strays.get(key) ?? []).filter(({ id }) => id !== cmsId);
    strays.delete(key);
    // An item that was removed, or that nothing was ever sent to.
    const isExpected = cmsId !== null || isUndelivered;
    if (isExpected || isMoving) sums.records += 1;
    if (isMoving) {
      sums.moving += 1;
      return;
    }
    if (cmsId !== null) drift.push(...others.map(({ id }) => ({ ...toDrift(record, 'doubled'), cmsId: id })));
    else if (!isUndelivered) strand(key, others);
    if (others.length > 0) settledAt = Math.max(settledAt, record.settledAt);
    if (!isExpected) return;
    const found = cmsId === null || reading.seen.has(cmsId) ? (differences.get(key) ?? []) : [];
    if (isUndelivered) found.unshift({ ...undeliveredDrift(record, context), cmsId: cmsId ?? others[0]?.id ?? null });
    drift.push(...found);
    const isAbsent = cmsId !== null && !reading.seen.has(cmsId);
    if (isAbsent) absent.push(record);
    else if (found.length === 0) sums.inSync += 1;
    if (isAbsent || found.length > 0) settledAt = Math.max(settledAt, record.settledAt);
  }

  function strand(key: string, items: readonly CmsItem[]): void {
    for (const item of items) {
      drift.push({ key, cmsId: item.id, cause: 'orphan', attributes: [] });
      orphans.push(...toLost(key, item, context));
    }
  }
}

/** So many records that all lack an attribute suggest that the list does not show it, rather than that editors emptied it. */
const SUSPICIOUS = 3;

/** Leaves out of the differences what the list shows of no item. Returns of how many records, and why. */
function withoutUnshown(drift: Drift[], { shown }: ListReading): { unshown: number; reasons: string[] } {
  const lacking = drift
    .filter(({ cause }) => cause === 'edited' || cause === 'fileMissing')
    .flatMap(({ attributes }) => attributes.filter((attribute) => !shown.has(attribute.replace(/\..*/, ''))));
  const unshown = [...Map.groupBy(lacking, (attribute) => attribute)].filter(([, all]) => all.length >= SUSPICIOUS);
  if (unshown.length === 0) return { unshown: 0, reasons: [] };
  const names = unshown.map(([attribute]) => attribute);
  const before = drift.length;
  const rest = drift.flatMap((each) => {
    if (each.cause !== 'edited' && each.cause !== 'fileMissing') return [each];
    const attributes = each.attributes.filter((attribute) => !names.includes(attribute));
    return attributes.length > 0 ? [{ ...each, attributes }] : [];
  });
  drift.splice(0, before, ...rest);
  return { unshown: before - rest.length, reasons: [`the list shows no item with ${names.join(', ')}`] };
}
