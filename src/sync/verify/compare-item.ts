import type { CmsItem } from '../../cms/client.ts';
import type { SyncConfig, TargetConfig } from '../../config/types.ts';
import { derivedAttributes, isUnfilled } from '../../core/attributes.ts';
import type { ErrorCode } from '../../core/errors.ts';
import { hashJson } from '../../core/hash.ts';
import { ignoredAttributes } from '../../core/ignored-attributes.ts';
import { type Payload, UNKNOWN } from '../../core/record.ts';
import type { VerifiedRecord } from '../../ledger/verifications/verified-records.ts';
import { planRecord } from '../compare/decide.ts';
import { fingerprintsOf } from '../compare/file-fingerprints.ts';
import { isAsSent, isEmpty, valueAt } from '../items/values.ts';

/**
 * Why a record and the CMS differ. `edited`: the item was changed there; `deleted`: the item is no longer there; `doubled`: a
 * second item has the external id, or an item of another sync looks like it; `orphan`: an item has the external id of a record
 * that has no item, or of no record; `fileMissing`: the item lacks a file; `undelivered`: the last change of the record, or a file
 * in place of an earlier one, did not reach the CMS.
 */
export type DriftCause = 'edited' | 'deleted' | 'doubled' | 'orphan' | 'fileMissing' | 'undelivered';

export interface Drift {
  key: string;
  /** Title of the record, or of an item that belongs to none; absent: it has none. */
  title?: string;
  /** Id of the item; null: there is none. */
  cmsId: number | null;
  cause: DriftCause;
  /** The attributes that differ; empty: the item as a whole. */
  attributes: string[];
  /** Of a record whose item looks like one of another sync: the other record. */
  with?: { sync: string; key: string; cmsId: number };
  /** Of a double: what a person can do, because a repair leaves both items. */
  remedy?: string;
  /** Why the record, or a file of it, was not delivered. */
  error?: { code: ErrorCode; reason: string };
  /** Of an edited item: hash of its present values of these attributes, and the values. */
  liveHash?: string;
  live?: Payload;
}

export interface ComparedSync {
  sync: Pick<SyncConfig, 'attachments' | 'authority'>;
  target: Pick<TargetConfig, 'externalId'>;
  /** The attributes that the sync maps now; absent: a function maps. */
  mapped?: ReadonlySet<string> | undefined;
}

/** The attributes in which an item differs from what was delivered. Attributes that editors own do not count. */
export function differencesIn(record: VerifiedRecord, item: CmsItem, context: ComparedSync): Drift[] {
  const differing = comparedAttributes(record, context).filter((attribute) => {
    const { known, madeByCms } = record;
    const { payload: delivered } = known;
    return !isAsSent(item, attribute, delivered?.[attribute] ?? null, { delivered, madeByCms });
  });
  const missing = [...differing, ...unreadFiles(record, context)].filter(
    (attribute) => isFile(attribute, record, context) && isEmpty(valueAt(item, attribute)),
  );
  const edited = differing.filter((attribute) => !missing.includes(attribute));
  const undelivered = undeliveredFiles(record, context).filter((attribute) => !missing.includes(attribute));
  return [
    ...(edited.length > 0 ? [{ ...toDrift(record, 'edited', edited), ...liveIn(item, edited) }] : []),
    ...(missing.length > 0
      ? [{ ...toDrift(record, 'fileMissing', [...new Set(missing)]), ...errorOf(missing, record) }]
      : []),
    ...(undelivered.length > 0
      ? [{ ...toDrift(record, 'undelivered', undelivered), ...errorOf(undelivered, record) }]
      : []),
  ];
}

function liveIn(item: CmsItem, attributes: readonly string[]): Pick<Drift, 'live' | 'liveHash'> {
  const live = Object.fromEntries(attributes.map((attribute) => [attribute, valueAt(item, attribute) ?? null]));
  return { liveHash: hashJson(Object.values(live)), live };
}

/** The files of a delivered record in place of which its item has another one. */
function undeliveredFiles({ known, isUndelivered }: VerifiedRecord, context: ComparedSync): string[] {
  const files = isUndelivered ? [] : Object.keys(known.undeliveredFiles ?? {});
  return files.filter((attribute) => isOfSource(attribute, context));
}

/** Why the first of these files was not delivered. */
function errorOf(attributes: readonly string[], { known: { undeliveredFiles } }: VerifiedRecord): Pick<Drift, 'error'> {
  const [file] = attributes.flatMap((attribute) => undeliveredFiles?.[attribute] ?? []);
  return file ? { error: { code: file.code, reason: file.reason } } : {};
}

/** The attributes that were delivered and that the CMS ignored: the item does not show whether it has them. */
export function ignoredIn(record: VerifiedRecord, item: CmsItem, context: ComparedSync): string[] {
  const compared = comparedAttributes(record, context);
  return ignoredAttributes(record.known.payload, record.madeByCms).filter(
    (path) => compared.includes(path.replace(/\..*/s, '')) && isUnfilled(valueAt(item, path)),
  );
}

/** The difference of a record whose last change did not reach the CMS. */
export function undeliveredDrift(record: VerifiedRecord, { sync }: Pick<ComparedSync, 'sync'>): Drift {
  const { action, desired, attachments, known, error } = record;
  const fingerprints = fingerprintsOf(attachments, sync);
  const changed =
    action === null
      ? planRecord({ payload: desired, fingerprints }, known, sync.authority).changed
      : Object.keys(action === 'delete' ? {} : desired);
  return { ...toDrift(record, 'undelivered', changed), ...(error && { error }) };
}

export function toDrift({ key, cmsId }: VerifiedRecord, cause: DriftCause, attributes: string[] = []): Drift {
  return { key, cmsId, cause, attributes };
}

/** Whether an attribute has or had a file in the source. */
export function isFile(
  attribute: string,
  { attachments, known }: Pick<VerifiedRecord, 'attachments' | 'known'>,
  { sync }: Pick<ComparedSync, 'sync'>,
): boolean {
  const isAttached = attachments.some((attachment) => attachment.attribute === attribute);
  return isAttached || Object.hasOwn(sync.attachments, attribute) || Object.hasOwn(known.fingerprints, attribute);
}

/** The attributes to compare: only those that the source and the map still have, because a delivery leaves others untouched. */
function comparedAttributes(record: VerifiedRecord, context: ComparedSync): string[] {
  const { action, desired, known } = record;
  const { target, mapped } = context;
  const isMapped = (attribute: string) => !mapped || mapped.has(attribute) || derivedAttributes.includes(attribute);
  return Object.entries(known.payload ?? {}).flatMap(([attribute, value]) => {
    if (value === UNKNOWN || attribute === 'password' || !isOfSource(attribute, context)) return [];
    const isOurs = attribute === target.externalId || isFile(attribute, record, context) || action !== null;
    return isOurs || (Object.hasOwn(desired, attribute) && isMapped(attribute)) ? [attribute] : [];
  });
}

function isOfSource(attribute: string, { sync: { authority = {} } }: ComparedSync): boolean {
  return authority[attribute] === undefined || authority[attribute] === 'source';
}

/** Files that could not be read when the record was delivered. */
function unreadFiles({ lacksFiles, attachments, known }: VerifiedRecord, context: ComparedSync): string[] {
  if (!lacksFiles) return [];
  const attributes = attachments.map(({ attribute }) => attribute);
  return attributes.filter(
    (attribute) => !Object.hasOwn(known.fingerprints, attribute) && isOfSource(attribute, context),
  );
}
