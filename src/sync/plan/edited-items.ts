import pLimit from 'p-limit';
import type { CmsItem } from '../../cms/client.ts';
import { namesByReason, recordTitle } from '../../core/text/record-title.ts';
import type { VerifiedRecord } from '../../ledger/verifications/verified-records.ts';
import type { RunContext } from '../context/run-context.ts';
import { isCmsFailure, itemsOf, unlessDeleted } from '../items/cms-items.ts';
import { itemHash, writableOf } from '../items/item-images.ts';
import { hasValue, isAsSent, isEmpty } from '../items/values.ts';

/** So many items are compared: more would cost a run too many requests. */
const COMPARED = 100;

/**
 * Says which of the items that a plan deletes were changed on the site; empty: none. Those that are changed after this are not deleted.
 */
export async function describeEdited(run: string, keys: readonly string[], context: RunContext): Promise<string> {
  if (keys.length === 0) return '';
  const { ledger, sync, target } = context;
  const items = (await ledger.plans.publishedAmong(sync.name, keys)).map(({ cmsId }) => cmsId);
  const compared = items.slice(0, COMPARED);
  const records = await ledger.verifications.ownersOf(sync.resource, compared);
  try {
    const found = await pLimit(target.concurrency).map(records, (record) => lookAt(record, context));
    const expected = found.flatMap(({ key, expects }) => (expects === undefined ? [] : [{ key, expects }]));
    await ledger.plans.restage(run, expected);
    const edited = found.flatMap(({ edit }) => edit ?? []);
    const were = edited.length === 1 ? 'was' : 'were';
    const changed = `${edited.length} of these ${were} changed on the site (${namesByReason(edited).join('; ')}).`;
    const others = `Only ${compared.length} were compared with what was delivered.`;
    return [...(edited.length > 0 ? [changed] : []), ...(compared.length < items.length ? [others] : [])].join(' ');
  } catch (error) {
    if (!isCmsFailure(error)) throw error;
    return `Whether any of these was changed on the site is unknown: ${error.message}`;
  }
}

/** Returns the hash of an item, and which of its attributes were changed; absent: none. */
async function lookAt(record: VerifiedRecord, context: RunContext) {
  const { key, cmsId, known } = record;
  const { sync } = context;
  const live = cmsId === null ? undefined : await unlessDeleted(itemsOf(sync.resource, context).get(cmsId));
  if (!live) return { key };
  const expects = itemHash(live, sync.resource);
  const attributes = await editedAttributes(record, live, context);
  if (attributes.length === 0) return { key, expects };
  const title = recordTitle(known.payload ?? {}, sync.resource);
  return { key, expects, edit: { key, ...(title !== undefined && { title }), reason: attributes.join(', ') } };
}

/** The attributes in which an item differs from what was delivered, whoever owns them, and those that were filled since. */
async function editedAttributes(
  { key, known, madeByCms, isAdopted }: VerifiedRecord,
  live: CmsItem,
  { ledger, sync }: RunContext,
): Promise<string[]> {
  const delivered = known.payload ?? {};
  const changed = Object.entries(delivered).filter(([name, value]) => {
    return name !== 'password' && !isAsSent(live, name, value, { delivered, madeByCms });
  });
  const attempts = await ledger.history.deliveries(sync.name, key);
  const made = attempts.find(({ outcome }) => outcome === 'created')?.after;
  // Without the answer to the create, what the CMS has added itself is unknown.
  if (!made && !isAdopted) return changed.map(([name]) => name);
  const filled = Object.entries(writableOf(live, sync.resource)).filter(([name, value]) => {
    return !Object.hasOwn(delivered, name) && !isEmpty(value) && !hasValue(made ?? {}, name, value);
  });
  return [...changed, ...filled].map(([name]) => name);
}
