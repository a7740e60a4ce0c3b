import { posix } from 'node:path';
import type { AttachmentSource, Json, Payload } from '../core/record.ts';
import type { StagedAttachment } from '../ledger/claims.ts';

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

/** The changed attributes of a record, each with its old and its new value. */
export function differencesOf({ changed, payload, attachments, delivered }: Compared): Difference[] {
  return changed.map((attribute) => {
    const file = attachments.find((attachment) => attachment.attribute === attribute);
    const before = delivered && Object.hasOwn(delivered, attribute) ? delivered[attribute] : undefined;
    if (file)
      return { attribute, ...values(before === undefined ? undefined : uploadName(before), fileName(file.source)) };
    return { attribute, ...values(before, Object.hasOwn(payload, attribute) ? payload[attribute] : undefined) };
  });
}

function values(from: Json | undefined, to: Json | undefined): Pick<Difference, 'from' | 'to'> {
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

/** An uploaded file is known by its path in the CMS (API: "Event file upload"). */
function uploadName(value: Json): Json {
  const src = typeof value === 'object' && value !== null && 'src' in value ? value.src : undefined;
  return typeof src === 'string' ? posix.basename(src) : value;
}

/** The name of a file as its source has it. */
export function fileName(source: AttachmentSource): string {
  if (source.is === 'location') return posix.basename(source.location.replace(/[?#].*$/, '')) || source.location;
  const bytes = Buffer.byteLength(source.base64, 'base64');
  return source.fileName ?? `${source.mediaType ?? 'a file'} of ${bytes} bytes inside the feed`;
}
