import { z } from 'zod';
import { instant, view } from './shared.ts';

/** The last examination by `doctor`. */
export const examinationView = view('Examination', {
  state: z.enum(['never', 'running', 'done']),
  startedAt: instant.optional(),
  finishedAt: instant.optional(),
  findings: z.array(
    z.object({
      check: z.string(),
      is: z.enum(['ok', 'warning', 'problem']),
      message: z.string(),
      code: z.string().optional(),
      follows: z.string().optional(),
      remedy: z.string().optional(),
    }),
  ),
});

export const queueView = view('Queue', {
  engine: z.enum(['in-process', 'bullmq']),
  waiting: z.number(),
  delayed: z.number(),
  active: z.number(),
  /** Age of the oldest waiting job. */
  oldestMs: z.number().optional(),
  /** Jobs whose handler threw. A job without `abandonedAt` is repeated. `job` is absent if another version created the job. */
  failures: z.array(
    z.object({
      job: z.object({ sync: z.string(), run: z.string(), records: z.number() }).optional(),
      tries: z.number(),
      reason: z.string(),
      abandonedAt: instant.optional(),
    }),
  ),
  workers: z.array(z.object({ name: z.string(), since: instant.optional() })),
});

export type ExaminationView = z.output<typeof examinationView>;
export type QueueView = z.output<typeof queueView>;
