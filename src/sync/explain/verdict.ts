import type { MissingRule } from '../../config/types.ts';
import { siteTime } from '../../core/dates/site-time.ts';
import { type ErrorCode, errorTable } from '../../core/errors.ts';
import type { Json, Payload, Withdrawal } from '../../core/record.ts';
import type { Answer } from '../../ledger/answers/answers.ts';
import type { RecordState } from '../../ledger/records/record-state.ts';
import type { Decision, RetriesFiles } from '../compare/decide.ts';

/** The state of a record, the reason for it, and what happens next. */
export interface RecordVerdict {
  is: 'unread' | 'absent' | 'rejected' | 'skipped' | 'refused' | 'create' | 'update' | 'withoutFile' | 'unchanged';
  why: string;
  next: string;
}

/** A record of the feed and its mapping. Secrets are left out. */
export type FoundRecord = { key?: string; at: string; fields?: { [name: string]: Json } } & (
  | {
      is: 'desired';
      payload: Payload;
      files: Array<{ attribute: string; name: string; address?: string }>;
      warnings: string[];
    }
  | { is: 'rejected'; code: ErrorCode; reason: string; remedy: string }
  /** `withdrawn`: what its source says of it. */
  | { is: 'skipped'; reason: string; withdrawn?: Withdrawal['as'] }
);

/** What the feed has for a key now. */
export interface SourceFinding {
  location: string;
  complete: boolean;
  /** Why the feed is not complete. */
  reason?: string;
  /** The feed cannot be read. */
  error?: { code: ErrorCode; reason: string };
  /** Empty if the feed does not have the key; several if records share it. */
  found: FoundRecord[];
}

/** What a plan would do with the one record that the source has. */
export interface PlannedRecord {
  op: Decision['op'];
  changed: readonly string[];
  /** Attributes that differ in the source but are kept as they are in the CMS. */
  withheld?: readonly string[];
  retriesFiles?: RetriesFiles;
  /** An existing CMS item may be adopted for the record. */
  adopts?: boolean;
  /** What a person has said about the record and the items that it looks like. */
  answer?: Answer;
}

interface VerdictRules {
  policy?: MissingRule['policy'];
  /** Of the times in the sentences of the verdict. */
  timezone?: string;
  /** Whether a run reports the record if its source withdraws it although it is published. */
  isReported?: (as: Withdrawal['as']) => boolean;
}

