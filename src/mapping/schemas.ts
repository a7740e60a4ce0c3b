import { z } from 'zod';
import { standardAttributes } from '../core/attributes.ts';
import { CodedError } from '../core/errors.ts';
import type { Payload, Resource } from '../core/record.ts';

const date = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
const time = z.string().regex(/^\d{2}:\d{2}:\d{2}$/);
const flag = z.boolean().nullable();

/** The body of a create for an event (API: "Event"); custom attributes take any JSON. */
const eventSchema = z
  .object({
    title: z.string().min(1),
    isFeatured: flag.optional(),
    description: z.string().optional(),
    date,
    endDate: date,
    isMultiDay: flag,
    spansMultipleDays: flag,
    showOnAllDates: flag.optional(),
    time: z.strictObject({ start: time, end: time, type: z.string().min(1) }),
    repeats: flag.optional(),
  })
  .catchall(z.unknown());

/** The body of a create for an account (API: "Account"): every standard attribute is text. */
const accountSchema = z
  .object(Object.fromEntries(Object.keys(standardAttributes.accounts).map((name) => [name, z.string().optional()])))
  .catchall(z.unknown());

const schemas: Record<Resource, z.ZodType> = { events: eventSchema, accounts: accountSchema };

/**
 * Checks a finished payload against the description of the API.
 * @throws CodedError FF_RECORD_VALUE that names the first attribute that does not fit
 */
export function checkPayload(resource: Resource, payload: Payload): void {
  const issue = schemas[resource].safeParse(payload).error?.issues[0];
  if (!issue) return;
  throw new CodedError('FF_RECORD_VALUE', `${issue.path.join('.')}: not valid in the CMS (${issue.message})`);
}
