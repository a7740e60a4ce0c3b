import { resolve } from 'node:path';
import { z } from 'zod';
import { text } from './scalars.ts';

/** A credential that stays as it is. */
const fixed = z
  .strictObject({
    type: z.undefined().optional(),
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

/** Client credentials (RFC 6749, 4.4). */
const oauth2 = z.strictObject({
  type: z.literal('oauth2'),
  tokenUrl: text.refine(
    (address) => /^https?:$/.test(URL.parse(address)?.protocol ?? ''),
    'must be an https:// address',
  ),
  clientId: text,
  clientSecret: text,
  scope: text.optional(),
  audience: text.optional(),
  resource: text.optional(),
  credentials: z.enum(['header', 'body']).optional(),
});

/** A signed assertion (RFC 7523). */
const serviceAccount = (folder: string) =>
  z
    .strictObject({
      type: z.literal('google-service-account'),
      key: text.optional(),
      keyFile: text.transform((path) => resolve(folder, path)).optional(),
      scope: text,
      subject: text.optional(),
    })
    .refine(({ key, keyFile }) => (key === undefined) !== (keyFile === undefined), 'needs either key or keyFile');

/** How the server of a feed knows feedferry. */
export const authSchema = (folder: string) =>
  z.discriminatedUnion('type', [fixed, oauth2, serviceAccount(folder)], {
    error: ({ code }) => (code === 'invalid_union' ? 'must be oauth2 or google-service-account' : undefined),
  });