/** Judges a record by what the source has now and what the ledger knows, as the next run would. */
export function verdictOn(
  source: SourceFinding,
  record: RecordState | undefined,
  plan?: PlannedRecord,
  { policy = 'keep', timezone = 'UTC', isReported = () => true }: VerdictRules = {},
): RecordVerdict {
  if (source.error) {
    const why = `The feed cannot be read: ${source.error.code} ${source.error.reason}`;
    return { is: 'unread', why, next: `${kept(record)} The next run tries to read the feed again.` };
  }
  const [found, ...others] = source.found;
  if (!found) return absent(source, record, policy, timezone);
  if (others.length > 0) {
    const places = source.found.map(({ at }) => at).join(', ');
    const times = source.found.length;
    const why = `The record is rejected: FF_RECORD_DUPLICATE Its key occurs ${times} times in the feed: ${places}`;
    return { is: 'rejected', why, next: `${errorTable.FF_RECORD_DUPLICATE.remedy} ${kept(record)}` };
  }
  if (found.is === 'rejected') {
    const why = `The record is rejected: ${found.code} ${found.reason}`;
    return { is: 'rejected', why, next: `${errorTable[found.code].remedy} ${kept(record)}` };
  }
  if (found.is === 'skipped') {
    const why = `The record is skipped: ${found.reason}`;
    if (found.withdrawn === 'replaced') {
      const approved = `The next run is held: once it is approved, the item (id ${record?.cmsId}) is deleted.`;
      return { is: 'skipped', why: `${why}.`, next: isShown(record) ? approved : kept(record) };
    }
    return found.withdrawn
      ? afterWithdrawal(found.withdrawn, record, policy, isReported(found.withdrawn))
      : { is: 'skipped', why, next: kept(record) };
  }
  const op = plan?.op;
  if (op === 'skipped') {
    return { is: 'skipped', why: reasonFor('create', record), next: errorTable.FF_CMS_DELETED.remedy };
  }
  if (op === 'failed') {
    const next = 'It is sent again when the record or the config changes, or by `feedferry retry`.';
    return { is: 'refused', why: reasonFor('create', record), next: `${remedyFor(record)}${next}` };
  }
  if (
    record?.status === 'delivered' &&
    record.undeliveredFiles &&
    (op === 'unchanged' || plan?.retriesFiles === 'only')
  ) {
    return withoutFile(record.undeliveredFiles, timezone);
  }
  const said = plan?.answer && SKIPPING[plan.answer.answer];
  if (op === 'create' && plan?.answer && said) return skippedAsSaid(plan.answer, said, timezone);
  if (op === 'create' || op === 'update') {
    const action = op === 'create' ? creation(record, plan?.adopts) : `updates ${plan?.changed.join(', ')}`;
    return { is: op, why: reasonFor(op, record), next: nextStep(action, record, timezone) };
  }
  const when = record?.deliveredAt ? ` (${siteTime(record.deliveredAt, timezone)})` : '';
  const { withheld = [] } = plan ?? {};
  const { ignored = [] } = record ?? {};
  const except = [
    ...(ignored.length > 0 ? [`, except ${ignored.join(', ')}, which the CMS ignores`] : []),
    ...(withheld.length > 0 ? [`, except ${withheld.join(', ')}, where edits in the CMS take precedence`] : []),
  ].join('');
  return { is: 'unchanged', why: `The last delivery${when} matches the source${except}.`, next: 'Nothing is sent.' };
}

function withoutFile(files: NonNullable<RecordState['undeliveredFiles']>, timezone: string): RecordVerdict {
  const names = files.map(({ attribute }) => attribute).join(', ');
  const reasons = files.map(({ code, reason, keepsEarlier }) => {
    return `${code} ${reason}${keepsEarlier ? ' The CMS keeps the earlier file.' : ''}`;
  });
  const retryAt = files.find((file) => file.retryAt && Date.parse(file.retryAt) > Date.now())?.retryAt;
  const when = retryAt ? `The first run after ${siteTime(retryAt, timezone)} tries again` : 'The next run tries again';
  return {
    is: 'withoutFile',
    why: `It was delivered without its ${names}: ${reasons.join(' ')}`,
    next: `${when}, or \`feedferry retry\` now. A changed file or address is tried at once.`,
  };
}

function absent(
  source: SourceFinding,
  record: RecordState | undefined,
  policy: MissingRule['policy'],
  timezone: string,
): RecordVerdict {
  if (!source.complete) {
    const why = `The record is not in the part of the feed that could be read${source.reason ? `: ${source.reason}` : ''}.`;
    return { is: 'absent', why, next: `An incomplete feed does not prove that the record is missing. ${kept(record)}` };
  }
  const since =
    record?.missingSince === undefined ? '' : ` (first missing: ${siteTime(record.missingSince, timezone)})`;
  return { is: 'absent', why: `The record is missing from the feed${since}.`, next: afterAbsence(record, policy) };
}

function afterWithdrawal(
  as: Withdrawal['as'],
  record: RecordState | undefined,
  policy: MissingRule['policy'],
  isReported: boolean,
): RecordVerdict {
  if (!isShown(record))
    return { is: 'skipped', why: `The record is ${as} in the feed.`, next: afterAbsence(record, policy) };
  const why = `The record is ${as} in the feed, still on the site.`;
  const action = policy === 'delete' ? 'deletes' : 'marks';
  if (policy !== 'keep') return { is: 'skipped', why, next: `The next run ${action} its item (id ${record?.cmsId}).` };
  if (!isReported) return { is: 'skipped', why, next: kept(record) };
  return { is: 'rejected', why, next: `${kept(record)} ${errorTable.FF_RECORD_WITHDRAWN.remedy}` };
}

