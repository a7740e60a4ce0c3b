import { keyWithoutSource, type Payload } from '../../core/record.ts';
import { nameWithKey, recordTitle } from '../../core/text/record-title.ts';
import { errorColumn } from '../../ledger/database/record-error.ts';
import type { StagedRow } from '../../ledger/database/schema.ts';
import type { StagedCreate } from '../../ledger/plans/adoptions.ts';
import type { LedgerRecord, Restaged } from '../../ledger/plans/changed-keys.ts';
import { desiredHash } from '../compare/changes.ts';
import { decide, toColumns } from '../compare/decide.ts';
import { fingerprintsOf } from '../compare/file-fingerprints.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { externalIdAttribute } from '../items/external-id.ts';
import { filterAttributes } from '../items/values.ts';
import type { SamenessDoubt } from '../sameness/things.ts';
import { unmarked } from './missing-records.ts';
import { whenColumns } from './when-columns.ts';

// The rows of a plan for records that get other keys, or about whose keys a person is asked.

/** A record of the ledger, as `known` for a comparison; `payload`: what its key stood for. */
export type KnownUnderKey = LedgerRecord & { known: LedgerRecord; payload: Payload };

/** A record that the ledger has under another key. */
export function underNewKey(found: StagedCreate, old: KnownUnderKey, context: DeliveryContext): Restaged {
  return { key: found.key, previous_key: old.key, ...planAgain(found, old, context) };
}

/** A record that the ledger does not have, under a key that was that of another one. */
export function asNew(found: StagedCreate, context: DeliveryContext): Restaged {
  return { key: found.key, ...planAgain(found, undefined, context) };
}

/** A record under a key that was that of another one: its item is to show the new one, in place of the one that it shows. */
export function underPassedKey(found: StagedCreate, old: KnownUnderKey, context: DeliveryContext): Restaged {
  const planned = underNewKey(found, old, context);
  const marks = Object.keys(externalIdAttribute({ sync: context.sync.name, key: found.key }, context));
  if (planned.op !== 'unchanged' || marks.length === 0) return planned;
  return { ...planned, op: 'update', changed: JSON.stringify(marks) };
}

/** A record whose key belongs to another one keeps its item, or stays deleted, under a key that no source has. */
export function withoutKey(
  run: string,
  { id, key, place, resource, known }: KnownUnderKey,
  { target }: DeliveryContext,
): StagedRow {
  const moved = { run, key: keyWithoutSource(key, id), previous_key: key, place };
  if (known.deleted) return { ...moved, op: 'skipped' };
  const payload = filterAttributes(known.payload ?? {}, (attribute) => attribute !== target.externalId);
  return {
    ...{ ...moved, op: 'update', resource },
    ...{ desired: JSON.stringify(payload), attachments: '[]', hash: desiredHash({ payload, fingerprints: {} }) },
    ...{ changed: JSON.stringify(target.externalId === undefined ? [] : [target.externalId]) },
    ...whenColumns({ payload, occurrence: known.occurrence }),
  };
}

/** A record that waits for an answer. */
export function asHeld(
  { is, old, found, from, aboutHash }: SamenessDoubt<KnownUnderKey, StagedCreate>,
  { name }: Pick<DeliveryContext['sync'], 'name'>,
): Restaged {
  const { key, payload, resource } = found;
  const [own, other] = [payload, old.payload].map((each) => recordTitle(each, resource));
  const item = `(item ${old.cmsId})`;
  const doubt =
    is === 'changed'
      ? `it may be ${nameWithKey({ key: old.key, title: other ?? '' })} ${item}, which the feed no longer has under that key.`
      : `its key was that of ${other} ${item}, and nothing else that names it is the same.`;
  const remedy = `If it is the same: \`feedferry retry ${name} "${key}" --same\`. If not: \`feedferry retry ${name} "${key}" --distinct\`.`;
  return {
    key,
    op: 'held',
    error: errorColumn({
      code: is === 'changed' ? 'FF_KEY_CHANGED' : 'FF_KEY_REUSED',
      reason: `${nameWithKey({ key, title: own ?? '' })} is held: ${doubt} ${remedy}`,
    }),
    asked_about: is === 'changed' ? old.id : (from?.id ?? 0),
    asked_hash: aboutHash,
  };
}

/** What is planned for a record that the ledger has under another key, or does not have. */
function planAgain(
  { key, payload, attachments }: StagedCreate,
  old: KnownUnderKey | undefined,
  context: DeliveryContext,
) {
  const wanted = unmarked(payload, old?.known);
  const fingerprints = fingerprintsOf(attachments, context.sync, old?.known);
  const decision = decide({ key, payload: wanted, fingerprints }, old?.known, context);
  return { ...toColumns(decision), desired: JSON.stringify(wanted) };
}
