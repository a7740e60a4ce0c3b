import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

const LATENCY_BUCKETS_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** One request to the CMS, as its client reports it. */
export interface RequestInfo {
  /** "events.create" */
  operation: string;
  /** Absent if there was no response. */
  status?: number;
  /** Code of the error, if it failed. */
  error?: string;
  durationMs: number;
}

export type Metrics = ReturnType<typeof createMetrics>;

/** Creates the metrics of this process: requests to the CMS, memory, CPU time, event loop (docs/http.md lists all). */
export function createMetrics(version: string) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'feedferry_build_info',
    help: 'Always 1; the label is the version.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version }, 1);
  const latency = new Histogram({
    name: 'feedferry_cms_request_duration_seconds',
    help: 'Time from sending a request to the CMS to the end of its response, in this process.',
    labelNames: ['operation', 'status'],
    buckets: LATENCY_BUCKETS_SECONDS,
    registers: [registry],
  });
  return {
    registry,
    /** Counts a request to the CMS. */
    request: ({ operation, status, error, durationMs }: RequestInfo) =>
      latency.observe({ operation, status: statusLabel(status, error) }, durationMs / 1000),
  };
}

/** @param read returns the number of requests of this process in flight */
export function addInFlight({ registry }: Metrics, read: () => number): void {
  const gauge: Gauge = new Gauge({
    name: 'feedferry_cms_requests_in_flight',
    help: 'Requests of this process to the CMS in flight.',
    registers: [registry],
    collect: () => gauge.set(read()),
  });
}

/** Serves `/metrics` in Prometheus' text format 0.0.4. */
export function metricsRoutes(server: FastifyInstance, { registry }: Metrics): void {
  server.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()));
}

/** Returns the label of a status. Unusual statuses have a common label, so that the CMS cannot create new time series. */
function statusLabel(status: number | undefined, error: string | undefined): string {
  if (status === undefined) return error ?? 'none';
  return status >= 200 && status < 600 ? String(status) : 'other';
}
