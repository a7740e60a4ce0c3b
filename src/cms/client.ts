import type { Gate } from '../core/gate.ts';
import { type Clock, systemClock } from '../core/runtime/clock.ts';
import { apiAddress } from './address.ts';
import { createCalls } from './calls.ts';
import { authHeader, checkedToken, checkedUserAgent, type TokenHeader } from './credentials.ts';
import { createHttp, type ResponseInfo } from './http.ts';
import {
  accountSchema,
  type CmsAccount,
  type CmsEvent,
  type CmsItem,
  eventSchema,
  type UploadResult,
} from './items.ts';
import { createPageSizes } from './page-size.ts';
import type { EventQuery, ListQuery } from './query.ts';
import { createResource, defineResource, type ResourceClient } from './resource.ts';
import type { Transport } from './transport.ts';
import { type UploadCall, type UploadFile, uploadRequest } from './upload.ts';

export { CodedError, type ErrorCode } from '../core/errors.ts';
export {
  type Gate,
  type Health,
  type Passage,
  type RequestEnd,
  TargetPausedError,
  TargetStoppedError,
} from '../core/gate.ts';
export { CmsError, type ErrorDetail, type FailureKind } from './errors.ts';
export type { Page, Pagination } from './items.ts';
export type { CallOptions, ListCall } from './request.ts';
export type {
  CmsAccount,
  CmsEvent,
  CmsItem,
  EventQuery,
  ListQuery,
  ResourceClient,
  ResponseInfo,
  TokenHeader,
  UploadCall,
  UploadFile,
  UploadResult,
};

const MiB = 1024 * 1024;

const EVENTS = defineResource('events', 'calendar/events', eventSchema);
const ACCOUNTS = defineResource('accounts', 'account/accounts', accountSchema);

/** The CMS's address and the limits of requests. Times in ms, sizes in bytes. */
export interface CmsClientOptions {
  /** Address of the site, with or without a path of its own; "/api/v1/" is appended. */
  baseUrl: string;
  /** API token. */
  token: string;
  /** How the token is sent: as `Authorization: Bearer`, or alone in a header of its own. Default "bearer". */
  auth?: TokenHeader;
  /** Requests in flight, each on its own kept-alive connection. Default 8. */
  concurrency?: number;
  /**
   * Time limit for the head of a response after the request was sent, and again for its body. While a file is sent, the limit
   * is the longest time without progress. Default 30,000.
   */
  timeoutMs?: number;
  /** Default 10,000. */
  connectTimeoutMs?: number;
  /** Allows the token to be sent unencrypted to other machines. Default false. */
  allowHttp?: boolean;
  /** Default 200 MiB. */
  maxUploadBytes?: number;
  /** Larger responses fail. Default 16 MiB. */
  maxResponseBytes?: number;
  /** How often a call repeats a request, within seconds, if that is safe. Default 2. */
  retries?: number;
  /** Passed by every request, including repeats. */
  gate?: Gate;
  /** Once aborted, no request begins (FF_CMS_ABORTED); those in flight may end. */
  stopping?: AbortSignal;
  /** Called after every request. It must not throw. */
  onResponse?: (info: ResponseInfo) => void;
  /** Default "feedferry". */
  userAgent?: string;
  /** In place of HTTP connections. */
  transport?: Transport;
  /** In place of the clocks and timers of this machine. */
  clock?: Clock;
}

/** A client of the CMS's REST API. Its calls throw CmsError. */
export interface CmsClient {
  /** @param instance key of one of several instances of the calendar app */
  events(instance?: string): ResourceClient<CmsEvent, EventQuery>;
  accounts(): ResourceClient<CmsAccount>;
  /**
   * Stores a file for an event attribute (its layout key). Set the attribute to `{ src }` of the result. Sent once: if
   * `error.ambiguous` is set, the file may be stored nevertheless.
   * @throws CmsError, or CodedError FF_ATTACHMENT_TOO_LARGE
   */
  upload(attribute: string, file: UploadFile, call?: UploadCall): Promise<UploadResult>;
  /** Waits for the calls that were made before, and closes the connections. May be called again. */
  close(): Promise<void>;
}

/**
 * Creates a client; nothing is sent yet.
 * @throws CodedError FF_CMS_INSECURE for http:// to another machine, FF_CONFIG_INVALID for an invalid base URL, token, token
 * header, proxy or user agent
 */
export function createCmsClient(options: CmsClientOptions): CmsClient {
  const { retries = 2, maxUploadBytes = 200 * MiB, clock = systemClock } = options;
  const token = checkedToken(options.token);
  const http = createHttp({
    address: apiAddress(options.baseUrl, options.allowHttp ?? false),
    token,
    headers: {
      accept: 'application/json',
      'user-agent': checkedUserAgent(options.userAgent ?? 'feedferry'),
      ...authHeader(options.auth ?? 'bearer', token),
    },
    concurrency: options.concurrency ?? 8,
    timeoutMs: options.timeoutMs ?? 30_000,
    connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
    maxResponseBytes: options.maxResponseBytes ?? 16 * MiB,
    gate: options.gate,
    stopping: options.stopping,
    onResponse: options.onResponse,
    transport: options.transport,
    clock,
  });
  const calls = createCalls(http, { retries, clock });
  const sizes = createPageSizes();
  return {
    events: (instance) => createResource(calls, sizes, EVENTS, instance),
    accounts: () => createResource(calls, sizes, ACCOUNTS),
    upload: async (attribute, file, call = {}) => calls.send(uploadRequest(attribute, file, maxUploadBytes, call)),
    close: calls.close,
  };
}
