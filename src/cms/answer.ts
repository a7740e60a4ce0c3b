import { z } from 'zod';
import { retryAfterMs } from '../core/retry.ts';
import { CmsError, type Failure, failureOfStatus } from './errors.ts';
import { readable } from './readable.ts';
import type { CmsRequest } from './request.ts';

/** The response to one request. */
export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Whether a status means success. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/**
 * Returns the value of a successful response. `secrets` are kept out of messages.
 * @throws CmsError for an error status (API: "Errors"), and for a success without what the API promises
 */
export function readAnswer<Result>(request: CmsRequest<Result>, answer: Answer, secrets: string[]): Result {
  const json = parseJson(answer.text);
  if (!isSuccess(answer.status)) {
    const said = redirectTarget(answer) ?? details(json, secrets) ?? describeBody(answer, json, secrets);
    throw answerError(failureOfStatus(answer.status), request, answer, said);
  }
  const parsed = request.schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const problem = json === undefined ? describeBody(answer, json, secrets) : describeMismatch(parsed.error);
  throw answerError('response', request, answer, `unlike a response of the API: ${problem}`);
}

function answerError(failure: Failure, request: CmsRequest<unknown>, answer: Answer, said: string): CmsError {
  return new CmsError(failure, `${request.method} ${request.path} returned ${answer.status}: ${said}`, {
    method: request.method,
    status: answer.status,
    retryAfterMs: retryAfterMs(headerOf(answer, 'retry-after')),
  });
}

const errorBody = z.object({ errors: z.array(z.object({ title: z.string(), detail: z.string() }).partial()) });

function details(json: unknown, secrets: string[]): string | undefined {
  const said = errorBody.safeParse(json).data?.errors.map((error) => error.detail || error.title);
  return readable(said?.filter(Boolean).join('; ') ?? '', secrets) || undefined;
}

/** Names only the host: the rest of the address may contain a session. */
function redirectTarget(answer: Answer): string | undefined {
  const location = headerOf(answer, 'location');
  if (location === undefined || answer.status < 300 || answer.status >= 400) return undefined;
  return `a redirect to ${URL.parse(location)?.host ?? 'another path of the same host'}, which is not followed`;
}

/** Describes a body that is not the API's without quoting it: a page of a proxy or a login may contain anything. */
function describeBody(answer: Answer, json: unknown, secrets: string[]): string {
  if (answer.text === '') return 'no body';
  const type = readable(headerOf(answer, 'content-type') ?? 'no content type', secrets);
  const title = /<title[^>]*>([^<]*)/i.exec(answer.text)?.[1];
  const titled = title ? `, titled "${readable(title, secrets)}"` : '';
  const form = json === undefined ? 'a body that is not JSON' : 'JSON without details';
  return `${form} (${type}, ${answer.text.length} characters${titled})`;
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

function headerOf(answer: Answer, name: string): string | undefined {
  const value = answer.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
