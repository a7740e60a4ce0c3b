import type { Clock } from '../core/runtime/clock.ts';
import type { Http } from './http.ts';
import { unsentError } from './network.ts';
import type { CmsRequest } from './request.ts';
import { retryCall } from './retry.ts';

/** Sends requests, and repeats them if that is safe and may help. */
export type Calls = ReturnType<typeof createCalls>;

/** Adds repeats to `http`. `close` waits for the calls that were made before it, including their repeats. */
export function createCalls(http: Http, { retries, clock }: { retries: number; clock: Clock }) {
  const inProgress = new Set<Promise<unknown>>();
  let closed: Promise<void> | undefined;
  return { send, close };

  /** @param around handles the result of each attempt */
  async function send<Data>(
    request: CmsRequest<Data>,
    around = (attempt: () => Promise<Data>): Promise<Data> => attempt(),
  ): Promise<Data> {
    if (closed) throw unsentError(request, new Error('the client is closed'));
    const { method, signal } = request;
    const rules = { method, signal, retries: request.retries ?? retries, clock };
    const call = retryCall(() => around(() => http.send(request)), rules);
    inProgress.add(call);
    try {
      return await call;
    } finally {
      inProgress.delete(call);
    }
  }

  /** May be called again. */
  function close(): Promise<void> {
    closed ??= Promise.allSettled(inProgress).then(() => http.close());
    return closed;
  }
}
