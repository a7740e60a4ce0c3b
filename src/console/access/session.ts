import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { roles, type ViewerRole } from './viewer.ts';

const COOKIE = 'feedferry_session';
const HOURS = 12;

const session = z.object({ id: z.string(), name: z.string(), role: z.enum(roles), until: z.number() });

/** A log-in: the content of its signed cookie. */
export type Session = z.output<typeof session>;

/** Token of each role that has one. */
export type Tokens = { readonly [role in ViewerRole]?: string };

/** Returns the key for cookies and forms: all processes with the same tokens share it, and new tokens end all sessions. */
export function signingKey(tokens: Tokens): Buffer {
  const secrets = roles.map((role) => tokens[role] ?? '');
  if (secrets.every((secret) => secret === '')) return randomBytes(32);
  return Buffer.from(hkdfSync('sha256', JSON.stringify(secrets), '', 'feedferry session', 32));
}

/** Returns the token that each form of a viewer must contain, so that other websites cannot send the form. */
export function formToken(key: Buffer, holder: string): string {
  return createHmac('sha256', key).update(`form ${holder}`).digest('base64url');
}

/** Returns the session of a request, if it is signed by this key and has not ended. */
export function sessionOf(request: FastifyRequest): Session | undefined {
  const cookie = request.cookies[COOKIE];
  const { valid, value } = cookie === undefined ? { valid: false, value: null } : request.unsignCookie(cookie);
  if (!valid || value === null) return undefined;
  const found = session.parse(JSON.parse(value));
  return found.until > Date.now() ? found : undefined;
}

/** Begins a session. */
export function setSession(
  reply: FastifyReply,
  { name, role }: Pick<Session, 'name' | 'role'>,
  isHttps: boolean,
): void {
  const id = randomBytes(16).toString('base64url');
  const begun: Session = { id, name, role, until: Date.now() + HOURS * 3_600_000 };
  reply.setCookie(COOKIE, JSON.stringify(begun), { ...cookieOptions(isHttps), maxAge: HOURS * 3600, signed: true });
}

export function clearSession(reply: FastifyReply, isHttps: boolean): void {
  reply.clearCookie(COOKIE, cookieOptions(isHttps));
}

function cookieOptions(isHttps: boolean): CookieSerializeOptions {
  return { path: '/', httpOnly: true, sameSite: 'strict', secure: isHttps };
}
