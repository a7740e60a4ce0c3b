import { createHmac, randomBytes } from 'node:crypto';
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sha256 } from '../../core/hash.ts';

const COOKIE = 'feedferry_session';
const HOURS = 12;

/** Sessions that all processes share. The ids are secret: only their hashes are stored. */
export interface SessionStore {
  begin(session: { idHash: string; mark: string; name: string | null }, lifetimeMs: number): Promise<void>;
  /** Returns undefined if the session has ended. */
  find(idHash: string): Promise<{ mark: string; name: string | null } | undefined>;
  end(idHash: string): Promise<void>;
}

/** Returns the token that each form of a viewer must contain, so that other websites cannot send the form. */
export function formToken(key: string | Buffer, holder: string): string {
  return createHmac('sha256', key).update(`form ${holder}`).digest('base64url');
}

/** Returns the secret id of the session that a request names. */
export function sessionIdOf({ cookies }: FastifyRequest): string | undefined {
  return cookies[COOKIE] || undefined;
}

/** Returns what a session stores in place of a token: it says nothing about the token to those who do not know the id. */
export function sessionMark(id: string, tokenHash: string): string {
  return createHmac('sha256', id).update(tokenHash).digest('hex');
}

/**
 * Begins a session, which ends by itself after some hours.
 * @param name the name as its user typed it; null if the token has a name
 */
export async function beginSession(
  reply: FastifyReply,
  sessions: SessionStore,
  { tokenHash, name, isHttps }: { tokenHash: string; name: string | null; isHttps: boolean },
): Promise<void> {
  const id = randomBytes(32).toString('base64url');
  await sessions.begin({ idHash: sha256(id), mark: sessionMark(id, tokenHash), name }, HOURS * 3_600_000);
  reply.setCookie(COOKIE, id, { ...cookieOptions(isHttps), maxAge: HOURS * 3600 });
}

/** Ends the session of a request in all processes. */
export async function endSession(
  request: FastifyRequest,
  reply: FastifyReply,
  sessions: SessionStore,
  isHttps: boolean,
): Promise<void> {
  const id = sessionIdOf(request);
  if (id !== undefined) await sessions.end(sha256(id));
  reply.clearCookie(COOKIE, cookieOptions(isHttps));
}

function cookieOptions(isHttps: boolean): CookieSerializeOptions {
  return { path: '/', httpOnly: true, sameSite: 'strict', secure: isHttps };
}
