import { z } from 'zod';
import { isTimeZone } from '../core/dates/time-zone.ts';
import { CodedError } from '../core/errors.ts';

/** One of several texts, by default the first. */
const oneOf = <const Texts extends readonly [string, ...string[]]>(texts: Texts, description: string) =>
  z.enum(texts).default(texts[0]).describe(description);

/** What the examples, the docs and the syncs that `feedferry init` proposes write. */
const usualAttributes = [
  ...['source_key', 'location', 'category', 'price', 'organizer', 'contact', 'link', 'image', 'brochure'],
];

/**
 * Behaviours that the API description leaves open; docs/sandbox.md describes each. The defaults are the behaviour of most
 * sites. The descriptions are also the command line's help.
 */
export const switchesSchema = z.strictObject({
  lastPage: oneOf(
    ['omit', 'empty', 'error'],
    'the end of a list: no next link, a next link to an empty page, or 404 after the last page',
  ),
  links: oneOf(['filters', 'bare'], 'next and previous links repeat the filters, or have only page and limit'),
  maxLimit: z.int().min(1).max(100_000).default(100).describe('largest page'),
  overLimit: z
    .literal(['reduced', 400, 422])
    .default('reduced')
    .describe('a limit above maxLimit is reduced to it, or refused with this status'),
  attributesFilter: oneOf(['on', 'ignored'], 'whether the query parameter attributes works'),
  search: oneOf(['on', 'ignored'], 'whether the query parameter search works'),
  dateFilter: oneOf(['overlaps', 'starts'], 'an event counts on each of its days, or on its first day only'),
  cleared: oneOf(['empty', 'null', 'omit'], 'how an attribute without a value is returned: "", null or not at all'),
  patchTime: oneOf(['merge', 'replace'], 'PATCH of time keeps the parts not sent, or clears them'),
  patchUnsent: oneOf(['keeps', 'clears'], 'PATCH keeps the attributes not sent, or clears them as a PUT does'),
  attributes: z
    .array(z.string().min(1))
    .default(usualAttributes)
    .describe(
      `custom attributes that the site has, or any; others are ignored in writes (default: ${usualAttributes})`,
    ),
  altText: oneOf(
    ['taken', 'ignored', 'refused'],
    'an image with alternative text (`{ src, alt }`) keeps it, loses it, or is refused with a 422',
  ),
  answers: oneOf(['whole', 'id'], 'responses to POST, PUT and PATCH have the whole item, or only its id'),
  putStrictness: oneOf(
    ['clears', 'requires'],
    'PUT without a required attribute clears it, or is refused with a 422, as a create is',
  ),
  numbersAsStrings: z.boolean().default(false).describe('return ids and counts as strings, as some gateways do'),
  uploadTypes: z
    .array(z.string().regex(/^(any|[\w.+-]+\/[\w.+-]+)$/, 'must be a media type, or any'))
    .default(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf'])
    .describe('media types that may be uploaded, by their content, or any (default: PNG, JPEG, GIF, WebP, PDF)'),
  uploadStatus: z.literal([200, 201]).default(201).describe('status of an upload'),
  missingHeader: z
    .literal([400, 403, 406])
    .default(400)
    .describe('status if the Accept or User-Agent header is missing or wrong'),
  instances: z
    .array(z.string().min(1))
    .default([])
    .describe('instance keys of the calendar app (default: any key has its own instance)'),
  uniqueAccounts: z
    .array(z.enum(['username', 'email']))
    .default([])
    .describe('account attributes that must be unique; a duplicate gets a 422'),
  maxBodyBytes: z.int().min(1024).default(1_048_576).describe('largest JSON body, in bytes'),
  maxUploadBytes: z.int().min(1024).default(10_485_760).describe('largest uploaded file, in bytes'),
});

/** Where the sandbox listens, and the site's zone. */
export const placeSchema = z.object({
  port: z.int().min(0).max(65_535).default(0).describe('port to listen on; 0: any free port'),
  host: z.string().min(1).default('127.0.0.1').describe('address to listen on'),
  timezone: z
    .string()
    .refine(isTimeZone, 'is not an IANA time zone')
    .default('UTC')
    .describe('the site’s zone for isToday and isPastEvent'),
});

const optionsSchema = placeSchema.extend({
  token: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'is empty or has characters that a header cannot carry')
    .optional(),
  dataDir: z.string().min(1).optional(),
  memory: z.boolean().optional(),
  switches: switchesSchema.prefault({}),
});

/** The behaviours in force, all set. */
export type SandboxSwitches = z.output<typeof switchesSchema>;

/** Options of a sandbox. All are optional: by default, it keeps its data in memory and listens on a free loopback port. */
export interface SandboxOptions extends z.input<typeof optionsSchema> {
  /** The present in epoch ms, for `isToday` and `isPastEvent`; default: the clock. */
  now?: () => number;
  /** Called with errors that a client only sees as a bare 500. */
  onError?: (error: unknown) => void;
}

/** A running sandbox. */
export interface Sandbox extends AsyncDisposable {
  /** Base URL, without /api/v1 and without a slash at its end. */
  readonly url: string;
  /** The API token. */
  readonly token: string;
  /** Number of requests under /api/v1 that have changed something since the start. */
  writes(): number;
  /** Ends all connections, then closes the store. */
  close(): Promise<void>;
}

/**
 * Options with their defaults.
 * @throws CodedError FF_SANDBOX_PORT for a port out of range, FF_USAGE for anything else that does not fit.
 */
export function parseOptions(options: SandboxOptions): z.output<typeof optionsSchema> {
  const parsed = optionsSchema.safeParse(options);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const place = issue?.path.join('.') ?? '';
  const code = place === 'port' ? 'FF_SANDBOX_PORT' : 'FF_USAGE';
  throw new CodedError(code, `Sandbox option ${place}: ${issue?.message ?? 'is not valid'}.`);
}
