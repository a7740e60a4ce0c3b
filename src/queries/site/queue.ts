import type { App } from '../../app/app.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { QueueView } from '../views/machine.ts';

/** Creates the query for the jobs that wait, the jobs that failed, and the processes that deliver. */
export function createQueueView(app: () => App) {
  return { queue };

  async function queue(): Promise<QueueView> {
    const { queue: deliveries, ledger } = app();
    const { oldestAt, failures, workers, ...depth } = await deliveries.state();
    const processes = workers ?? (await localWorkers(ledger));
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

/** Without Redis, the process that leads a run delivers its records: the scheduler, and those that lead a run now. */
async function localWorkers({ runs, schedulers }: Ledger): Promise<Array<{ name: string; since: number }>> {
  const [leaders, { processes }] = await Promise.all([runs.leaders(), schedulers.schedulers()]);
  return [...processes, ...leaders.filter(({ name }) => !processes.some((each) => each.name === name))];
}