/** Whether the site shows the item of a record, as far as is known. */
export function isShown(record: RecordState | undefined): boolean {
  return record?.cmsId !== undefined && !record.marked && record.status !== 'removed' && record.status !== 'deleted';
}

function afterAbsence(record: RecordState | undefined, policy: MissingRule['policy']): string {
  if (record?.status === 'removed') {
    return 'Its item was removed from the CMS. If the record returns to the feed, it is created again.';
  }
  if (record?.cmsId === undefined) return neverDelivered(record);
  if (record.marked) {
    return `Its item (id ${record.cmsId}) stays marked as missing until the record returns to the feed.`;
  }
  if (policy === 'keep') return kept(record);
  const action = policy === 'delete' ? 'deletes' : 'marks';
  return `A run ${action} its item (id ${record.cmsId}) when it has been missing long enough, if its dates are in the feed’s range.`;
}

/** The answers by which a new record is not created. */
const SKIPPING: Partial<Record<Answer['answer'], { what: string; next: string }>> = {
  same: {
    what: 'It is the same as an item that the site has already',
    next: 'It is created if no other item looks like it any longer.',
  },
  leave: {
    what: 'It is left out for good',
    next: 'It is not created until that is taken back: `feedferry questions SYNC --take-back KEY`.',
  },
};

function skippedAsSaid(
  { person, at, note }: Answer,
  { what, next }: { what: string; next: string },
  timezone: string,
): RecordVerdict {
  const reason = note === undefined ? '' : ` (${note})`;
  return { is: 'skipped', why: `${what}: so said ${person}, ${siteTime(at, timezone)}${reason}.`, next };
}

function neverDelivered(record: RecordState | undefined): string {
  if (record?.maybeSent) return 'It may be in the CMS: the outcome of its create is unknown.';
  const { code, reason } = record?.error ?? {};
  return code === undefined
    ? 'It never reached the CMS and is no longer sent.'
    : `It was not created, and is no longer sent: ${code} ${reason}`;
}

function creation(record: RecordState | undefined, adopts = false): string {
  if (record?.error?.code === 'FF_RECORD_ALIKE') return 'creates it if no other item looks like it any longer';
  return record?.maybeSent || adopts ? 'looks it up in the CMS and creates it only if it is not there' : 'creates it';
}

function reasonFor(op: PlannedRecord['op'], record: RecordState | undefined): string {
  if (record?.error && record.status !== 'delivered') {
    const { code, reason } = record.error;
    const what = {
      failed: 'Its delivery failed',
      held: 'It is held',
      pending: 'Its last attempt failed',
      deleted: 'It was deleted in the CMS',
      removed: 'It was removed from the CMS',
    };
    return `${what[record.status]}: ${code} ${reason}`;
  }
  if (record?.status === 'pending') return `Run ${record.run} is delivering it.`;
  return op === 'create' ? 'The CMS does not have it yet.' : 'The source has changed since the last delivery.';
}

function nextStep(action: string, record: RecordState | undefined, timezone: string): string {
  if (record?.retryAt) return `The next attempt, at ${siteTime(record.retryAt, timezone)}, ${action}.`;
  const isStuck = record?.status === 'failed' || record?.status === 'held';
  const asking = ['FF_KEY_CHANGED', 'FF_KEY_REUSED', 'FF_RECORD_REVIEW'];
  const isAsked = record?.error !== undefined && asking.includes(record.error.code);
  return `${isStuck ? remedyFor(record) : ''}The next run ${isAsked ? 'asks again' : action}.`;
}

function remedyFor(record: RecordState | undefined): string {
  return record?.error ? `${errorTable[record.error.code].remedy} ` : '';
}

/** Explains why published items stay, whatever the source lacks. */
function kept(record: RecordState | undefined): string {
  return record?.cmsId === undefined ? 'It is not in the CMS.' : `Its item in the CMS (id ${record.cmsId}) stays.`;
}
