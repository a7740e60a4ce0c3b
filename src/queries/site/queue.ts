import type { App } from '../../app/app.ts';
import type { QueueView } from '../views/machine.ts';

/** Creates the query for the jobs that wait, the jobs that failed, and the processes that deliver. */
export function createQueueView(app: () => App) {
  return { queue };

  async function queue(): Promise<QueueView> {
    const { queue: deliveries, ledger } = app();
    const { oldestAt, failures, workers, ...depth } = await deliveries.state();
    // Without Redis, the process that leads a run delivers its records.
    const processes = workers ?? (await ledger.runs.leaders());
    return {
      engine: deliveries.engine,
      ...depth,
      ...(oldestAt !== undefined && { oldestMs: Math.max(0, Date.now() - oldestAt) }),
      failures: failures.map(({ abandonedAt, ...failure }) => {
        return { ...failure, ...(abandonedAt !== undefined && { abandonedAt: new Date(abandonedAt).toISOString() }) };
      }),
      workers: processes.map(({ name, since }) => {
        return { name, ...(since !== undefined && { since: new Date(since).toISOString() }) };
      }),
    };
  }
}
