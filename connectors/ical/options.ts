import { z } from 'zod';

const forms = z.enum(['expand', 'first', 'span']);

/** The options of the iCal connector: keys of `source`. docs/ical.md describes them. */
export const icalOptions = z.strictObject({
  /** Publishes a series as one event per occurrence, one event on the first date, or one from the first to the last date. */
  recurrence: z
    .union([
      forms,
      z.strictObject({
        as: forms.default('expand'),
        /** Whether DTSTART is an occurrence if no rule has this date. */
        startOffRule: z.enum(['publish', 'leave']).default('publish'),
      }),
    ])
    .default('expand'),
  /** Limit for the occurrences of one series. */
  maxOccurrences: z.number().int().min(1).max(50_000).default(10_000),
  /** `html`: the HTML of X-ALT-DESC or STYLED-DESCRIPTION, if the event has it, instead of DESCRIPTION. */
  description: z.enum(['text', 'html']).default('text'),
  /** Classes (CLASS) that are published besides public events. */
  publish: z.array(z.enum(['private', 'confidential'])).default([]),
});

export type IcalOptions = z.infer<typeof icalOptions>;

/** The key `recurrence` in its long form. */
export function recurrenceOptions({ recurrence }: Pick<IcalOptions, 'recurrence'>) {
  return typeof recurrence === 'string' ? ({ as: recurrence, startOffRule: 'publish' } as const) : recurrence;
}
