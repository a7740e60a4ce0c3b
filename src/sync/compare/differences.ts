import { posix } from 'node:path';
import type { AttachmentSource, Json, Payload } from '../../core/record.ts';
import { UNKNOWN } from '../../core/record.ts';
import type { StagedAttachment } from '../../ledger/records/claimed-record.ts';

/** One attribute that a delivery would change. Files are told by their names. */
export interface Difference {
  attribute: string;
  /** What was delivered last; absent: nothing was. */
  from?: Json;
  to?: Json;
}

/** What a record should be and what was delivered of it. */
interface Compared {
  /** The attributes that a plan found to differ. */
  changed: readonly string[];
  payload: Payload;
  attachments: readonly StagedAttachment[];
  delivered: Payload | null;
}

/** The changed attributes of a record, each with its old and its new value; null: a file that is taken away. */
export function differencesOf({ changed, payload, attachments, delivered }: Compared): Difference[] {
  return changed.map((attribute) => {
    const before = knownValue(attribute, delivered);
    if (Object.hasOwn(payload, attribute)) return { attribute, ...values(before, payload[attribute]) };
    const file = attachments.find((attachment) => attachment.attribute === attribute);
    const uploaded = uploadName(before);
    if (file) return { attribute, ...values(uploaded ?? before, fileName(file.source)) };
    return { attribute, ...(uploaded === undefined ? values(before, undefined) : values(uploaded, null)) };
  });
}

/** Undefined: nothing was delivered, or nobody knows whether it was. */
function knownValue(attribute: string, delivered: Payload | null): Json | undefined {
  const value = delivered && Object.hasOwn(delivered, attribute) ? delivered[attribute] : undefined;
  return value === UNKNOWN ? undefined : value;
}

function values(from: Json | undefined, to: Json | undefined): Pick<Difference, 'from' | 'to'> {
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

/** An uploaded file is known by its path in the CMS (API: "Event file upload"); undefined for any other value. */
function uploadName(value: Json | undefined): string | undefined {
  const src = typeof value === 'object' && value !== null && 'src' in value ? value.src : undefined;
  return typeof src === 'string' ? posix.basename(src) : undefined;
}

/** The name of a file as its source has it. */
export function fileName(source: AttachmentSource): string {
  if (source.is === 'location') return posix.basename(source.location.replace(/[?#].*$/, '')) || source.location;
  const bytes = Buffer.byteLength(source.base64, 'base64');
  return source.fileName ?? `${source.mediaType ?? 'a file'} of ${bytes} bytes inside the feed`;
}
