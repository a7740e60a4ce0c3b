import { z } from 'zod';
import { standardAttributes } from '../core/attributes.ts';
import { CodedError } from '../core/errors.ts';
import type { Payload, Resource } from '../core/record.ts';
import { showValue } from './text.ts';

const date = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
const time = z.string().regex(/^\d{2}:\d{2}:\d{2}$/);
const flag = z.boolean().nullable();
/** As browsers check it, with letters of any language. */
const email = z
  .string()
  .overwrite((text) => text.replace(/[\p{L}\p{M}]/gu, 'x'))
  .regex(z.regexes.html5Email);
/** Also without its scheme, as people write it. */
const website = z.union([
  z.url({ protocol: z.regexes.httpProtocol }),
  z
    .string()
    .overwrite((text) => `https://${text}`)
    .check(z.httpUrl()),
]);
/** The API does not list its words. Numbers and truth values are codes of a source. */
const word = z.string().regex(/^(?!(true|false)$).*\p{L}/isu);

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
    time: z.strictObject({ start: time, end: time, type: textIn(word, 'a type of time, such as timed') }),
    repeats: flag.optional(),
  })
  .catchall(z.unknown());

/** The body of a create for an account (API: "Account"): every standard attribute is text. */
const accountSchema = z
  .object({
    ...Object.fromEntries(Object.keys(standardAttributes.accounts).map((name) => [name, z.string().optional()])),
    email: textIn(email, 'an e-mail address').optional(),
    website: textIn(website, 'a web address').optional(),
    gender: textIn(word, 'a word such as unknown or male').optional(),
  })
  .catchall(z.unknown());

const schemas: Record<Resource, z.ZodType> = { events: eventSchema, accounts: accountSchema };

/**
 * Checks a finished payload against the description of the API.
 * @throws CodedError FF_RECORD_VALUE that names the first attribute that does not fit, and its value
 */
export function checkPayload(resource: Resource, payload: Payload): void {
  const issue = schemas[resource].safeParse(payload, { reportInput: true }).error?.issues[0];
  if (!issue) return;
  const reason = issue.code === 'custom' ? issue.message : `is not valid in the CMS (${issue.message})`;
  throw new CodedError('FF_RECORD_VALUE', `${issue.path.join('.')}: ${showValue(issue.input)} ${reason}`);
}

/** Text in a format, or empty: that clears the attribute. */
function textIn(format: z.ZodType, name: string) {
  return z.string().refine((text) => text.trim() === '' || format.safeParse(text.trim()).success, `is not ${name}`);
}
