import type { CmsItem } from '../../cms/client.ts';
import { CodedError } from '../../core/errors.ts';
import { type Payload, UNKNOWN } from '../../core/record.ts';
import { type ClaimedRecord, itemOf, openOf, type RecordWithItem } from '../../ledger/records/claimed-record.ts';
import { payloadsInDoubt } from '../../ledger/records/open-attempts.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { type IdentityGrade, suffices } from '../identity/grades.ts';
import { compare } from '../identity/identity.ts';
import { identifying, sightingOf } from '../identity/sighting.ts';
import { itemsOf, unlessDeleted } from '../items/cms-items.ts';
import { externalIdOn, externalIdsOf, isCutOf, keyOn } from '../items/external-id.ts';
import { itemHash } from '../items/item-images.ts';
import { hasAll } from '../items/values.ts';
import { isNamedByAnother } from '../match/named-by-another.ts';
import { stillLost } from './restore-lost.ts';
import type { Seen } from './second-look.ts';

type OwnerContext = Pick<DeliveryContext, 'sync' | 'target' | 'cms' | 'call' | 'ledger'>;

/**
 * Reads the item of a record before it is changed or deleted. A CMS that was restored from a backup may have given the id to
 * another item.
 * @param listed the item as a list shows it; absent: it is read by its id
 * @returns undefined if the CMS returns 404
 * @throws CmsError; CodedError FF_CMS_FOREIGN if the item is not the record's
 */
export async function readOwnItem(
  record: RecordWithItem,
  context: OwnerContext,
  listed?: CmsItem,
): Promise<CmsItem | undefined> {
  const { cmsId } = record.item;
  const live = listed ?? (await unlessDeleted(itemsOf(record.resource, context).get(cmsId)));
  if (!live || (live.id === cmsId && (await isOwn(live, record, context)))) return live;
  throw foreign(record, live);
}

async function isOwn(live: CmsItem, record: RecordWithItem, context: OwnerContext): Promise<boolean> {
  const { cut } = expectationOf(record, context);
  // What the CMS keeps of the external id says nothing: the rest decides.
  if (cut !== undefined && externalIdOn(live, context.target.externalId) === cut) {
    const { externalId: _, ...target } = context.target;
    return suffices(gradeOf(live, record, { ...context, target }), 'ownCut');
  }
  const grade = gradeOf(live, record, context);
  if (!suffices(grade, 'own')) return false;
  return grade === 'id' || !(await isNamedByAnother(record, externalIdOn(live, context.target.externalId), context));
}

/**
 * Checks the answer to a create: a CMS may return another item.
 * @throws CodedError FF_CMS_FOREIGN
 */
export function checkCreated(item: CmsItem, record: ClaimedRecord, context: OwnerContext): void {
  // The CMS may cut the external id anywhere.
  const cutAt = externalIdOn(item, context.target.externalId)?.length;
  const grade = gradeOf(item, record, context, { delivered: record.desired, cutAt });
  if (!suffices(grade, 'created')) throw foreign(record, item);
}

/**
 * Checks the answer to a create for an item that the CMS had before: one of another record, or one whose id is not above those that
 * the CMS has shown. Such an item may differ from what was sent only in ways that are known of the CMS.
 * @throws CodedError FF_CMS_FOREIGN
 */
export async function refuseEarlier(
  { item, evidence }: Seen,
  record: ClaimedRecord,
  {
    sync,
    target,
    ledger,
    habits,
    newestId,
  }: Pick<DeliveryContext, 'sync' | 'target' | 'ledger' | 'habits' | 'newestId'>,
): Promise<void> {
  if (externalIdsOf(record, sync).includes(externalIdOn(item, target.externalId) ?? '')) return;
  const differing = [...evidence].flatMap(([path, each]) => {
    if (each === 'taken' || each === 'ignored' || (each === 'rewritten' && habits.rewrites(path))) return [];
    return each === 'absent' && habits.ignores(path) ? [] : [path];
  });
  if (differing.length === 0) return;
  const isEarlier = newestId !== undefined && item.id <= newestId;
  if (!isEarlier && !(await ledger.records.ownersOf(record.resource, [item.id])).has(item.id)) return;
  const message =
    `The CMS answered the create of "${record.key}" with item ${item.id}${nameOf(item)}, which it had before, and which differs ` +
    `in ${differing.join(', ')}. The item was not changed.`;
  throw new CodedError('FF_CMS_FOREIGN', message);
}

