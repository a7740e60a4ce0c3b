import type { Logger } from 'pino';
import type { App } from '../../app/app.ts';
import type { Environment } from '../../app/environment.ts';
import { toCodedError } from '../../core/errors.ts';
import type { Finding } from '../../doctor/findings/finding.ts';
import type { Ledger } from '../../ledger/ledger.ts';

export interface ExaminationOptions {
  environment: Environment;
  log: Logger;
  /** Ends the examination in progress. */
  signal?: AbortSignal;
}

/** The last examination by `doctor`. */
export interface ExaminationView {
  state: 'never' | 'running' | 'done';
  startedAt?: string;
  finishedAt?: string;
  findings: Array<Omit<Finding, 'code'> & { code?: string }>;
}

export type QueueView = Awaited<ReturnType<ReturnType<typeof createQueueView>['queue']>>;

/** Runs the checks of `doctor` in the background, one examination at a time, and keeps the findings of the last one. */
export function createExaminations(options: ExaminationOptions) {
  const { environment, log, signal = new AbortController().signal } = options;
  let last: ExaminationView = { state: 'never', findings: [] };
  return { examination: () => last, examine: start };

  function start(): void {
    if (last.state === 'running' || signal.aborted) return;
    last = { state: 'running', startedAt: new Date().toISOString(), findings: [] };
    void run();
  }

  async function run(): Promise<void> {
    try {
      // The checks are loaded only here, because they are rarely used.
      const { examine } = await import('../../doctor/examine.ts');
      // Each finding is stored at once, so that people see it before the examination ends.
      for await (const finding of examine({ environment, log, signal })) {
        last = { ...last, findings: [...last.findings, finding] };
      }
    } catch (error) {
      const { code, message, remedy } = toCodedError(error);
      last = { ...last, findings: [...last.findings, { check: 'doctor', is: 'problem', message, code, remedy }] };
      log.error({ err: error }, 'An examination ended with an error.');
    }
    last = { ...last, state: 'done', finishedAt: new Date().toISOString() };
  }
}

/** Creates the query for the jobs that wait, the jobs that failed, and the processes that deliver. */
export function createQueueView(app: () => App) {
  return { queue };

  async function queue() {
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
