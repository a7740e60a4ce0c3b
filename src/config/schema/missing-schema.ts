import { z } from 'zod';
import { duration, number, plainValue } from './scalars.ts';

/** Default limit up to which removals need no approval. */
const DEFAULT_THRESHOLD = { percent: 25, absolute: 100 };

/** Default of `after`. Deletes wait for a second run, because they lose the item's id, and a feed is rarely cut off twice. */
const DEFAULT_AFTER = { keep: { runs: 1 }, delete: { runs: 2 }, set: { runs: 1 } };

/** A number of runs, such as `3 runs`, or a duration. */
const after = z.string().transform((value, context): { runs: number } | { ms: number } => {
  const [, runs] = /^([1-9]\d{0,3}) runs?$/.exec(value) ?? [];
  if (runs !== undefined) return { runs: Number(runs) };
  const { data: ms } = duration.safeParse(value);
  if (ms !== undefined) return { ms };
  context.addIssue('must be a number of runs or a duration up to 24d, such as 3 runs, 12h or 2d');
  return z.NEVER;
});

const threshold = z
  .strictObject({
    percent: number(z.number().min(0).max(100)).optional(),
    absolute: number(z.int().min(0)).optional(),
  })
  .refine(
    ({ percent, absolute }) => percent !== undefined || absolute !== undefined,
    'needs percent, absolute or both',
  );

/** The keys of `missing`. */
export const missingPolicySchema = z.strictObject({
  policy: z.enum(['keep', 'delete', 'set']).describe('`keep` them, `delete` them, or `set` attributes on them'),
  set: z
    .record(z.string(), plainValue.nullable())
    .optional()
    .describe('with `policy: set`: attribute → value, such as `{ isCancelled: true }`'),
  after: after.optional().meta({
    description: 'how long a record must be missing first: `3 runs`, `2d`',
    absent: '`2 runs` to delete, `1 run` to set',
  }),
  threshold: threshold.optional().meta({
    description: 'a run that would delete or mark more than `{ percent, absolute }` is held for approval',
    absent: '`{ percent: 25, absolute: 100 }`',
  }),
  pastEvents: z
    .enum(['keep', 'include'])
    .default('keep')
    .describe('`keep` past events that the feed drops, or `include` them'),
});

/** What happens to records that are missing from the feed. */
export const missing = missingPolicySchema.transform((value, context) => {
  const {
    policy,
    set,
    after: waits = DEFAULT_AFTER[value.policy],
    threshold: brake = DEFAULT_THRESHOLD,
    pastEvents,
  } = value;
  const named = Object.keys(set ?? {}).length;
  if (policy === 'set' && named === 0) context.addIssue('needs set, for example set: { isCancelled: true }');
  if (policy !== 'set' && set !== undefined) context.addIssue('has set, which is only allowed with policy: set');
  if (policy === 'keep') return { policy };
  const rule = { after: waits, threshold: brake, includePast: pastEvents === 'include' };
  return policy === 'set' ? { policy, set: set ?? {}, ...rule } : { policy, ...rule };
});
