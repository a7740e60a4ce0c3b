import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { createMetrics } from '../../../src/dashboard/metrics.ts';
import { type DashboardOptions, startDashboard } from '../../../src/dashboard/server.ts';

/** Serves on a free port until the test has finished; answers the address. */
export async function serve(options: Partial<DashboardOptions> = {}): Promise<string> {
  const dashboard = await startDashboard({
    port: 0,
    host: '127.0.0.1',
    log: pino({ level: 'silent' }),
    isReady: async () => {},
    metrics: createMetrics('1.2.3'),
    ...options,
  });
  onTestFinished(dashboard.close);
  return dashboard.url;
}
