import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { signNames } from '../../core/completeness.ts';
import { nearest } from '../../core/suggest.ts';
import { authSchema } from './auth-schema.ts';
import { condition } from './condition-schema.ts';
import { boolean, duration, number, plainValue, succeeds, text, timezone } from './scalars.ts';

const headerValue = z.string().regex(/^[^\r\n\0]*$/, 'must be a header value on one line');

/** Body of a request; a mapping or list is sent as JSON. */
const requestBody = z
  .union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())])
  .transform((body) => (typeof body === 'string' ? body : JSON.stringify(body)));

/** Formats by the names that other programs use. */
const formats = new Map([
  ['ics', 'ical'],
  ['icalendar', 'ical'],
  ['json-ld', 'jsonld'],
  ['json-feed', 'jsonfeed'],
  ['atom', 'rss'],
]);
const spreadsheet = /^(excel|xlsx?|ods|spreadsheet)$/i;

function connectorHint(given: string, kinds: readonly string[]): string | undefined {
  const meant = spreadsheet.test(given) ? 'csv' : (formats.get(given.toLowerCase()) ?? nearest(given, kinds));
  if (meant === undefined) return undefined;
  const how = spreadsheet.test(given) ? ', which reads .xlsx, too' : '';
  return `must be one of ${kinds.join(', ')}; write connector: ${meant}${how}`;
}

/** The keys of `source` that all connectors share. */
export const sourceKeys = (kinds: readonly string[], folder: string) =>
  z.strictObject({
    connector: z
      .enum(kinds as [string, ...string[]], { error: ({ input }) => connectorHint(String(input), kinds) })
      .describe(`the format of the feed: ${kinds.map((kind) => `\`${kind}\``).join(', ')}`),
    url: text
      .transform(toLocation(folder))
      .describe(
        'a path, a pattern of paths (`feeds/*.csv`, `feeds/**/*.ics`), an `http(s)://`, `webcal://` or `file://` address, or `-` for standard input',
      ),
    timezone: timezone
      .optional()
      .meta({ description: 'for times in the feed that name no zone', absent: "the site's" }),
    encoding: z
      .string()
      .refine((label) => succeeds(() => new TextDecoder(label)), 'must be a charset, such as utf-8 or windows-1252')
      .optional()
      .meta({ description: 'charset of the feed', absent: 'detected' }),
    member: text
      .optional()
      .meta({ description: 'which file of a ZIP archive to read: `data/events.csv`', absent: 'the only file' }),
    sheet: z.union([text, z.int().positive()]).optional().meta({
      description: 'which sheet of a spreadsheet to read: its name, or its number from 1',
      absent: 'the first that is not hidden',
    }),
    auth: authSchema(folder)
      .optional()
      .describe(
        '`{ bearer: "${FEED_TOKEN}" }`, `{ user: me, password: "${FEED_PASSWORD}" }`, or a [log-in](#log-ins) that renews its tokens',
      ),
    cookies: boolean.optional().meta({
      description: 'keeps the cookies of the host of `url` while the feed is read',
      absent: '`false`',
    }),
    headers: z.record(z.string(), headerValue).optional().describe('HTTP headers: `{ X-Api-Key: "${FEED_KEY}" }`'),
    query: z
      .record(z.string(), plainValue.transform(String))
      .optional()
      .describe('query parameters, added to those of the address: `{ per_page: 100 }`'),
    method: z
      .enum(['GET', 'POST'])
      .optional()
      .meta({ description: '`GET` or `POST`', absent: '`POST` with a `body`, otherwise `GET`' }),
    body: requestBody.optional().describe('body of the request: a text, or a mapping or list that is sent as JSON'),
    timeout: duration.optional().meta({
      description:
        'the longest wait for the connection, for the response, and between two parts of it; the whole response may take five times as long',
      absent: '`60s`',
    }),
    retries: number(z.number().int().min(0).max(10)).optional().meta({
      description:
        'further attempts after no connection, no response in time, or status 408, 425, 429, 500, 502, 503 or 504; a `Retry-After` up to 30 s is respected',
      absent: '`3`',
    }),
    maxBytes: number(z.number().int().positive()).optional().meta({
      description: 'the largest feed, with all its pages and files, as received and as unpacked',
      absent: '`500000000`',
    }),
    maxRatio: number(z.number().min(1)).optional().meta({
      description: 'the largest ratio of unpacked to compressed size, for feeds of more than 10 MB',
      absent: '`200`',
    }),
    deleted: condition.optional().meta({
      description:
        'which records the source has deleted, as for `when`: `{ field: status, is: [withdrawn, left] }` ([incremental.md](incremental.md))',
      absent: 'none',
    }),
    partial: boolean.optional().meta({
      description:
        'whether the feed has only what has changed: then no record counts as missing ([incremental.md](incremental.md))',
      absent: '`false`',
    }),
    ignoreSigns: z.array(z.enum(signNames)).optional().meta({
      description:
        'signs of an incomplete feed that do not count ([missing.md](missing.md#signs-of-an-incomplete-feed))',
      absent: 'none',
    }),
    allowPrivateNetwork: boolean.optional().meta({
      description: 'allows addresses in private networks, for the feed and its attachments',
      absent: '`false`',
    }),
  });

/** `source` without the connector's own options, which its schema checks. */
export const sourceFile = (kinds: readonly string[], folder: string) =>
  sourceKeys(kinds, folder).transform(
    ({ connector, url, timezone, timeout, ignoreSigns, deleted, partial, ...feed }) => ({
      connector,
      url,
      ...(timezone !== undefined && { timezone }),
      ...(ignoreSigns !== undefined && { ignoreSigns }),
      ...(deleted !== undefined && { deleted }),
      ...(partial !== undefined && { partial }),
      feed: {
        ...feed,
        ...(timeout !== undefined && { timeoutMs: timeout }),
        ...(feed.body !== undefined && !feed.method && { method: 'POST' as const }),
      },
    }),
  );

/** Resolves a path against the folder of the sync file; URLs and `-` stay as they are. */
function toLocation(folder: string) {
  return (url: string, context: z.RefinementCtx): string => {
    const [, scheme] = /^([a-z][a-z0-9+.-]+):\/\//i.exec(url) ?? [];
    if (url === '-') return url;
    if (scheme === undefined) return resolve(folder, url);
    if (!['http', 'https', 'webcal', 'file'].includes(scheme.toLowerCase())) {
      context.addIssue('must be a path, or an http://, https://, webcal:// or file:// address');
    } else if (!URL.canParse(url) || (/^file:/i.test(url) && !succeeds(() => fileURLToPath(url)))) {
      context.addIssue('must be a valid address');
    }
    return url;
  };
}
