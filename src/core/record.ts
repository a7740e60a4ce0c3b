import type { ErrorCode } from './errors.ts';

/** Any value that JSON can carry. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** The CMS resources that feedferry writes (API: "Resources and their fields"). */
export type Resource = 'events' | 'accounts';

/** The body of a create or PATCH: attribute layout key → value. */
export type Payload = Record<string, Json>;

/** Something worth telling that did not stop a record. */
export interface Warning {
  at: string;
  message: string;
}

/** One record as its source has it. `at` is its place for people: "line 12", "VEVENT 3 (line 40)", "$.items[4]". */
export interface SourceRecord {
  at: string;
  fields: Record<string, unknown>;
}

/** Where an attachment's bytes come from: an absolute path or URL, or bytes that came inside the feed. */
export type AttachmentSource =
  | { is: 'location'; location: string }
  | { is: 'inline'; base64: string; mediaType?: string; fileName?: string };

/** A file that belongs in an event attribute. */
export interface Attachment {
  attribute: string;
  source: AttachmentSource;
}

/** What a record should look like in the CMS. `hash` covers payload and attachment sources. */
export interface DesiredRecord {
  at: string;
  key: string;
  resource: Resource;
  payload: Payload;
  attachments: Attachment[];
  hash: string;
  /** For the create of an account, and for nothing else: never in a payload, hash, log or plan. */
  password?: string;
}

/** A source record set aside: where it stands, why, and its fields so that it can be found again. */
export interface Rejection {
  at: string;
  code: ErrorCode;
  reason: string;
  key?: string;
  fields?: Record<string, unknown>;
}

/** What mapping makes of one source record. `fields` are the source's, where they are at hand. */
export type Mapped =
  | { is: 'desired'; record: DesiredRecord; warnings: Warning[]; fields?: SourceRecord['fields'] }
  | { is: 'rejected'; rejection: Rejection }
  | { is: 'skipped'; at: string; key: string; reason: string; fields?: SourceRecord['fields'] };
/** In the place of a value or fingerprint that nobody knows. No text of a source has a NUL: it equals nothing desired. */
export const UNKNOWN = '\0';
