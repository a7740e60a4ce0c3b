import type { ErrorCode } from './errors.ts';

/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** The CMS resources that feedferry writes (API: "Resources and their fields"). */
export type Resource = 'events' | 'accounts';

/** What has become of a record: `deleted` by editors, `removed` by feedferry. */
export const recordStatuses = ['pending', 'delivered', 'failed', 'held', 'deleted', 'removed'] as const;
export type RecordStatus = (typeof recordStatuses)[number];

/** Of records that are not through. */
export const openStatuses = ['pending', 'failed', 'held'] as const satisfies RecordStatus[];

/** The body of a create or PATCH: attribute layout key → value. */
export type Payload = Record<string, Json>;

/** A problem that did not stop a record. */
export interface Warning {
  at: string;
  message: string;
  /** Warnings of a kind are reported as one, with their number and the first of them. */
  kind?: string;
  /** What differs between warnings of a kind: each value is named, with its number. */
  value?: string;
}

/** Part of each warning about codes that a lookup table lacks: people who keep the table have to add them. */
export const UNLISTED = 'seen, but not in the lookup table';

/** One record in the form of its source. `at` is its place: "line 12", "VEVENT 3 (line 40)", "$.items[4]". */
export interface SourceRecord {
  at: string;
  fields: Record<string, unknown>;
  problems?: readonly RecordProblem[];
  /** The source does not want the record to be published. Only yielded if the reader asks for such records. */
  withdrawn?: Withdrawal;
  /** Called if the record is mapped. Absent: the source does not say which records belong together. */
  occurrence?: () => Occurrence;
}

/** What a source says of a record that it does not want to be published, or no longer. `replaced`: other records are published in its place. */
export interface Withdrawal {
  as: 'cancelled' | 'private' | 'deleted' | 'cancelled or private' | 'replaced';
  /** What to report if the record was never published. */
  warning?: string;
}

/** Why a record should not be published: because of the value of one field, if the sync uses that, or as a whole. */
export interface RecordProblem {
  field?: string;
  reason: string;
}

/** Which occurrence of which series a record is, whatever its key. */
export interface Occurrence {
  /** The same for all parts of a series that was split. */
  series: string;
  /** When the series has it, as written in the source: YYYY-MM-DD or YYYY-MM-DDTHH:MM:SS. A change of this record alone does not move it. */
  slot: string;
  /** The source repeats the event. */
  repeats?: true;
}

/** The source of an attachment: an absolute path or URL, or bytes from the feed itself. */
export type AttachmentSource =
  | { is: 'location'; location: string }
  | { is: 'inline'; base64: string; mediaType?: string; fileName?: string };

/** A file for an attribute of an event. */
export interface Attachment {
  attribute: string;
  source: AttachmentSource;
  /** Alternative text of a picture; absent: none is known. */
  alt?: string;
  /** The record has no file of its own. */
  isDefault?: true;
}

/** A record as it should be in the CMS. */
export interface DesiredRecord {
  at: string;
  key: string;
  resource: Resource;
  payload: Payload;
  occurrence?: Occurrence;
  attachments: Attachment[];
  /** Of a sync with several sources: attribute → the source of its value; '' → the source that publishes the record. */
  givenBy?: Readonly<Record<string, string>>;
  /** Of an event that spans days. */
  span?: RecordSpan;
  /** Only sent when an account is created: the password is never part of a payload, log or plan. */
  password?: string;
}

/** The days of an event, each of which has a record in the source. */
export interface RecordSpan {
  /** Keys of the records → their days. */
  days: Readonly<Record<string, string>>;
  /** Equal for records that differ only in key and day. */
  like: string;
  /** When it is open on each day; only if that may differ. */
  open?: ReadonlyArray<{ date: string; start: string; end: string }>;
}

/** The key under which the ledger keeps a record that has lost its own to another one. No source has it. */
export function keyWithoutSource(key: string, id: number): string {
  return `${key} #${id}`;
}

/** A rejected source record: its place, the reason, and its fields, by which it can be found again. */
export interface Rejection {
  at: string;
  code: ErrorCode;
  reason: string;
  key?: string;
  fields?: Record<string, unknown>;
}

/** The result of mapping one source record. `fields` are the source's, if available. */
export type Mapped =
  | {
      is: 'desired';
      record: DesiredRecord;
      warnings: Warning[];
      fields?: SourceRecord['fields'];
      /** See `ReadRecord`; absent if the record has anything to report, or if a later mapping may have another result. */
      sourceHash?: string;
      /** Why the record waits for a person, or for a correction in the source. */
      hold?: string;
    }
  | { is: 'rejected'; rejection: Rejection }
  /** `deleted`: the source has deleted the record; `beyond`: it is outside the window, and what it would be there. */
  | {
      is: 'skipped';
      at: string;
      key: string;
      reason: string;
      deleted?: true;
      beyond?: { payload: Payload; map(): Mapped | Promise<Mapped> };
      fields?: SourceRecord['fields'];
    };

/** Replaces an unknown value or fingerprint. Texts of a source never contain NUL, so no desired value equals it. */
export const UNKNOWN = '\0';

/** The attributes with unknown values. */
export function unknown(attributes: Iterable<string>): Record<string, string> {
  return Object.fromEntries([...attributes].map((attribute) => [attribute, UNKNOWN]));
}

/** Returns true for a JSON object: neither null nor a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses a text that may not be JSON: then the result is undefined. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns a string as it is, any other value as JSON; empty for null. */
export function toText(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

/** What an answer to a review of what is new is about: it holds whatever becomes of the record. */
export const ABOUT_NEW = 'new';
