import type { MissingRule } from '../../config/types.ts';
import { errorTable } from '../../core/errors.ts';
import type { RecordState } from '../../ledger/records/record-state.ts';
import type { Decision } from '../compare/decide.ts';
import type { FoundRecord, RecordVerdict, SourceFinding } from './story.ts';

/** What a plan would make of the one record that the source has. */
export interface PlannedRecord {
  op: Decision['op'];
  changed: readonly string[];
  /** Attributes in which the source differs, but the CMS has the last word. */
  withheld?: readonly string[];
  /** An item that the CMS has already may be taken for it. */
  adopts?: boolean;
}

/** Judges a record by what the source has now and what the ledger knows, as the next run would. */
export function verdictOn(
  source: SourceFinding,
  record: RecordState | undefined,
  plan?: PlannedRecord,
  policy: MissingRule['policy'] = 'keep',
): RecordVerdict {
  if (source.error) {
    const why = `The feed cannot be read: ${source.error.code} ${source.error.reason}`;
    return { is: 'unread', why, next: `${kept(record)} The next run tries to read the feed again.` };
  }
  const [found, ...others] = source.found;
  if (!found) return absent(source, record, policy);
  if (others.length > 0) return doubled(source.found, record);
  if (found.is === 'rejected') {
    const why = `The record is rejected: ${found.code} ${found.reason}`;
    return { is: 'rejected', why, next: `${errorTable[found.code].remedy} ${kept(record)}` };
  }
  if (found.is === 'skipped') {
    return { is: 'skipped', why: `The record is skipped: ${found.reason}`, next: kept(record) };
  }
  if (plan?.op === 'skipped') return leftDeleted(record);
  if (plan?.op === 'failed') return refused(record);
  return plan?.op === 'create' || plan?.op === 'update' ? due(plan, record) : unchanged(record, plan?.withheld);
}

function absent(source: SourceFinding, record: RecordState | undefined, policy: MissingRule['policy']): RecordVerdict {
  if (!source.complete) {
    const why = `What could be read of the feed does not have it${source.reason ? `: ${source.reason}` : ''}.`;
    return { is: 'absent', why, next: `That does not prove it missing. ${kept(record)}` };
  }
  const since = record?.missingSince === undefined ? '' : `; it was first missing at ${record.missingSince}`;
  return { is: 'absent', why: `The feed does not have it any more${since}.`, next: afterAbsence(record, policy) };
}

function afterAbsence(record: RecordState | undefined, policy: MissingRule['policy']): string {
  if (record?.status === 'removed')
    return 'It was removed from the CMS. Should the feed have it again, it is created anew.';
  if (record?.cmsId === undefined) return 'It never came into the CMS and is not sent any more.';
  if (record.marked)
    return `Its item (id ${record.cmsId}) bears the mark of a missing record, until the feed has it again.`;
  if (policy === 'keep') return kept(record);
  const does = policy === 'delete' ? 'deletes' : 'marks';
  return `A run ${does} its item (id ${record.cmsId}) once it is missing long enough, if the feed answers for its dates.`;
}

function doubled(found: readonly FoundRecord[], record: RecordState | undefined): RecordVerdict {
  const places = found.map(({ at }) => at).join(', ');
  const why = `The record is rejected: FF_RECORD_DUPLICATE Its key stands in the feed ${found.length} times: ${places}`;
  return { is: 'rejected', why, next: `${errorTable.FF_RECORD_DUPLICATE.remedy} ${kept(record)}` };
}

function leftDeleted(record: RecordState | undefined): RecordVerdict {
  return { is: 'skipped', why: reasonFor('create', record), next: errorTable.FF_CMS_DELETED.remedy };
}

function refused(record: RecordState | undefined): RecordVerdict {
  const remedy = record?.error ? `${errorTable[record.error.code].remedy} ` : '';
  const next = `${remedy}It is not sent again before it or the config changes, unless by \`feedferry retry\`.`;
  return { is: 'refused', why: reasonFor('create', record), next };
}

function due({ op, changed, adopts }: PlannedRecord, record: RecordState | undefined): RecordVerdict {
  const action = op === 'create' ? creation(record, adopts) : `patches ${changed.join(', ')}`;
  return { is: op as 'create' | 'update', why: reasonFor(op, record), next: nextStep(action, record) };
}

function creation(record: RecordState | undefined, adopts = false): string {
  return record?.maybeSent || adopts ? 'looks it up in the CMS, and creates it only if it is not there' : 'creates it';
}

function reasonFor(op: PlannedRecord['op'], record: RecordState | undefined): string {
  if (record?.error && record.status !== 'delivered') {
    const { code, reason } = record.error;
    const what = {
      failed: 'Its delivery failed',
      held: 'It is held',
      pending: 'Its last try did not succeed',
      deleted: 'It was deleted in the CMS',
      removed: 'It was removed from the CMS',
    };
    return `${what[record.status]}: ${code} ${reason}`;
  }
  if (record?.status === 'pending') return `Its delivery is under way in run ${record.run}.`;
  return op === 'create' ? 'The CMS does not have it yet.' : 'The source has changed it since it was delivered.';
}

function nextStep(action: string, record: RecordState | undefined): string {
  if (record?.retryAt) return `It is tried again at ${record.retryAt}: that ${action}.`;
  const isStuck = record?.status === 'failed' || record?.status === 'held';
  const remedy = record?.error && isStuck ? `${errorTable[record.error.code].remedy} ` : '';
  return `${remedy}The next run ${action}.`;
}

function unchanged(record: RecordState | undefined, withheld: readonly string[] = []): RecordVerdict {
  const when = record?.deliveredAt ? `, since ${record.deliveredAt}` : '';
  const but = withheld.length > 0 ? `, but for ${withheld.join(', ')}, where the CMS has the last word` : '';
  return { is: 'unchanged', why: `The CMS has it as the source does${when}${but}.`, next: 'Nothing is sent.' };
}

/** What is published stays, whatever the source lacks. */
function kept(record: RecordState | undefined): string {
  return record?.cmsId === undefined ? 'It is not in the CMS.' : `What the CMS has of it (id ${record.cmsId}) stays.`;
}
