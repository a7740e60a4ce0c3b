import { CodedError, type ErrorCode } from '../core/errors.ts';
import type { Health } from '../core/gate.ts';

/**
 * What a failure asks of the caller: `permanent` fails this record and goes on, `retryable` may succeed later,
 * `stops` means that no request to this CMS can succeed until someone changes something.
 */
export type FailureKind = 'permanent' | 'retryable' | 'stops';

/** What is known about one failed request besides its kind of failure. */
export interface FailureFacts {
  method: string;
  status?: number;
  /** From Retry-After, in ms. */
  retryAfterMs?: number;
  cause?: unknown;
}

/** A request to the CMS that failed. */
export class CmsError extends CodedError {
  override name = 'CmsError';
  readonly kind: FailureKind;
  /** HTTP status of the answer; absent where there was none. */
  readonly status?: number;
  /** The CMS may have done what was asked, whatever the method. */
  readonly mayBeApplied: boolean;
  /** Sending this POST again may create a second item: look for the first one before. Never set for other methods. */
  readonly ambiguous: boolean;
  /** What it says of the CMS as a whole. */
  readonly health: Health;
  /** How long the CMS asked to wait, in ms. */
  readonly retryAfterMs?: number;

  constructor(rule: FailureRule, message: string, facts: FailureFacts) {
    super(rule.code, message, { cause: facts.cause });
    this.kind = rule.kind;
    this.mayBeApplied = rule.mayBeApplied;
    this.health = rule.health;
    this.ambiguous = rule.mayBeApplied && facts.method === 'POST';
    this.status = facts.status;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

export class CmsUnreachableError extends CmsError {
  override name = 'CmsUnreachableError';
}

export class CmsConnectionError extends CmsError {
  override name = 'CmsConnectionError';
}

export class CmsTimeoutError extends CmsError {
  override name = 'CmsTimeoutError';
}

export class CmsAbortedError extends CmsError {
  override name = 'CmsAbortedError';
}

export class CmsResponseError extends CmsError {
  override name = 'CmsResponseError';
}

export class CmsRedirectError extends CmsError {
  override name = 'CmsRedirectError';
}

export class CmsBadRequestError extends CmsError {
  override name = 'CmsBadRequestError';
}

export class CmsUnauthorizedError extends CmsError {
  override name = 'CmsUnauthorizedError';
}

export class CmsNotFoundError extends CmsError {
  override name = 'CmsNotFoundError';
}

export class CmsUnsupportedMediaError extends CmsError {
  override name = 'CmsUnsupportedMediaError';
}

export class CmsUnprocessableError extends CmsError {
  override name = 'CmsUnprocessableError';
}

export class CmsRateLimitedError extends CmsError {
  override name = 'CmsRateLimitedError';
}

export class CmsServerError extends CmsError {
  override name = 'CmsServerError';
}

export class CmsStatusError extends CmsError {
  override name = 'CmsStatusError';
}

/** How one kind of failure is reported and treated. */
export interface FailureRule {
  type: typeof CmsError;
  code: ErrorCode;
  kind: FailureKind;
  mayBeApplied: boolean;
  /** What it says of the CMS as a whole. */
  health: Health;
  /** The HTTP statuses that mean this failure. */
  statuses?: number[];
}

/** Every way in which a request can fail (API: "Errors"; RFC 9110, section 15 for statuses that the API does not name). */
export const failureTable = {
  // No connection was made, or it was given up before the request was sent.
  unreachable: {
    type: CmsUnreachableError,
    code: 'FF_CMS_UNREACHABLE',
    kind: 'retryable',
    mayBeApplied: false,
    health: 'unwell',
  },
  unsent: { type: CmsAbortedError, code: 'FF_CMS_ABORTED', kind: 'retryable', mayBeApplied: false, health: 'unknown' },
  // The request was sent, at least in part, and no usable answer came back.
  connection: {
    type: CmsConnectionError,
    code: 'FF_CMS_CONNECTION',
    kind: 'retryable',
    mayBeApplied: true,
    health: 'unwell',
  },
  timeout: { type: CmsTimeoutError, code: 'FF_CMS_TIMEOUT', kind: 'retryable', mayBeApplied: true, health: 'unwell' },
  aborted: { type: CmsAbortedError, code: 'FF_CMS_ABORTED', kind: 'retryable', mayBeApplied: true, health: 'unknown' },
  response: {
    type: CmsResponseError,
    code: 'FF_CMS_RESPONSE',
    kind: 'retryable',
    mayBeApplied: true,
    health: 'unwell',
  },
  // The CMS, or something before it, answered with an error status.
  redirect: {
    type: CmsRedirectError,
    code: 'FF_CMS_REDIRECT',
    kind: 'stops',
    mayBeApplied: false,
    health: 'closed',
    statuses: [301, 302, 307, 308],
  },
  // "See other" is how a server leads away from a POST that it has carried out.
  seeOther: {
    type: CmsRedirectError,
    code: 'FF_CMS_REDIRECT',
    kind: 'stops',
    mayBeApplied: true,
    health: 'closed',
    statuses: [303],
  },
  badRequest: {
    type: CmsBadRequestError,
    code: 'FF_CMS_BAD_REQUEST',
    kind: 'permanent',
    mayBeApplied: false,
    health: 'well',
    statuses: [400],
  },
  unauthorized: {
    type: CmsUnauthorizedError,
    code: 'FF_CMS_UNAUTHORIZED',
    kind: 'stops',
    mayBeApplied: false,
    health: 'closed',
    statuses: [401],
  },
  notFound: {
    type: CmsNotFoundError,
    code: 'FF_CMS_NOT_FOUND',
    kind: 'permanent',
    mayBeApplied: false,
    health: 'well',
    statuses: [404, 410],
  },
  // The server gave up waiting for the request: it never had the whole of it.
  requestTimeout: {
    type: CmsTimeoutError,
    code: 'FF_CMS_TIMEOUT',
    kind: 'retryable',
    mayBeApplied: false,
    health: 'unwell',
    statuses: [408],
  },
  unsupportedMedia: {
    type: CmsUnsupportedMediaError,
    code: 'FF_CMS_UNSUPPORTED_MEDIA',
    kind: 'permanent',
    mayBeApplied: false,
    health: 'well',
    statuses: [415],
  },
  unprocessable: {
    type: CmsUnprocessableError,
    code: 'FF_CMS_UNPROCESSABLE',
    kind: 'permanent',
    mayBeApplied: false,
    health: 'well',
    statuses: [422],
  },
  rateLimited: {
    type: CmsRateLimitedError,
    code: 'FF_CMS_RATE_LIMITED',
    kind: 'retryable',
    mayBeApplied: false,
    health: 'busy',
    statuses: [429],
  },
  // Every status from 500 on.
  server: { type: CmsServerError, code: 'FF_CMS_SERVER', kind: 'retryable', mayBeApplied: true, health: 'unwell' },
  // Every status that no other row names.
  status: { type: CmsStatusError, code: 'FF_CMS_STATUS', kind: 'permanent', mayBeApplied: false, health: 'well' },
} as const satisfies Record<string, FailureRule>;

export type Failure = keyof typeof failureTable;

const failureByStatus = new Map(
  Object.entries(failureTable).flatMap(([failure, rule]) =>
    'statuses' in rule ? rule.statuses.map((status) => [status as number, failure as Failure]) : [],
  ) as Array<[number, Failure]>,
);

/** The row of the table for an HTTP status that is not a success. */
export function failureOfStatus(status: number): Failure {
  return failureByStatus.get(status) ?? (status >= 500 ? 'server' : 'status');
}

/** The error for one row of the table. The message must not hold secrets. */
export function cmsError(failure: Failure, message: string, facts: FailureFacts): CmsError {
  const rule: FailureRule = failureTable[failure];
  return new rule.type(rule, message, facts);
}
