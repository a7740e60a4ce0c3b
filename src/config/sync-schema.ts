import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { FieldRule, KeyRule, Schedule, Window } from '../core/config.ts';
import type { Resource } from '../core/record.ts';
import { readLookupFile } from './lookup-file.ts';
import { boolean, cron, days, duration, isoDate, number, text, timezone } from './scalars.ts';
import { templateMistake } from './template.ts';

const plainValue = z.union([z.string(), z.number(), z.boolean()]);

const normalization = z.enum(['trim', 'lower', 'nfc']);

/** The key of accounts is compared without regard to case: it is mostly an e-mail address. */
const defaultNormalization: Record<Resource, KeyRule['normalize']> = { events: ['trim'], accounts: ['trim', 'lower'] };

const window = z
  .strictObject({ past: days.optional(), future: days.optional(), from: isoDate.optional(), to: isoDate.optional() })
  .transform((value, context): Window => {
    const { past, future, from, to } = value;
    const relative = past !== undefined || future !== undefined;
    const fixed = from !== undefined || to !== undefined;
    if (relative === fixed) context.addIssue('needs either past and future, or from and to');
    if (from !== undefined && to !== undefined && from > to) context.addIssue('must have from before to');
    return relative ? { pastDays: past, futureDays: future } : { from, to };
  });

/** A cron schedule runs in the site's zone unless it names its own. */
const schedule = (siteTimezone: string) =>
  z
    .strictObject({ cron: cron.optional(), timezone: timezone.optional(), every: duration.optional() })
    .transform((value, context): Schedule => {
      if ((value.cron === undefined) === (value.every === undefined)) {
        context.addIssue('needs either cron or every');
      } else if (value.every !== undefined && value.timezone !== undefined) {
        context.addIssue('has a timezone, which only cron takes');
      }
      return value.cron === undefined
        ? { everyMs: value.every ?? 0 }
        : { cron: value.cron, timezone: value.timezone ?? siteTimezone };
    });

const fieldRule = (folder: string) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? { field: value } : value),
    z
      .strictObject(
        {
          field: text.optional(),
          value: z.union([plainValue, z.null()]).optional(),
          template: z.string().superRefine(checkTemplate).optional(),
          default: plainValue.optional(),
          lookup: z.preprocess(lookupFrom(folder), z.record(z.string(), plainValue)).optional(),
          html: z.enum(['sanitize', 'text', 'keep']).optional(),
        },
        { error: (issue) => (issue.code === 'invalid_type' ? constantHint(issue.input) : undefined) },
      )
      .superRefine((rule, context) => {
        const sources = [rule.field, rule.value, rule.template].filter((source) => source !== undefined);
        if (sources.length !== 1) context.addIssue('needs exactly one of field, value and template');
        if (rule.value !== undefined && (rule.lookup || rule.html || rule.default !== undefined)) {
          context.addIssue('is a constant, so default, lookup and html have no effect');
        }
      }) satisfies z.ZodType<FieldRule>,
  );

function checkTemplate(template: string, context: z.RefinementCtx): void {
  const mistake = templateMistake(template);
  if (mistake) context.addIssue(`is not a valid Liquid template (${mistake})`);
}

function lookupFrom(folder: string) {
  return (path: unknown, context: z.RefinementCtx): unknown => {
    if (typeof path !== 'string') return path;
    try {
      return readLookupFile(resolve(folder, path));
    } catch (error) {
      context.addIssue(`must be a table or a CSV file (${error instanceof Error ? error.message : String(error)})`);
      return z.NEVER;
    }
  };
}

function constantHint(input: unknown): string {
  return input === null || typeof input === 'object'
    ? 'must be the name of a field, or a mapping with field, value or template'
    : `must be the name of a field; for a constant write { value: ${String(input)} }`;
}

const headerValue = z.string().regex(/^[^\r\n\0]*$/, 'must be a header value on one line');

const auth = z
  .strictObject({
    bearer: text.regex(/^[\x21-\x7e]+$/, 'must be a token: printable characters without spaces').optional(),
    user: z.string().optional(),
    password: z.string().optional(),
  })
  .transform(({ bearer, user, password }, context) => {
    if (bearer !== undefined && user === undefined && password === undefined) return { bearer };
    if (bearer === undefined && user !== undefined && password !== undefined) return { user, password };
    context.addIssue('needs either bearer, or user and password');
    return z.NEVER;
  });

/** A mapping or list is sent as JSON. */
const requestBody = z
  .union([z.string(), z.record(z.string(), z.json()), z.array(z.json())])
  .transform((body) => (typeof body === 'string' ? body : JSON.stringify(body)));

/** `source`, but for the connector's own options, which its schema checks. */
export const sourceSchema = (kinds: readonly string[], folder: string) =>
  z.looseObject({
    connector: z.enum(kinds as [string, ...string[]]),
    url: text.transform(toLocation(folder)),
    timezone: timezone.optional(),
    encoding: z.string().refine(isCharset, 'must be a charset, such as utf-8 or windows-1252').optional(),
    maxBytes: number(z.number().int().positive()).optional(),
    maxRatio: number(z.number().min(1)).optional(),
    timeout: duration.optional(),
    retries: number(z.number().int().min(0).max(10)).optional(),
    member: text.optional(),
    headers: z.record(z.string(), headerValue).optional(),
    auth: auth.optional(),
    query: z.record(z.string(), plainValue.transform(String)).optional(),
    method: z.enum(['GET', 'POST']).optional(),
    body: requestBody.optional(),
    allowPrivateNetwork: boolean.optional(),
  });

function isFileUrl(url: string): boolean {
  try {
    return fileURLToPath(url) !== '';
  } catch {
    return false;
  }
}

function isCharset(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== '';
  } catch {
    return false;
  }
}

/** URLs and `-` stay as they are; anything else is a path that starts at the folder of the sync file. */
function toLocation(folder: string) {
  return (url: string, context: z.RefinementCtx): string => {
    const [, scheme] = /^([a-z][a-z0-9+.-]+):\/\//i.exec(url) ?? [];
    if (url === '-') return url;
    if (scheme === undefined) return resolve(folder, url);
    if (!['http', 'https', 'webcal', 'file'].includes(scheme.toLowerCase())) {
      context.addIssue('must be a path, or an http://, https://, webcal:// or file:// address');
    } else if (!URL.canParse(url) || (/^file:/i.test(url) && !isFileUrl(url))) {
      context.addIssue('must be a valid address');
    }
    return url;
  };
}

/** A sync file but for `source`; its name, file and site zone come from outside of it. */
export const syncFile = (file: string, siteTimezone: string) =>
  z
    .strictObject({
      resource: z.enum(['events', 'accounts']),
      instance: text.optional(),
      source: z.unknown().optional(),
      window: window.optional(),
      key: z.preprocess(
        (value) => (typeof value === 'string' ? { field: value } : value),
        z.strictObject({ field: text, normalize: z.array(normalization).optional() }),
      ),
      map: z.record(z.string(), fieldRule(dirname(file))).optional(),
      attachments: z.record(z.string(), text).default({}),
      onAttachmentError: z.enum(['publish', 'hold']).default('publish'),
      schedule: schedule(siteTimezone).optional(),
      missing: z.strictObject({ policy: z.literal('keep') }).default({ policy: 'keep' }),
    })
    .transform(({ key, ...rest }) => ({
      ...rest,
      key: { field: key.field, normalize: key.normalize ?? defaultNormalization[rest.resource] },
    }));
