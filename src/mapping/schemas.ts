import { z } from 'zod';
import { byKind, type CmsKind } from '../core/attributes.ts';
import { CodedError } from '../core/errors.ts';
import type { Payload, Resource } from '../core/record.ts';
import { showValue } from './text.ts';

const date = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
const time = z.string().regex(/^\d{2}:\d{2}:\d{2}$/);
const flag = z.boolean().nullable();
const webAddress = z.url({ protocol: z.regexes.httpProtocol });
const hostAddress = z.httpUrl();
/** A word for a gender. The API does not list the words. Numbers and truth values are codes of a source. */
const word = /^(?!(true|false)$).*\p{L}/isu;

/** What an attribute of each kind takes in a create, unless a resource says more. */
const optional = {
  string: z.string().optional(),
  html: z.string().optional(),
  boolean: flag.optional(),
  date: date.nullish(),
  time: time.nullish(),
  json: z.unknown(),
} satisfies Record<CmsKind, z.ZodType>;

/** The body of a create for an event (API: "Event"); custom attributes take any JSON. */
const eventSchema = z
  .object({
    ...byKind('events', optional),
    title: z.string().min(1),
    date,
    endDate: date,
    isMultiDay: flag,
    spansMultipleDays: flag,
    time: z.strictObject({ start: time, end: time, type: textIn(isWord, 'a type of time, such as timed') }),
  })
  .catchall(z.unknown());

/** The body of a create for an account (API: "Account"). */
const accountSchema = z
  .object({
    ...byKind('accounts', optional),
    email: textIn(isEmail, 'an e-mail address').optional(),
    website: textIn(isWebsite, 'a web address').optional(),
    gender: textIn(isWord, 'a word such as unknown or male').optional(),
  })
  .catchall(z.unknown());

const schemas: Record<Resource, z.ZodType> = { events: eventSchema, accounts: accountSchema };

/**
 * Checks a finished payload against the description of the API.
 * @throws CodedError FF_RECORD_VALUE with the first attribute that does not fit, and its value
 */
export function checkPayload(resource: Resource, payload: Payload): void {
  const issue = schemas[resource].safeParse(payload, { reportInput: true }).error?.issues[0];
  if (!issue) return;
  const reason = issue.code === 'custom' ? issue.message : `is not valid in the CMS (${issue.message})`;
  throw new CodedError('FF_RECORD_VALUE', `${issue.path.join('.')}: ${showValue(issue.input)} ${reason}`);
}

/** Text in a format, or an empty text, which clears the attribute. */
function textIn(isFormat: (text: string) => boolean, name: string) {
  return z.string().refine((text) => text.trim() === '' || isFormat(text.trim()), `is not ${name}`);
}

/** Checks an e-mail address as browsers do, but allows letters of any language. */
function isEmail(text: string): boolean {
  return z.regexes.html5Email.test(text) || z.regexes.html5Email.test(text.replace(/[\p{L}\p{M}]/gu, 'x'));
}

/** Checks a web address, which people also write without the scheme. */
function isWebsite(text: string): boolean {
  return webAddress.safeParse(text).success || hostAddress.safeParse(`https://${text}`).success;
}

function isWord(text: string): boolean {
  return word.test(text);
}
