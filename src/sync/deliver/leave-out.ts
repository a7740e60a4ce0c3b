import type { CmsError } from '../../cms/errors.ts';
import { parseFingerprint } from '../../core/attachment.ts';
import { CodedError } from '../../core/errors.ts';
import { type ClaimedRecord, itemOf } from '../../ledger/records/claimed-record.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { filterAttributes } from '../items/values.ts';
import type { FilePayload } from './upload-files.ts';
import { withoutFiles } from './without-files.ts';

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
