import { z } from 'zod';

const forms = z.enum(['expand', 'first', 'span']);

/** The options of the iCal connector: keys of `source`. docs/ical.md describes them. */
export const icalOptions = z.strictObject({
  /** A series as one event for each occurrence, as one event on its first date, or as one from its first to its last date. */
  recurrence: z
    .union([
      forms,
      z.strictObject({
        as: forms.default('expand'),
        /** Whether DTSTART is an occurrence if the rules do not have it. */
        startOffRule: z.enum(['publish', 'leave']).default('publish'),
      }),
    ])
    .default('expand'),
  /** Most occurrences of one series. */
  maxOccurrences: z.number().int().min(1).max(50_000).default(10_000),
  /** `html`: the HTML of X-ALT-DESC or STYLED-DESCRIPTION instead of DESCRIPTION, if there is any. */
  description: z.enum(['text', 'html']).default('text'),
  /** What is published besides public events (CLASS). */
  publish: z.array(z.enum(['private', 'confidential'])).default([]),
});

export type IcalOptions = z.infer<typeof icalOptions>;

/** The key `recurrence` in its long form. */
export function recurrenceOptions({ recurrence }: Pick<IcalOptions, 'recurrence'>) {
  return typeof recurrence === 'string' ? ({ as: recurrence, startOffRule: 'publish' } as const) : recurrence;
}
