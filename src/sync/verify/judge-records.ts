import type { CmsItem } from '../../cms/client.ts';
import type { SyncConfig } from '../../config/types.ts';
import { recordTitle } from '../../core/text/record-title.ts';
import type { LostItem } from '../../ledger/plans/adoptions.ts';
import type { VerifiedRecord } from '../../ledger/verifications/verified-records.ts';
import { createsAgain } from '../compare/decide.ts';
import type { RunContext } from '../context/run-context.ts';
import { toLost } from '../match/candidates.ts';
import { type Drift, toDrift, undeliveredDrift } from './compare-item.ts';
import { type Double, findTwins } from './doubles.ts';
import { doubtAbout, withoutUnshown } from './list-doubts.ts';
import type { ListReading } from './list-reading.ts';
import { certify, type Verified } from './verification.ts';

/** State of the verification of one sync while the list is read. */
export interface SyncUnderway {
  context: RunContext;
  beganAt: number;
  /** Differences of items, by the keys of their records. */
  differences: Map<string, Drift[]>;
  /** Attributes that the CMS ignores, by the keys of the records whose items lack them. */
  ignored: Map<string, string[]>;
  /** Records that the source lacks, and whose items the list has shown. */
  missing: VerifiedRecord[];
  /** Items with the external id of a record, by its key, that do not belong to the record. */
  strays: Map<string, CmsItem[]>;
}

/**
 * Judges every record of a sync by the items that the list has shown; records that have changed meanwhile are left out.
 * @param doubles of all syncs: items that look like others
 * @param verified names of the syncs that are verified together
 */
export async function judgeRecords(
  underway: SyncUnderway,
  reading: ListReading,
  doubles: readonly Double[],
  verified: ReadonlySet<string>,
): Promise<Verified & { freshMs: number }> {
  const { context, beganAt, differences, ignored, strays } = underway;
  const { ledger, sync, target } = context;
  const drift: Drift[] = [];
  const absent: VerifiedRecord[] = [];
  const orphans: LostItem[] = [];
  const sums = { records: 0, inSync: 0, moving: 0, unverified: 0 };
  let inCms = 0;
  /** The last time at which a record was delivered that the list shows differently. */
  let settledAt = 0;
  const twins = await findTwins(underway.missing, context);
  for await (const records of ledger.verifications.recordsOf(sync.name)) {
    for (const record of records) {
      judge(record);
      drift.push(...(reading.seen.has(record.cmsId ?? 0) ? twins(record) : []));
    }
  }
  for (const [key, items] of strays) strand(key, items);
  drift.push(...doublesOf(sync, doubles, verified));
  const { unshown, reasons } = withoutUnshown(drift, reading);
  sums.unverified += unshown;
  const doubt = await doubtAbout(absent, reading, inCms, context);
  if (doubt) reasons.unshift(doubt.reason);
  const deleted = absent.filter((record) => !doubt?.about.includes(record));
  sums.unverified += absent.length - deleted.length;
  drift.push(...deleted.map((record) => toDrift(record, 'deleted')));
  const titles = await ledger.records.titles(
    sync.name,
    drift.map(({ key }) => key),
  );
  const unverified = countIgnored(ignored);
  const isListProven = reasons.length === 0;
  reasons.push(...unverified.map(describeIgnored));
  if (sums.moving > 0) reasons.push(describeMoving(sums.moving));
  drift.sort((one, other) => (one.key < other.key ? -1 : 1));
  return {
    context,
    beganAt,
    orphans,
    ignored,
    isListProven,
    /** How long the list may still show an older state of a differing record, in ms. */
    freshMs: settledAt === 0 ? 0 : Math.max(0, settledAt + target.lookupAfterMs - beganAt),
    result: {
      sync: sync.name,
      items: reading.seen.size,
      requests: reading.requests,
      inSync: sums.inSync,
      drift: drift.map((each) => ({ title: titles.get(each.key), ...each })),
      unverified,
      certificate: certify(context, beganAt, drift, sums, reasons),
    },
  };

  function judge(record: VerifiedRecord): void {
    const { key, cmsId, isUndelivered } = record;
    const others = (strays.get(key) ?? []).filter(({ id }) => id !== cmsId);
    strays.delete(key);
    if (record.isUnderWay || record.settledAt >= beganAt) {
      sums.records += 1;
      sums.moving += 1;
      return;
    }
    const isAbsent = cmsId !== null && !reading.seen.has(cmsId);
    const found = isAbsent ? [] : (differences.get(key) ?? []);
    if (isAbsent || found.length > 0 || others.length > 0) settledAt = Math.max(settledAt, record.settledAt);
    if (cmsId !== null) {
      drift.push(...others.map(({ id }) => ({ ...toDrift(record, 'doubled'), cmsId: id, remedy: COPY })));
    } else if (!isUndelivered) {
      // The record's item was removed, or no item is desired.
      strand(key, others);
      return;
    }
    sums.records += 1;
    if (cmsId !== null) inCms += 1;
    if (isUndelivered) drift.push({ ...undeliveredDrift(record, context), cmsId: cmsId ?? others[0]?.id ?? null });
    drift.push(...found);
    if (isAbsent) absent.push(record);
    else if (found.length === 0 && !isUndelivered) sums[ignored.has(key) ? 'unverified' : 'inSync'] += 1;
  }

  function strand(key: string, items: readonly CmsItem[]): void {
    for (const item of items) {
      drift.push({ key, title: recordTitle(item, sync.resource), cmsId: item.id, cause: 'orphan', attributes: [] });
      orphans.push(...toLost(key, item, context));
    }
  }
}

function countIgnored(ignored: SyncUnderway['ignored']): Array<{ attribute: string; items: number }> {
  const groups = Map.groupBy([...ignored.values()].flat(), (attribute) => attribute);
  return [...groups].map(([attribute, { length }]) => ({ attribute, items: length }));
}

function describeIgnored({ attribute, items }: { attribute: string; items: number }): string {
  return `the CMS ignores ${attribute} (${items} ${items === 1 ? 'item lacks' : 'items lack'} it)`;
}

function describeMoving(count: number): string {
  return `${count} ${count === 1 ? 'record was' : 'records were'} being delivered. Verify again once this has ended`;
}

/** Each pair is reported once: with the newer item, or with the older one if the sync of the newer one is not verified. */
function doublesOf(sync: SyncConfig, doubles: readonly Double[], verified: ReadonlySet<string>): Drift[] {
  return doubles.flatMap(({ item, like }): Drift[] => {
    const [own, other] = verified.has(item.sync) ? [item, like] : [like, item];
    if (own.sync !== sync.name) return [];
    const others = { sync: other.sync, key: other.key, cmsId: other.cmsId };
    const remedy = remedyOf(own, other, sync);
    return [{ key: own.key, cmsId: own.cmsId, cause: 'doubled', attributes: [], with: others, remedy }];
  });
}

const COPY =
  'A repair leaves it: it may hold the work of an editor. Delete the copy in the CMS, or clear its external id.';

function remedyOf(own: Double['item'], other: Double['item'], sync: SyncConfig): string {
  const { name } = sync;
  const leave = createsAgain(sync) ? 'write `onDeletedInCms: leave` in the sync file, ' : '';
  return (
    `A repair leaves items ${other.cmsId} and ${own.cmsId}. If they are the same, ${leave}delete item ${own.cmsId} in the CMS, then use ` +
    `\`feedferry verify ${name} --heal\`. If both may stay, use \`feedferry acknowledge ${name} "${own.key}"\`.`
  );
}
