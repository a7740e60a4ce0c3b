import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

const LATENCY_BUCKETS_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** One request to the CMS, as its client tells it. */
export interface RequestInfo {
  /** "events.create" */
  operation: string;
  /** Absent where no answer came. */
  status?: number;
  /** Code of the error that it ended with. */
  error?: string;
  durationMs: number;
}

/** What is counted in this process, and what is read where it is asked for. */
export interface Metrics {
  readonly registry: Registry;
  /** Counts a request to the CMS. */
  request(info: RequestInfo): void;
}

/** Metrics of this process: its requests to the CMS, memory, CPU time, event loop (docs/http.md lists all). */
export function createMetrics(version: string): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'feedferry_build_info',
    help: 'Always 1; its label tells the version.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version }, 1);
  const latency = new Histogram({
    name: 'feedferry_cms_request_duration_seconds',
    help: 'Time from sending a request to the CMS to its whole answer, of this process.',
    labelNames: ['operation', 'status'],
    buckets: LATENCY_BUCKETS_SECONDS,
    registers: [registry],
  });
  return {
    registry,
    request: ({ operation, status, error, durationMs }) =>
      latency.observe({ operation, status: statusLabel(status, error) }, durationMs / 1000),
  };
}

/** @param read requests of this process that are in flight, at present */
export function addInFlight({ registry }: Metrics, read: () => number): void {
  const gauge: Gauge = new Gauge({
    name: 'feedferry_cms_requests_in_flight',
    help: 'Requests to the CMS that are in flight, of this process.',
    registers: [registry],
    collect: () => gauge.set(read()),
  });
}

/** `/metrics` in Prometheus' text format 0.0.4. */
export function metricsRoutes(server: FastifyInstance, { registry }: Metrics): void {
  server.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()));
}

/** What the CMS answers must not make ever new time series. */
function statusLabel(status: number | undefined, error: string | undefined): string {
  if (status === undefined) return error ?? 'none';
  return status >= 200 && status < 600 ? String(status) : 'other';
}
