import { afterAll, beforeAll } from 'vitest';
import { parseOptions } from '../../../src/sandbox/options.ts';
import { startTestCms, type TestCms, type TestCmsOptions } from '../../support/cms/start-cms.ts';
import { exchangeProblems } from './openapi/check-exchange.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are probed as they come, whatever their shape
export type Body = any;

export interface Answer {
  status: number;
  headers: Headers;
  body: Body;
  text: string;
}

/** Raw requests to a sandbox, with the headers that the API asks for. */
export interface Caller {
  readonly url: string;
  readonly token: string;
  /** Below /api/v1, unless the path starts with /_sandbox. A body that is no string is sent as JSON. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string | null>): Promise<Answer>;
}

export const eventBody = {
  title: 'Open day',
  date: '2026-05-04',
  endDate: '2026-05-04',
  time: { start: '10:00:00', end: '11:30:00', type: 'timed' },
};

export const events = '/calendar/events';
export const accounts = '/account/accounts';

/** The smallest PNG: one pixel. */
export const onePixelPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A sandbox in memory for all tests of a file or a describe block. */
export function withSandbox(options: TestCmsOptions = {}): Caller {
  let sandbox: TestCms;
  beforeAll(async () => {
    sandbox = await openSandbox({ memory: true, ...options });
  });
  afterAll(() => sandbox.close());
  return {
    get url() {
      return sandbox.url;
    },
    get token() {
      return sandbox.token;
    },
    call: (method, path, body, headers) => callerOf(sandbox).call(method, path, body, headers),
  };
}

/** A sandbox whose every exchange must fit the description of the API: else `close` throws. */
export async function openSandbox(options: TestCmsOptions = {}): Promise<TestCms> {
  const { switches } = parseOptions(options);
  const problems: string[] = [];
  const sandbox = await startTestCms({
    ...options,
    onExchange(exchange) {
      try {
        problems.push(...exchangeProblems(exchange, switches));
      } catch (error) {
        // The sandbox would keep it to itself.
        problems.push(String(error));
      }
      options.onExchange?.(exchange);
    },
  });
  async function close(): Promise<void> {
    await sandbox.close();
    if (problems.length > 0) throw new Error(`The description does not fit:\n${problems.slice(0, 20).join('\n')}`);
  }
  return { ...sandbox, close, [Symbol.asyncDispose]: close };
}

export function callerOf({ url, token }: { url: string; token: string }): Caller {
  return {
    url,
    token,
    async call(method, path, body, headers = {}) {
      const all: Record<string, string | null> = {
        accept: 'application/json',
        'user-agent': 'contract-tests',
        authorization: `Bearer ${token}`,
        ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
        ...headers,
      };
      const sent = Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => !!entry[1]));
      const raw = typeof body === 'string' || body instanceof FormData || body instanceof Uint8Array;
      const address = path.startsWith('/_sandbox') ? url + path : `${url}/api/v1${path}`;
      const response = await fetch(address, {
        method,
        headers: sent,
        body: body === undefined ? null : raw ? (body as NonNullable<RequestInit['body']>) : JSON.stringify(body),
      });
      return answerOf(response);
    },
  };
}

export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}

/** Creates an event and returns it. */
export async function createEvent(api: Caller, attributes: object = {}, query = ''): Promise<Body> {
  const { status, body } = await api.call('POST', events + query, { ...eventBody, ...attributes });
  if (status !== 201) throw new Error(`POST answered ${status}: ${JSON.stringify(body)}`);
  return body;
}
