// A sandbox that reports what it sees of its clients: observed-sandbox.ts <latency in ms>, started by sandbox-process.ts.
import diagnostics from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { startSandbox } from '../src/sandbox/server.ts';

/** What arrived since the last time it was asked for. */
export interface Traffic {
  /** All requests to the API. */
  requests: number;
  /** Those that write. */
  writes: number;
  /** From the arrival of the first write until the last answer to one. */
  writeSeconds: number;
}

const latencyMs = Number(process.argv[2]);
const sandbox = await startSandbox({
  memory: true,
  faults: { faults: latencyMs > 0 ? [{ kind: 'latency', ms: latencyMs }] : [] },
});

let [requests, writes, firstWriteAt, lastAnswerAt] = [0, 0, 0, 0];
diagnostics.subscribe('http.server.request.start', (message) => {
  requests += 1;
  if (!isWrite(message)) return;
  if (writes === 0) firstWriteAt = performance.now();
  writes += 1;
});
diagnostics.subscribe('http.server.response.finish', (message) => {
  if (isWrite(message)) lastAnswerAt = performance.now();
});

process.on('message', () => {
  const traffic: Traffic = { requests, writes, writeSeconds: Math.max(0, lastAnswerAt - firstWriteAt) / 1000 };
  [requests, writes, firstWriteAt, lastAnswerAt] = [0, 0, 0, 0];
  process.send?.(traffic);
});
process.once('disconnect', () => void sandbox.close());
process.send?.({ url: sandbox.url, token: sandbox.token });

function isWrite(message: unknown): boolean {
  return (message as { request: IncomingMessage }).request.method !== 'GET';
}