function foreign({ key }: ClaimedRecord, item: CmsItem): CodedError {
  const message = `The CMS has another item under the id of "${key}": item ${item.id}${nameOf(item)}.`;
  return new CodedError('FF_CMS_FOREIGN', message);
}

function nameOf({ title, date, email, username }: CmsItem): string {
  const named = [title ?? email ?? username, date].filter((value) => typeof value === 'string').join(', ');
  return named ? ` (${named})` : '';
}

/** The external ids that the item of a record may show, and what it may have of the record. `cut`: what the CMS has kept of its id. */
export function expectationOf(record: RecordWithItem, { sync, target }: Pick<OwnerContext, 'sync' | 'target'>) {
  const { externalIds, cut, looks } = expectedOf(record, { sync, target }, record.item.delivered);
  return { externalIds, cut, looks: looks() };
}

/** Grades an item by what it may show: what was delivered, or what may have been. */
function gradeOf(
  item: CmsItem,
  record: ClaimedRecord,
  { sync, target }: Pick<OwnerContext, 'sync' | 'target'>,
  { delivered = itemOf(record)?.delivered ?? null, cutAt }: { delivered?: Payload | null; cutAt?: number } = {},
): IdentityGrade {
  const { externalId } = target;
  const { externalIds, isMarked, looks } = expectedOf(record, { sync, target }, delivered);
  // The first rule of the table, before the payloads are compared: the answer to nearly every create meets it.
  if (externalIds.includes(externalIdOn(item, externalId) ?? '')) return 'id';
  // Made before external ids were configured.
  const mayBeUnmarked = delivered !== null && !isMarked && keyOn(item, sync, externalId) === undefined;
  return compare(
    { ...sightingOf(item, record.resource, externalId), all: item },
    { externalIds, mayBeUnmarked, looks: looks() },
    cutAt,
  );
}

function expectedOf(
  record: ClaimedRecord,
  { sync, target: { externalId } }: Pick<OwnerContext, 'sync' | 'target'>,
  delivered: Payload | null,
) {
  const { desired, resource } = record;
  // A record that was recognised under a new key still has the external id of the old one. The CMS may have changed either.
  const marked = externalId === undefined ? undefined : delivered?.[externalId];
  const made = externalId === undefined ? undefined : itemOf(record)?.madeByCms[externalId];
  const ids = [...externalIdsOf(record, sync), marked].filter((id) => typeof id === 'string');
  const isCut = typeof made === 'string' && ids.some((id) => isCutOf(made, id));
  const externalIds = typeof made === 'string' && !isCut ? [...ids, made] : ids;
  return { externalIds, ...(isCut && { cut: made }), isMarked: marked !== undefined, looks };

  function looks() {
    const changes = [
      ...(delivered ? [delivered] : []),
      desired,
      ...payloadsInDoubt(openOf(record), { delivered, desired }),
    ];
    // A mark or an undo writes only some attributes.
    const payloads = changes.map((payload) => ({ ...delivered, ...payload }));
    const isTelling = (payload: Payload) => identifying[resource].every((name) => payload[name] !== UNKNOWN);
    return payloads.filter(isTelling).map((payload) => ({ ...sightingOf(payload, resource), payload }));
  }
}

/** Whether an item was edited in the CMS after an undo, or a plan that replaces it, decided about it. What a PATCH has emptied is no edit. */
export function isEditedSince(record: RecordWithItem, item: CmsItem): boolean {
  const { goal, resource, desired } = record;
  if (!('expects' in goal) || goal.expects === undefined) return false;
  const live = { ...item, ...stillLost(record, item) };
  const body = goal.is === 'exactly' && goal.as === 'restore' ? desired : undefined;
  if (itemHash(live, resource, body) === goal.expects) return false;
  // An earlier attempt may have been applied.
  return !(body && hasAll(live, body));
}
