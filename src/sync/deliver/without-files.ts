import { CmsError } from '../../cms/errors.ts';
import { parseFingerprint } from '../../core/attachment.ts';
import { CodedError, TransientError } from '../../core/errors.ts';
import { type Payload, UNKNOWN } from '../../core/record.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import type { Incomplete, UndeliveredFile } from '../../ledger/database/undelivered-files.ts';
import { type ClaimedRecord, itemOf, type KnownItem } from '../../ledger/records/claimed-record.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { filterAttributes } from '../items/values.ts';

/** The values of a record's new files, for the body of a request. */
export interface FilePayload {
  /** Attribute → `{ src }`, with `alt` if its alternative text is known. */
  payload: Payload;
  fingerprints: Record<string, string>;
  /** Number of files that this delivery has uploaded. */
  uploads: number;
  /** The files that the record is sent without for now, because they could not be read or uploaded; absent: none. */
  incomplete?: Incomplete;
}

/** A file that a delivery could not bring to the CMS. */
export interface FailedFile {
  attribute: string;
  /** Which file it is (see `fileIdOf`). */
  file: string;
  error: CodedError;
}

const SECOND_PAUSE_MS = 10 * 60_000;
const LONGEST_PAUSE_MS = 7 * 86_400_000;
/** A server that is away returns. */
const LONGEST_TRANSIENT_MS = 3_600_000;

/** How long a file is not tried again after so many tries, in ms: the next run tries it once more, later ones after growing pauses. */
export function pauseAfter(tries: number, { isTransient }: { isTransient: boolean }): number {
  if (tries < 2) return 0;
  const longest = isTransient ? LONGEST_TRANSIENT_MS : LONGEST_PAUSE_MS;
  return Math.min(longest, SECOND_PAUSE_MS * 2 ** Math.min(tries - 2, 20));
}

/**
 * The files that a record is delivered without; undefined: none. A file that has changed in the source begins anew.
 * @param found `kept`: attributes whose files were not tried now; `failures`: those that were
 * @param item the item so far
 */
export function withoutFiles(
  { kept, failures }: { kept: readonly string[]; failures: readonly FailedFile[] },
  item: KnownItem | undefined,
  { runtime }: { runtime: Pick<Runtime, 'now'> },
): Incomplete | undefined {
  const { files: before = {}, retryAfterMs = 0 } = item?.incomplete ?? {};
  if (kept.length + failures.length === 0) return undefined;
  const waiting = filterAttributes(before, (attribute) => kept.includes(attribute));
  const tried = failures.map(({ attribute, file, error: { code, message } }): [string, UndeliveredFile] => {
    const earlier = before[attribute];
    const { since, tries } = earlier?.file === file ? earlier : { since: runtime.now(), tries: 0 };
    const keepsEarlier = hasFile(item, attribute);
    return [attribute, { code, reason: message, file, since, tries: tries + 1, ...(keepsEarlier && { keepsEarlier }) }];
  });
  const files = { ...waiting, ...Object.fromEntries(tried) };
  const pauses = failures.map(({ attribute, error }) => {
    return pauseAfter(files[attribute]?.tries ?? 1, { isTransient: isTransient(error) });
  });
  return { files, retryAfterMs: Math.min(...pauses, ...(kept.length > 0 ? [retryAfterMs] : [])) };
}

/** Whether the item has a file that was delivered before, or that it had when it was adopted. */
function hasFile(item: KnownItem | undefined, attribute: string): true | undefined {
  const value = item?.delivered?.[attribute];
  return (value !== undefined && value !== null && value !== UNKNOWN) || undefined;
}

/** Whether the cause may be over soon: a server did not respond, or was busy. */
function isTransient(error: unknown): boolean {
  if (error instanceof TransientError) return true;
  if (error instanceof CmsError) return error.kind === 'retryable';
  return error instanceof Error && error.cause !== undefined && isTransient(error.cause);
}

/** Why the CMS does not take files: it has refused the item with them, or the item does not show them. */
type NotTaken = { refused: CmsError } | { lostBy: number };

/** The files of a delivery without some that the CMS does not take, which are tried again later. */
export async function leaveOut(
  attributes: readonly string[],
  why: NotTaken,
  { record, files, context }: { record: ClaimedRecord; files: FilePayload; context: DeliveryContext },
): Promise<FilePayload> {
  const isLeft = (attribute: string) => !attributes.includes(attribute);
  const failures = attributes.map((attribute) => {
    const { src = '' } = (files.payload[attribute] ?? {}) as { src?: string };
    const message =
      'refused' in why
        ? `The CMS refused "${record.key}" with ${src} (attribute ${attribute}): ${why.refused.message}`
        : `Item ${why.lostBy} does not show ${src}, which was sent as its ${attribute}.`;
    const file = files.fingerprints[attribute] ?? '';
    return { attribute, file, error: new CodedError('FF_ATTACHMENT_NOT_TAKEN', message) };
  });
  const item = itemOf(record);
  const kept = item && 'lostBy' in why ? { ...item, delivered: filterAttributes(item.delivered ?? {}, isLeft) } : item;
  const left = withoutFiles({ kept: [], failures }, kept, context) ?? { files: {}, retryAfterMs: 0 };
  for (const { attribute, file } of failures) {
    const content = parseFingerprint(file);
    // The CMS may have lost what was uploaded.
    const isRepeated = (left.files[attribute]?.tries ?? 0) > 1 && 'sha256' in content;
    if (isRepeated) await context.ledger.files.forgetUploads(context.targetId, { attribute, ...content });
  }
  const { files: before = {}, retryAfterMs = left.retryAfterMs } = files.incomplete ?? {};
  return {
    ...files,
    payload: filterAttributes(files.payload, isLeft),
    fingerprints: filterAttributes(files.fingerprints, isLeft),
    incomplete: {
      files: { ...before, ...left.files },
      retryAfterMs: Math.min(retryAfterMs, left.retryAfterMs),
    },
  };
}
