import type { CmsItem } from '../../cms/client.ts';
import { CodedError } from '../../core/errors.ts';
import type { ClaimedRecord, RecordWithItem, StagedAttachment } from '../../ledger/records/claimed-record.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { callOf } from '../items/cms-items.ts';
import { findCreatedItem, type LookUpResult } from '../match/find-created-item.ts';
import { proveAbsence } from '../match/prove-absence.ts';
import { filesOf, noFiles, patchOf } from './bodies.ts';
import { isEditedSince } from './edited-since.ts';
import { readOwnItem } from './own-item.ts';
import type { FilePayload } from './upload-files.ts';

/** What a delivery has seen of a record in the CMS (see `sights` of protocol.ts). */
export type Observation =
  | { is: 'notAsked' | 'nothingToSend' }
  | LookUpResult
  | { is: 'ownItem' | 'editedSince'; live: CmsItem }
  | { is: 'foreignItem'; error: CodedError };

/** If the items of this many records are all missing, the CMS has probably lost them, rather than that editors deleted them. */
const SUSPICIOUS = 3;

/**
 * The files of a record that are to be uploaded. The live item is read only if editors own one of them: a file that they have
 * replaced is not uploaded.
 * @throws CmsError; CodedError FF_CMS_FOREIGN
 */
export async function missingFiles(record: ClaimedRecord, context: DeliveryContext): Promise<StagedAttachment[]> {
  const files = filesOf(record, context);
  const { authority = {} } = context.sync;
  const areOwned = files.some(({ attribute }) => authority[attribute] === 'editor');
  if (!areOwned || !('item' in record) || record.knows === 'found') return files;
  const live = await readOwnItem(record, context);
  const { changes } = patchOf(record, noFiles, live, context);
  return files.filter(({ attribute }) => Object.hasOwn(changes, attribute));
}

/** Looks at what the CMS has of a record, and changes nothing. @throws CmsError */
export async function observe(
  record: ClaimedRecord,
  files: FilePayload,
  context: DeliveryContext,
): Promise<Observation> {
  if (record.knows === 'none') return { is: 'notAsked' };
  if ('quiet' in record) return findCreatedItem(record, context);
  if (hasNothingToSend(record, files, context)) return { is: 'nothingToSend' };
  try {
    const live = await readOwnItem(record, context);
    if (!live) return observeAbsence(record, context);
    return { is: isEditedSince(record, live) ? 'editedSince' : 'ownItem', live };
  } catch (error) {
    if (error instanceof CodedError && error.code === 'FF_CMS_FOREIGN') return { is: 'foreignItem', error };
    throw error;
  }
}

function hasNothingToSend(record: RecordWithItem, files: FilePayload, context: DeliveryContext): boolean {
  if (record.goal.is !== 'have' || record.knows !== 'known') return false;
  const { body, dependsOnEdits } = patchOf(record, files, undefined, context);
  return !dependsOnEdits && Object.keys(body).length === 0;
}

/** Believes a 404 only if the lists of the CMS agree. @throws CmsError */
export async function observeAbsence(record: RecordWithItem, context: DeliveryContext): Promise<Observation> {
  const { cmsId, delivered } = record.item;
  const first = await look();
  const absence = first.is === 'likely' ? await look() : first;
  if (absence.is === 'unproven') return unproven(`but ${absence.reason}`);
  if (absence.is === 'unwitnessed' && absence.missing >= SUSPICIOUS) {
    return unproven(`and for the ${absence.missing} records that were delivered last: the CMS may have lost items`);
  }
  return { is: 'provenAbsent' };

  async function look(): ReturnType<typeof proveAbsence> {
    const since = { ...record, quietSince: context.runtime.monotonic() };
    const indexes = await context.search.candidates(since, [delivered ?? record.desired], callOf(context));
    if (indexes.some(({ sightings }) => sightings.has(cmsId))) return { is: 'unproven', reason: 'its list shows it' };
    return proveAbsence(record, indexes, context);
  }

  function unproven(doubt: string): Observation {
    return { is: 'unproven', reason: `"${record.key}": the CMS returns 404 for item ${cmsId}, ${doubt}.` };
  }
}
