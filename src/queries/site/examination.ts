import type { Logger } from 'pino';
import type { Environment } from '../../app/environment.ts';
import { toCodedError } from '../../core/errors.ts';
import type { ExaminationView } from '../views/machine.ts';

export interface ExaminationOptions {
  environment: Environment;
  log: Logger;
  /** Ends the examination in progress. */
  signal?: AbortSignal;
}

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
