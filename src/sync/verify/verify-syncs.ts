import type { CmsItem } from '../../cms/client.ts';
import { CodedError } from '../../core/errors.ts';
import { describeDifferences } from '../../core/text/describe-differences.ts';
import type { VerifiedRecord } from '../../ledger/verifications/verified-records.ts';
import type { RunContext } from '../context/run-context.ts';
import { keyOn } from '../items/external-id.ts';
import { checkTarget, takeOverRenamed } from '../runs/lead-run.ts';
import { differencesIn, ignoredIn } from './compare-item.ts';
import { createShownItems, unwanted } from './doubles.ts';
import { judgeRecords, type SyncUnderway } from './judge-records.ts';
import { newReading, readList } from './list-reading.ts';
import { failedVerification, type Verified } from './verification.ts';

/**
 * Compares the CMS with what was delivered, by the lists of the CMS alone, without writing to the CMS. Each list is read once,
 * even if several syncs deliver to it.
 * @param contexts one for each sync
 * @returns the findings, sync by sync; errors of a sync or a list are in them, not thrown
 */
export async function verifySyncs(contexts: readonly RunContext[]): Promise<Verified[]> {
  const lists = Map.groupBy(contexts, ({ sync }) => JSON.stringify([sync.resource, sync.instance]));
  const verified: Verified[] = [];
  for (const group of lists.values()) verified.push(...(await verifyList(group)));
  for (const { context, result, isListProven } of verified) {
    const { sync, drift, items, certificate, error } = result;
    const { proven, reason = null, counts } = certificate;
    await context.ledger.verifications.finishVerification({
      sync,
      // Without differences, a list that proves nothing, or records that were not judged, neither raise an alert nor end one.
      isCertain: drift.length > 0 || (isListProven && counts.moving === 0),
      differences: drift,
      summary: describeDifferences(counts),
      result: { proven, reason, items, counts, ...(error && { error }) },
    });
    await context.afterRun?.();
  }
  return verified;
}

async function verifyList(contexts: readonly RunContext[]): Promise<Verified[]> {
  const failed: Verified[] = [];
  const ready: RunContext[] = [];
  for (const context of contexts) {
    await context.ledger.verifications.beginVerification(context.sync.name, context.asked?.by);
    try {
      await takeOverRenamed(context);
      await checkTarget(context);
      ready.push(context);
    } catch (error) {
      failed.push(toFailed(error, context));
    }
  }
  const compared = await compareWithList(ready).catch((error: unknown) =>
    ready.map((context) => toFailed(error, context)),
  );
  return [...compared, ...failed];
}

/** @throws the error, if it is not about the CMS or the config */
function toFailed(error: unknown, context: RunContext): Verified {
  if (error instanceof CodedError && error.code !== 'FF_BUG' && !context.signal.aborted) {
    return failedVerification(context, error);
  }
  throw error;
}

/**
 * Compares with the list. Reads it again if recent deliveries differ or nothing is proven: it may be late, or wrong for a
 * moment.
 */
async function compareWithList(contexts: readonly RunContext[]): Promise<Verified[]> {
  const first = await readAndCompare(contexts);
  const waitMs = Math.max(0, ...first.map(({ freshMs }) => freshMs));
  if (waitMs === 0 && first.every(({ isListProven }) => isListProven)) return first;
  const [context] = contexts;
  await context?.runtime.sleep(waitMs, { signal: context.signal });
  return readAndCompare(contexts);
}

async function readAndCompare(contexts: readonly RunContext[]): Promise<Array<Verified & { freshMs: number }>> {
  const [lister] = contexts;
  if (!lister) return [];
  const reading = newReading();
  const syncs: SyncUnderway[] = [];
  for (const context of contexts) {
    const beganAt = await context.ledger.verifications.beginVerification(context.sync.name, context.asked?.by);
    syncs.push({ context, beganAt, differences: new Map(), ignored: new Map(), missing: [], strays: new Map() });
  }
  const { ledger, sync } = lister;
  const several = contexts.flatMap((context) => (context.sync.sources ? [context.sync.name] : []));
  const items = createShownItems(sync.resource, new Set(several));
  for await (const page of readList(reading, lister)) {
    const ids = page.map(({ id }) => id);
    const records = await ledger.verifications.ownersOf(sync.resource, ids);
    for (const each of syncs) compareItems(page, records, each);
    const byId = new Map(page.map((item) => [item.id, item]));
    for (const record of records) {
      const item = record.cmsId === null ? undefined : byId.get(record.cmsId);
      const isEdited = syncs.some(
        ({ context, differences }) => context.sync.name === record.sync && differences.has(record.key),
      );
      if (item) items.add(record, item, isEdited);
    }
  }
  const doubles = await unwanted(items.doubles(), {
    ledger,
    allowing: lister.allowingAlike,
    syncs: contexts.map((context) => context.sync),
  });
  const verified = new Set(contexts.map((context) => context.sync.name));
  const results: Array<Verified & { freshMs: number }> = [];
  for (const each of syncs) results.push(await judgeRecords(each, reading, doubles, verified));
  return results;
}

/** @param records the owners of the items, also those of other syncs */
function compareItems(items: readonly CmsItem[], records: readonly VerifiedRecord[], underway: SyncUnderway): void {
  const { context, differences, ignored, missing, strays } = underway;
  const owned = new Set(records.map(({ cmsId }) => cmsId));
  const own = new Map(records.flatMap((record) => (record.sync === context.sync.name ? [[record.cmsId, record]] : [])));
  for (const item of items) {
    const record = own.get(item.id);
    const found = record ? differencesIn(record, item, context) : [];
    if (record?.known.isMissing) missing.push(record);
    if (record && found.length > 0) differences.set(record.key, found);
    const lacking = record ? ignoredIn(record, item, context) : [];
    if (record && lacking.length > 0) ignored.set(record.key, lacking);
    const key = owned.has(item.id) ? undefined : keyOn(item, context.sync, context.target.externalId);
    if (key !== undefined) strays.set(key, [...(strays.get(key) ?? []), item]);
  }
}
