import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import type { AccessList } from './access-list.ts';
import type { Guard } from './guard.ts';
import { isHttps, localPath } from './origin.ts';
import { beginSession, endSession, type SessionStore } from './session.ts';

/** Content of the log-in page. */
export interface LogInPage {
  /** The page to show afterwards. */
  to: string;
  /** Whether the user types a name: some tokens have one. */
  asksName: 'always' | 'forSharedTokens' | 'never';
  /** The name as the user typed it. */
  name?: string;
  /** Why the last attempt failed. */
  error?: string;
}

const one = z.string('Fill in each field once.').trim();
const form = z.object({
  name: one.max(80, 'Enter a shorter name.').default(''),
  token: one.min(1, 'Enter the token.'),
});
const target = z.object({ to: z.string().optional().catch(undefined) }).catch({ to: undefined });

/** Serves `/login`: a token becomes a session, with the name of the token, or else the name that the user typed. */
export function logInRoutes(server: FastifyInstance, options: LogInOptions): void {
  const { guard, accessList, sessions, publicUrl, render } = options;

  server.get('/login', async (request, reply) => {
    const to = localPath(target.parse(request.query).to);
    const viewer = await guard.viewerOf(request, reply);
    return viewer ? reply.redirect(to, 303) : send(reply, { to });
  });

  server.post('/login', async (request, reply) => {
    const to = localPath(target.parse(request.body).to);
    const { data, error } = form.safeParse(request.body ?? {});
    if (error) return send(reply.code(400), { to, error: error.issues[0]?.message });
    const { name, token } = data;
    const found = guard.credentialOf(token, request, reply);
    if (!found) return send(reply.code(401), { to, name, error: 'The token is wrong.' });
    if (found.name === undefined && name === '') return send(reply.code(400), { to, error: 'Enter your name.' });
    const typed = found.name === undefined ? name : null;
    const how = { tokenHash: found.tokenHash, name: typed, isHttps: isHttps(request, publicUrl) };
    await beginSession(reply, sessions, how);
    return reply.redirect(to, 303);
  });

  function send(reply: FastifyReply, page: Omit<LogInPage, 'asksName'>): FastifyReply {
    const { hasShared } = accessList;
    const asksName = hasShared ? (accessList.hasNamed() ? 'forSharedTokens' : 'always') : 'never';
    return reply.type('text/html; charset=utf-8').send(render({ ...page, asksName }));
  }
}

/** Serves `/logout`, to those who have access. */
export function logOutRoutes(server: FastifyInstance, sessions: SessionStore, publicUrl: string | undefined): void {
  server.post('/logout', async (request, reply) => {
    await endSession(request, reply, sessions, isHttps(request, publicUrl));
    return reply.redirect('/login', 303);
  });
}

interface LogInOptions {
  guard: Guard;
  accessList: AccessList;
  sessions: SessionStore;
  publicUrl: string | undefined;
  render(page: LogInPage): string;
}
