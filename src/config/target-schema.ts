import { z } from 'zod';
import { readOnlyAttributes, standardAttributes } from '../core/attributes.ts';
import type { TargetConfig } from '../core/config.ts';

import { boolean, duration, number, text, timezone } from './scalars.ts';

const target = z
  .strictObject({
    baseUrl: z.string().transform(toBaseUrl),
    token: text.regex(/^[\x21-\x7e]+$/, 'must be a token: printable characters without spaces'),
    timezone,
    externalId: text.refine((name) => !isStandard(name), 'must be a custom attribute, not a standard one').optional(),
    concurrency: number(z.number().int().min(1).max(1000)).default(8),
    requestsPerSecond: number(z.number().positive()).optional(),
    maxAttempts: number(z.number().int().min(1).max(100)).default(5),
    backoff: duration.default(2000),
    maxBackoff: duration.default(300_000),
    timeout: duration.default(30_000),
    allowHttp: boolean.default(false),
  })
  .transform(
    ({ backoff, maxBackoff, timeout, ...rest }): TargetConfig => ({
      ...rest,
      backoffMs: backoff,
      maxBackoffMs: Math.max(backoff, maxBackoff),
      timeoutMs: timeout,
    }),
  );

/** feedferry.yaml: the CMS, and how gently to treat it. */
export const targetFile = z.strictObject({ target });

/** An http(s) URL without trailing slashes: the paths of the API follow it. */
function toBaseUrl(value: string, context: z.RefinementCtx): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    context.addIssue('must be an http:// or https:// address');
  } else if (url.username || url.password || url.search || url.hash) {
    context.addIssue('must be an address without user name, password, query or fragment');
  }
  return value.replace(/\/+$/, '');
}

function isStandard(name: string): boolean {
  const resources = ['events', 'accounts'] as const;
  return resources.some(
    (resource) => Object.hasOwn(standardAttributes[resource], name) || readOnlyAttributes[resource].includes(name),
  );
}
