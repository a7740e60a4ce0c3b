import { isDeepStrictEqual } from 'node:util';
import type { ErrorCode } from '../../core/errors.ts';
import { isObject, type Json, type Payload, unknown } from '../../core/record.ts';
import type { AttemptsTable, Doubt } from '../database/schema.ts';

/** An attempt that the CMS may have applied, although its answer does not say so. */
export interface OpenAttempt {
  /** Null: nothing was sent, but the CMS may have an item with this body. */
  method: AttemptsTable['method'];
  /** The attributes that were sent; null: the desired payload of the record, or nothing for a delete. */
  body: Payload | null;
  doubt: Doubt;
  /**
   * The item before the change: of a delete, all of it; of a PATCH, what it did not send, and, if images are kept, what it sent.
   * Null: it was not kept.
   */
  before: Payload | null;
  /** When its failure was written, by the ledger's clock; absent: its claim ended without one. */
  settledAt?: number;
  /** The item was looked at after it. */
  isSeen?: true;
  /** The CMS has refused it for now: at another moment, it takes the same. */
  isTemporary?: true;
  /** When the CMS has confirmed a delete of this claim, by the monotonic clock of this process; absent: it has not. */
  answeredAt?: number | undefined;
}

/** The error of a call in doubt after which the item was looked at. */
export const AFTER_A_LOOK = 'FF_CMS_NOT_TAKEN' satisfies ErrorCode;

/** The errors of refusals that say nothing about the content. */
export const TEMPORARY: ReadonlySet<string | null> = new Set([
  'FF_CMS_TIMEOUT',
  'FF_CMS_RATE_LIMITED',
  'FF_CMS_SERVER',
] satisfies ErrorCode[]);

/** Whether the body of an attempt has only some attributes: that of an update. */
function isPartial({ method, doubt }: OpenAttempt): boolean {
  return method === 'PATCH' && doubt === 'sent';
}

/** What attempts have sent, as far as it is not the desired payload. */
export function bodiesOf(open: readonly OpenAttempt[]): Payload[] {
  return open.map(({ body }) => body).filter((body) => body !== null);
}

/** What creates have sent, as far as it is not the desired payload. */
export function createdBodiesOf(open: readonly OpenAttempt[]): Payload[] {
  return bodiesOf(open.filter((attempt) => !isPartial(attempt)));
}

/** The payloads that an item may have besides the delivered and the desired one. */
export function payloadsInDoubt(
  open: readonly OpenAttempt[],
  { delivered, desired }: { delivered: Payload | null; desired: Payload },
): Payload[] {
  const whole = createdBodiesOf(open);
  const updates = bodiesOf(open.filter(isPartial));
  return [...whole, ...updates.map((body) => ({ ...(delivered ?? whole[0] ?? desired), ...body }))];
}

/** The content of an item: its attributes, and the fingerprints of its files. */
export interface Content {
  payload: Payload;
  fingerprints: Record<string, string>;
}

/**
 * The content of an item after attempts that may have been applied: attributes and files that they may have changed are
 * `UNKNOWN`; all of them, if a delete may have removed the item.
 */
export function inDoubt({ payload, fingerprints }: Content, open: readonly OpenAttempt[]): Content {
  if (open.some(({ method }) => method === 'DELETE')) {
    return { payload: unknown(Object.keys(payload)), fingerprints: unknown(Object.keys(fingerprints)) };
  }
  const sent = open.flatMap(({ body }) => Object.entries(body ?? {})).filter(([name, value]) => mayDiffer(name, value));
  const files = sent.filter(([name, value]) => Object.hasOwn(fingerprints, name) || isFile(value));
  const names = (entries: typeof sent) => entries.map(([name]) => name);
  return {
    payload: { ...payload, ...unknown(names(sent)) },
    fingerprints: { ...fingerprints, ...unknown(names(files)) },
  };

  function mayDiffer(attribute: string, value: Json): boolean {
    return !isDeepStrictEqual(value, payload[attribute] ?? null);
  }
}

/** A file is sent by its path in the CMS (API: "Event file upload"). */
function isFile(value: Json): boolean {
  return isObject(value) && typeof value.src === 'string';
}
