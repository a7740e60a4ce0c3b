import { z } from 'zod';
import { kindOf, readOnlyAttributes } from '../../core/attributes.ts';
import { alerts } from './alerts-schema.ts';
import { boolean, days, duration, number, text, timezone } from './scalars.ts';

const DAY_MS = 86_400_000;

const keptFor = (usual: number, description: string) =>
  days.default(usual).meta({ description, absent: `\`${usual}d\`` });

/** The keys of `retention`. */
export const retentionKeys = z.strictObject({
  runs: keptFor(90, 'runs and plans; the newest 20 of each sync are kept, and those running or waiting'),
  rejects: keptFor(14, 'rejected records of the last 50 runs of a sync at most; those of the last run are always kept'),
  beforeImages: keptFor(30, 'previous versions of changed records, for `undo`; `0d` keeps none'),
  files: keptFor(180, 'which files were uploaded, after the last source that has them dropped them'),
});

/** How long the ledger keeps data that it does not need for delivery. */
const retention = retentionKeys.prefault({}).transform(({ runs, rejects, beforeImages, files }) => ({
  runsMs: runs * DAY_MS,
  rejectsMs: rejects * DAY_MS,
  beforeImagesMs: beforeImages * DAY_MS,
  filesMs: files * DAY_MS,
}));

const MOST_IN_FLIGHT = 8;
const inFlight = z.number().int().min(1).max(1000);
const concurrency = z.union([z.literal('auto'), number(inFlight)]);
const itemLink = text.refine(
  (address) => isWebAddress(address.replaceAll('{id}', '1')) && address.includes('{id}'),
  'must be an http:// or https:// address with {id}, such as https://www.example.edu/edit/{id}',
);

/** Name of a header (RFC 9110, 5.1). */
const headerName = text.regex(/^[\w!#$%&'*+.^`|~-]+$/, 'must be the name of a header, such as admin_api_key');

/** The keys of `target`. */
export const targetKeys = z.strictObject({
  baseUrl: z.string().transform(toBaseUrl).describe('http(s) address of the site, without `/api/v1`; a path is kept'),
  movedFrom: z
    .string()
    .transform(toBaseUrl)
    .optional()
    .meta({ description: 'the previous `baseUrl` of the same site, after it has moved', absent: 'none' }),
  token: text.regex(/^[\x21-\x7e]+$/, 'must be a token: printable characters without spaces').describe('API token'),
  auth: z
    .union([z.literal('bearer'), z.strictObject({ header: headerName })], {
      error: 'must be bearer, or { header: NAME } with the name of the header',
    })
    .optional()
    .meta({
      description:
        'how the token is sent: `bearer`, or alone in a header, such as `{ header: admin_api_key }`, as some releases of the CMS require',
      absent: '`bearer`',
    }),
  timezone: timezone.describe("the site's zone: dates and times in the CMS are wall time there"),
  externalId: text
    .refine((name) => !isStandard(name), 'must be a custom attribute, not a standard one')
    .optional()
    .describe('layout key of a custom attribute for sync and key'),
  attributes: z
    .strictObject({ events: z.array(text).optional(), accounts: z.array(text).optional() })
    .optional()
    .meta({
      description:
        'layout keys of the custom attributes that the site has, such as `{ events: [location, price] }`: `init` and drafts know them even if no item has a value',
      absent: 'those of the newest and oldest items',
    }),
  altText: z.enum(['attribute', 'none']).optional().meta({
    description:
      'how alternative texts of pictures are sent: in the `attribute`, as `{ src, alt }`, or not at all (`none`)',
    absent: '`attribute`',
  }),
  concurrency: concurrency.default('auto').meta({
    description: 'requests in flight: a number, or `auto` to find out what the CMS takes',
  }),
  maxConcurrency: number(inFlight).optional().meta({ description: 'the most that `auto` tries', absent: '`8`' }),
  requestsPerSecond: number(z.number().positive())
    .optional()
    .meta({ description: 'over all workers', absent: 'no limit' }),
  maxAttempts: number(z.number().int().min(1).max(100))
    .default(5)
    .describe('attempts before a record counts as failed'),
  backoff: duration.default(2000).meta({ description: 'pause before the next attempt; it doubles …', absent: '`2s`' }),
  maxBackoff: duration.default(300_000).meta({ description: '… up to this', absent: '`5m`' }),
  timeout: duration.default(30_000).meta({ description: 'for one request', absent: '`30s`' }),
  lookupAfter: duration.optional().meta({
    description:
      'how long a create without a response may still be in progress: it is not searched for earlier. Lists that lack its item are believed after three times as long. Shorter than `timeout` only for a CMS that is known to be faster',
    absent: '`timeout`',
  }),
  itemLinks: z.strictObject({ events: itemLink.optional(), accounts: itemLink.optional() }).optional().meta({
    description: 'where people see an item in the CMS, for links of the console: addresses with `{id}` for its id',
    absent: 'no links',
  }),
  onlyLocal: boolean.optional().meta({
    description: 'refuses a `baseUrl` that is not this machine, for syncs that no site may get, such as the examples',
    absent: '`false`',
  }),
  allowHttp: boolean.default(false).describe('allows `http://` to another machine, which sends the token unencrypted'),
});

const target = targetKeys.transform((keys, context) => {
  const { concurrency: fixed, maxConcurrency, backoff, maxBackoff, timeout, lookupAfter, ...rest } = keys;
  if (fixed !== 'auto' && maxConcurrency !== undefined) {
    context.addIssue({
      code: 'custom',
      path: ['maxConcurrency'],
      message: 'must not be set unless `concurrency` is auto',
    });
  }
  return {
    ...rest,
    /** Limit for requests in flight. */
    concurrency: fixed === 'auto' ? (maxConcurrency ?? MOST_IN_FLIGHT) : fixed,
    /** Whether fewer requests are in flight if the CMS cannot handle as many. */
    adaptsConcurrency: fixed === 'auto',
    backoffMs: backoff,
    maxBackoffMs: Math.max(backoff, maxBackoff),
    timeoutMs: timeout,
    lookupAfterMs: lookupAfter ?? timeout,
  };
});

/** feedferry.yaml: the CMS and its limits, alerts, and how long data is kept. */
export const targetFile = z.strictObject({
  target,
  alerts: alerts.optional().describe('who gets which alerts'),
  retention: retention.describe('how long the ledger keeps what it does not need for delivery'),
});

/** Removes trailing slashes from an http(s) URL, to which the paths of the API are appended. */
function toBaseUrl(value: string, context: z.RefinementCtx): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    const [host] = /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,10}$/.exec(value) ?? [];
    context.addIssue(`must be an http:// or https:// address${host ? `; write https://${host}` : ''}`);
  } else if (/\/api\/v1\/*$/.test(url.pathname)) {
    context.addIssue('must be the address of the site; remove /api/v1 from target.baseUrl');
  } else if (url.username || url.password || url.search || url.hash) {
    context.addIssue('must be an address without user name, password, query or fragment');
  }
  return value.replace(/\/+$/, '');
}

function isWebAddress(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

function isStandard(name: string): boolean {
  return (['events', 'accounts'] as const).some(
    (resource) => kindOf(resource, name) !== 'json' || readOnlyAttributes[resource].includes(name),
  );
}
