import { CodedError } from '../core/errors.ts';
import type { Health } from '../core/gate.ts';

/**
 * What a failed request means for the caller: `permanent` fails this record only, `retryable` may succeed later, `stops` means
 * that no request to this CMS can succeed until something is changed.
 */
export type FailureKind = 'permanent' | 'retryable' | 'stops';

/** All ways in which a request can fail (API: "Errors"; RFC 9110, section 15 for statuses that the API does not name). */
export const failureTable = {
  // There was no connection, or the request was cancelled before it was sent.
  unreachable: { code: 'FF_CMS_UNREACHABLE', kind: 'retryable', mayBeApplied: false, health: 'unwell' },
  unsent: { code: 'FF_CMS_ABORTED', kind: 'retryable', mayBeApplied: false, health: 'unknown' },
  // The request was sent, at least in part, and there was no usable response.
  connection: { code: 'FF_CMS_CONNECTION', kind: 'retryable', mayBeApplied: true, health: 'unwell' },
  timeout: { code: 'FF_CMS_TIMEOUT', kind: 'retryable', mayBeApplied: true, health: 'unwell' },
  aborted: { code: 'FF_CMS_ABORTED', kind: 'retryable', mayBeApplied: true, health: 'unknown' },
  response: { code: 'FF_CMS_RESPONSE', kind: 'retryable', mayBeApplied: true, health: 'unwell' },
  // A success with another item. It says nothing about the item that was named.
  otherItem: { code: 'FF_CMS_FOREIGN', kind: 'retryable', mayBeApplied: true, health: 'well' },
  // The response had an error status.
  redirect: { code: 'FF_CMS_REDIRECT', kind: 'stops', mayBeApplied: false, health: 'closed' },
  // "See other" is the usual redirect after a POST that was applied.
  seeOther: { code: 'FF_CMS_REDIRECT', kind: 'stops', mayBeApplied: true, health: 'closed' },
  badRequest: { code: 'FF_CMS_BAD_REQUEST', kind: 'permanent', mayBeApplied: false, health: 'well' },
  unauthorized: { code: 'FF_CMS_UNAUTHORIZED', kind: 'stops', mayBeApplied: false, health: 'closed' },
  notFound: { code: 'FF_CMS_NOT_FOUND', kind: 'permanent', mayBeApplied: false, health: 'well' },
  // A page instead of the API's error body: it says nothing about an item.
  pageNotFound: { code: 'FF_CMS_RESPONSE', kind: 'retryable', mayBeApplied: false, health: 'unwell' },
  // The server never received the whole request.
  requestTimeout: { code: 'FF_CMS_TIMEOUT', kind: 'retryable', mayBeApplied: false, health: 'unwell' },
  unsupportedMedia: { code: 'FF_CMS_UNSUPPORTED_MEDIA', kind: 'permanent', mayBeApplied: false, health: 'well' },
  unprocessable: { code: 'FF_CMS_UNPROCESSABLE', kind: 'permanent', mayBeApplied: false, health: 'well' },
  rateLimited: { code: 'FF_CMS_RATE_LIMITED', kind: 'retryable', mayBeApplied: false, health: 'busy' },
  server: { code: 'FF_CMS_SERVER', kind: 'retryable', mayBeApplied: true, health: 'unwell' },
  status: { code: 'FF_CMS_STATUS', kind: 'permanent', mayBeApplied: false, health: 'well' },
} as const satisfies Record<string, Pick<CmsError, 'code' | 'kind' | 'mayBeApplied' | 'health'>>;

export type Failure = keyof typeof failureTable;

const failureByStatus: Record<number, Failure> = {
  301: 'redirect',
  302: 'redirect',
  303: 'seeOther',
  307: 'redirect',
  308: 'redirect',
  400: 'badRequest',
  401: 'unauthorized',
  404: 'notFound',
  408: 'requestTimeout',
  410: 'notFound',
  415: 'unsupportedMedia',
  422: 'unprocessable',
  429: 'rateLimited',
};

/** Returns the failure that an HTTP status other than a success means. */
export function failureOfStatus(status: number): Failure {
  return failureByStatus[status] ?? (status >= 500 ? 'server' : 'status');
}

/** One entry of the error body of the CMS (API: "Errors"), with secrets removed. */
export interface ErrorDetail {
  /** The HTTP status, as the CMS repeats it. */
  code?: number | null;
  title?: string | null;
  detail?: string | null;
}

/** The facts of a response with an error. */
interface ResponseFacts {
  status?: number;
  errors?: readonly ErrorDetail[];
  retryAfterMs?: number;
}

/** A request to the CMS that failed. Its message must not contain secrets. */
export class CmsError extends CodedError {
  override name = 'CmsError';
  readonly kind: FailureKind;
  /** HTTP status of the response; absent if there was none. */
  readonly status?: number;
  /** Whether the CMS may have applied the call, whatever its method: this request, or an earlier try of it. */
  mayBeApplied: boolean;
  /** Whether repeating this POST may create a second item: look for the first one before. False for other methods. */
  readonly ambiguous: boolean;
  /** What the failure says about the CMS as a whole. */
  readonly health: Health;
  /** How long the CMS asked to wait, in ms. */
  readonly retryAfterMs?: number;
  /** The errors that the CMS listed; empty if its response was not from the API. */
  readonly errors: readonly ErrorDetail[];

  constructor(failure: Failure, message: string, facts: { method: string; cause?: unknown } & ResponseFacts) {
    const rule = failureTable[failure];
    super(rule.code, message, { cause: facts.cause });
    this.kind = rule.kind;
    this.mayBeApplied = rule.mayBeApplied;
    this.health = rule.health;
    this.ambiguous = rule.mayBeApplied && facts.method === 'POST';
    this.status = facts.status;
    this.retryAfterMs = facts.retryAfterMs;
    this.errors = facts.errors ?? [];
  }
}

/** Returns whether the CMS has no such item, page or address. */
export function isNotFound(error: unknown): boolean {
  return error instanceof CmsError && error.code === 'FF_CMS_NOT_FOUND';
}
