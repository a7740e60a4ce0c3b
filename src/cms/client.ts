import type { Gate } from '../core/gate.ts';
import { apiAddress } from './address.ts';
import { checkedUserAgent, readToken } from './credentials.ts';
import { createHttp, type ResponseInfo } from './http.ts';
import {
  accountSchema,
  type CmsAccount,
  type CmsEvent,
  type CmsItem,
  eventSchema,
  type UploadResult,
} from './items.ts';
import type { EventQuery, ListQuery } from './query.ts';
import { createResource, defineResource, type ResourceClient } from './resource.ts';
import { retryCall } from './retry.ts';
import { type UploadCall, type UploadFile, uploadRequest } from './upload.ts';

export { CmsError } from './errors.ts';
export type { CallOptions } from './request.ts';
export type { CmsAccount, CmsEvent, CmsItem, EventQuery, ListQuery, ResourceClient, ResponseInfo, UploadResult };

const maxResponseBytes = 50 * 1024 * 1024;

const EVENTS = defineResource('events', 'calendar/events', eventSchema);
const ACCOUNTS = defineResource('accounts', 'account/accounts', accountSchema);

/** The CMS's address and the limits of requests. Times in ms, sizes in bytes. */
export interface CmsClientOptions {
  /** Address of the site, with or without a path of its own; "/api/v1/" is appended. */
  baseUrl: string;
  /** API token. Default: from `tokenFile`, else the variable CMS_API_TOKEN, else the file that CMS_API_TOKEN_FILE names. */
  token?: string;
  /** File that contains only the token; white space around it is ignored. */
  tokenFile?: string;
  /** Requests in flight, each on its own kept-alive connection. Default 8. */
  concurrency?: number;
  /** Time limit for the head of a response after the request was sent, and then for its body. Default 30,000. */
  timeoutMs?: number;
  /** Default 10,000. */
  connectTimeoutMs?: number;
  /** Allows the token to be sent unencrypted to other machines. Default false. */
  allowHttp?: boolean;
  /** Default 200 MiB. */
  maxUploadBytes?: number;
  /** How often a call repeats a request, within seconds, if that is safe. Default 2. */
  retries?: number;
  /** Passed by every request, including repeats. */
  gate?: Gate;
  /** Called after every request. It must not throw. */
  onResponse?: (info: ResponseInfo) => void;
  /** Default "feedferry". */
  userAgent?: string;
}

/** A client of the CMS's REST API. Its calls throw CmsError. */
export type CmsClient = ReturnType<typeof createCmsClient>;

/**
 * Creates a client; nothing is sent yet.
 * @throws CodedError FF_CMS_INSECURE for http:// to another machine, FF_CONFIG_INVALID for an invalid base URL, token or user
 * agent, FF_CONFIG_MISSING for a token file that cannot be read
 */
export function createCmsClient(options: CmsClientOptions) {
  const { retries = 2, maxUploadBytes = 200 * 1024 * 1024 } = options;
  const http = createHttp({
    address: apiAddress(options.baseUrl, options.allowHttp ?? false),
    token: readToken(options, process.env),
    userAgent: checkedUserAgent(options.userAgent ?? 'feedferry'),
    concurrency: options.concurrency ?? 8,
    timeoutMs: options.timeoutMs ?? 30_000,
    connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
    maxResponseBytes,
    gate: options.gate,
    onResponse: options.onResponse,
  });
  return {
    /** @param instance key of one of several instances of the calendar app */
    events: (instance?: string): ResourceClient<CmsEvent, EventQuery> =>
      createResource(http, retries, EVENTS, instance),
    accounts: (): ResourceClient<CmsAccount> => createResource(http, retries, ACCOUNTS),
    /**
     * Stores a file for an event attribute (its layout key). Set the attribute to `{ src }` of the result. Sent once: if
     * `error.ambiguous` is set, the file may be stored nevertheless.
     * @throws CmsError, or CodedError FF_ATTACHMENT_TOO_LARGE
     */
    upload: async (attribute: string, file: UploadFile, call: UploadCall = {}): Promise<UploadResult> => {
      const request = uploadRequest(attribute, file, maxUploadBytes, call);
      return retryCall(() => http.send(request), { ...request, retries });
    },
    /** Waits for the requests in flight and closes the connections. */
    close: http.close,
  };
}
