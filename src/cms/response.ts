import { z } from 'zod';
import { parseJson } from '../core/record.ts';
import { retryAfterMs } from '../core/retry.ts';
import { CmsError, type ErrorDetail, type Failure, failureOfStatus } from './errors.ts';
import type { CmsRequest } from './request.ts';
import { withoutSecrets } from './secrets.ts';

const maxLength = 500;

/** A text of this many objects and lists takes a second to parse, and one of 16 MiB may have five times as many. */
const MOST_OBJECTS = 1_000_000;

const NO_CONTENT = 204;

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
 * Returns the value of a successful response. `secrets` are kept out of messages; `now` is in ms since 1970.
 * @throws CmsError for an error status (API: "Errors"), and for a success that lacks what the API promises
 */
export function readResponse<Result>(
  request: CmsRequest<Result>,
  response: CmsResponse,
  secrets: string[],
  now: number,
): Result {
  const { status } = response;
  const isTooMany = hasTooManyObjects(response.text);
  const json = isTooMany ? undefined : parseJson(response.text);
  const errors = isSuccess(status) ? undefined : errorsOf(json, secrets);
  const fail = (failure: Failure, detail: string) =>
    new CmsError(failure, `${request.method} ${request.path} returned ${status}: ${detail}`, {
      ...{ status, errors, method: request.method },
      retryAfterMs: retryAfterMs(headerOf(response, 'retry-after'), now),
    });
  if (!isSuccess(status)) {
    const failure = failureOfStatus(status);
    const detail = redirectTarget(response) ?? summaryOf(errors) ?? describeBody(response, json, secrets);
    throw fail(failure === 'notFound' && !errors ? 'pageNotFound' : failure, detail);
  }
  const unlike = (problem: string) => fail('response', `unlike a response of the API: ${problem}`);
  if (isTooMany) throw unlike(`more than ${MOST_OBJECTS.toLocaleString('en')} objects and lists`);
  if (json === undefined && status !== NO_CONTENT) throw unlike(describeBody(response, json, secrets));
  const parsed = request.schema.safeParse(json);
  if (parsed.success) {
    const id = idOf(parsed.data);
    const listed = id === undefined ? errorsOf(json, secrets) : [];
    if (listed?.length) throw unlike(`a success that lists errors: ${summaryOf(listed) ?? 'without details'}`);
    if (request.itemId === undefined || id === request.itemId) return parsed.data;
    throw fail('otherItem', `item ${id} in place of item ${request.itemId}`);
  }
  throw unlike(json === undefined ? describeBody(response, json, secrets) : describeMismatch(parsed.error));
}

function idOf(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'id' in data ? data.id : undefined;
}

function hasTooManyObjects(text: string): boolean {
  if (text.length < 2 * MOST_OBJECTS) return false;
  let objects = 0;
  for (let index = 0; index < text.length && objects <= MOST_OBJECTS; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 0x7b || unit === 0x5b) objects += 1;
  }
  return objects > MOST_OBJECTS;
}

const lenientText = z.string().nullish().catch(undefined);
const errorBody = z.object({
  errors: z.array(z.object({ code: z.int().nullish().catch(undefined), title: lenientText, detail: lenientText })),
});

/** Returns the errors that the CMS lists; undefined if the body is not the API's. */
function errorsOf(json: unknown, secrets: string[]): ErrorDetail[] | undefined {
  return errorBody.safeParse(json).data?.errors.map(({ code, title, detail }) => ({
    code,
    title: title && withoutSecrets(title, secrets),
    detail: detail && withoutSecrets(detail, secrets),
  }));
}

function summaryOf(errors: ErrorDetail[] | undefined): string | undefined {
  const texts = errors?.map(({ detail, title }) => detail || title).filter(Boolean) ?? [];
  return oneLine(texts.join('; ')) || undefined;
}

/** The host of a redirect. The rest of the address may contain a session. */
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
  const encoding = headerOf(response, 'content-encoding');
  const encoded = encoding === undefined ? '' : `, encoded as ${readable(encoding, secrets)}`;
  return `${form} (${type}${encoded}, ${response.text.length} characters${titled})`;
}

function describeMismatch(error: z.ZodError): string {
  return error.issues.map((issue) => `${z.core.toDotPath(issue.path) || 'body'}: ${issue.message}`).join('; ');
}

function headerOf(response: CmsResponse, name: string): string | undefined {
  const value = response.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Prepares text of the CMS for a message: one line, shortened, without secrets. */
function readable(text: string, secrets: string[]): string {
  return oneLine(withoutSecrets(text, secrets));
}

function oneLine(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line;
}
