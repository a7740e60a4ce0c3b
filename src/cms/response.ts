import { z } from 'zod';
import { retryAfterMs } from '../core/retry.ts';
import { CmsError, type Failure, failureOfStatus } from './errors.ts';
import type { CmsRequest } from './request.ts';
import { withoutSecrets } from './secrets.ts';

const maxLength = 500;

/** The response to one request. */
export interface CmsResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Returns whether a status means success. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/**
 * Returns the value of a successful response. `secrets` are kept out of messages.
 * @throws CmsError for an error status (API: "Errors"), and for a success without what the API promises
 */
export function readResponse<Result>(request: CmsRequest<Result>, response: CmsResponse, secrets: string[]): Result {
  const json = parseJson(response.text);
  if (!isSuccess(response.status)) {
    const detail = redirectTarget(response) ?? details(json, secrets) ?? describeBody(response, json, secrets);
    throw responseError(failureOfStatus(response.status), request, response, detail);
  }
  const parsed = request.schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const problem = json === undefined ? describeBody(response, json, secrets) : describeMismatch(parsed.error);
  throw responseError('response', request, response, `unlike a response of the API: ${problem}`);
}

function responseError(
  failure: Failure,
  request: CmsRequest<unknown>,
  response: CmsResponse,
  detail: string,
): CmsError {
  return new CmsError(failure, `${request.method} ${request.path} returned ${response.status}: ${detail}`, {
    method: request.method,
    status: response.status,
    retryAfterMs: retryAfterMs(headerOf(response, 'retry-after')),
  });
}

const errorBody = z.object({ errors: z.array(z.object({ title: z.string(), detail: z.string() }).partial()) });

function details(json: unknown, secrets: string[]): string | undefined {
  const errors = errorBody.safeParse(json).data?.errors ?? [];
  const texts = errors.map((error) => withoutSecrets(error.detail || error.title || '', secrets));
  return oneLine(texts.filter(Boolean).join('; ')) || undefined;
}

/** Names only the host: the rest of the address may contain a session. */
function redirectTarget(response: CmsResponse): string | undefined {
  const location = headerOf(response, 'location');
  if (location === undefined || response.status < 300 || response.status >= 400) return undefined;
  return `a redirect to ${URL.parse(location)?.host ?? 'another path of the same host'}, which is not followed`;
}

/** Describes a body that is not the API's without quoting it: a page of a proxy or a login may contain anything. */
function describeBody(response: CmsResponse, json: unknown, secrets: string[]): string {
  if (response.text === '') return 'no body';
  const type = readable(headerOf(response, 'content-type') ?? 'no content type', secrets);
  const title = /<title[^<>]*>([^<]*)/i.exec(response.text)?.[1];
  const titled = title ? `, titled "${readable(title, secrets)}"` : '';
  const form = json === undefined ? 'a body that is not JSON' : 'JSON without details';
  return `${form} (${type}, ${response.text.length} characters${titled})`;
}

function describeMismatch(error: z.ZodError): string {
  return error.issues.map((issue) => `${z.core.toDotPath(issue.path) || 'body'}: ${issue.message}`).join('; ');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function headerOf(response: CmsResponse, name: string): string | undefined {
  const value = response.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Prepares text of the CMS for a message: one line, shortened, without the secrets that it may repeat. */
function readable(text: string, secrets: string[]): string {
  return oneLine(withoutSecrets(text, secrets));
}

function oneLine(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line;
}
