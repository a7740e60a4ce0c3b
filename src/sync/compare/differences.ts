import { posix } from 'node:path';
import { type AttachmentSource, type Json, type Payload, UNKNOWN } from '../../core/record.ts';
import type { StagedChange } from '../../ledger/plans/staged-plan.ts';

/** An attribute that a delivery would change. Files are represented by their names. */
export interface Difference {
  attribute: string;
  /** Last delivered value; absent: none is known. */
  from?: Json;
  to?: Json;
  /** Of a file: what the CMS has, and the address of the file in the source, if it has one. */
  files?: { from?: Json; to?: string };
}

/** The changed attributes of a record, each with its old and new value; null: a file that is removed. */
export function differencesOf({
  changed,
  payload,
  attachments,
  delivered,
}: Pick<StagedChange, 'changed' | 'payload' | 'attachments' | 'delivered'>): Difference[] {
  return changed.map((attribute) => {
    const before = knownValue(attribute, delivered);
    if (Object.hasOwn(payload, attribute)) return { attribute, from: before, to: payload[attribute] };
    const file = attachments.find((attachment) => attachment.attribute === attribute);
    const uploaded = uploadName(before);
    const removed = uploaded === undefined ? undefined : null;
    const address = file && fileAddress(file.source);
    const files = { ...(uploaded && { from: before }), ...(address && { to: address }) };
    return {
      attribute,
      from: uploaded ?? before,
      to: file ? fileName(file.source) : removed,
      ...(Object.keys(files).length > 0 && { files }),
    };
  });
}

/** Undefined if nothing was delivered, or if the last change is unconfirmed. */
function knownValue(attribute: string, delivered: Payload | null): Json | undefined {
  const value = delivered && Object.hasOwn(delivered, attribute) ? delivered[attribute] : undefined;
  return value === UNKNOWN ? undefined : value;
}

/** Name of an uploaded file, which the CMS represents by its path (API: "Event file upload"); undefined for other values. */
function uploadName(value: Json | undefined): string | undefined {
  const src = typeof value === 'object' && value !== null && 'src' in value ? value.src : undefined;
  return typeof src === 'string' ? posix.basename(src) : undefined;
}

/** The address of a file on the web; undefined for a file of this machine or of the feed itself. */
export function fileAddress(source: AttachmentSource): string | undefined {
  return source.is === 'location' && /^https?:\/\//i.test(source.location) ? source.location : undefined;
}

/** Name of a file in the source. */
export function fileName(source: AttachmentSource): string {
  if (source.is === 'location') return posix.basename(source.location.replace(/[?#].*$/s, '')) || source.location;
  const bytes = Buffer.byteLength(source.base64, 'base64');
  return source.fileName ?? `${source.mediaType ?? 'a file'} of ${bytes} bytes inside the feed`;
}
