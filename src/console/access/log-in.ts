import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Guard } from './guard.ts';
import { isHttps, localPath } from './origin.ts';
import { clearSession, setSession } from './session.ts';

/** Content of the log-in page. */
export interface LogInPage {
  /** The page to show afterwards. */
  to: string;
  /** The name as the user typed it. */
  name?: string;
  /** Why the last attempt failed. */
  error?: string;
}

const form = z.object({
  name: z.string().trim().min(1, 'Enter your name.').max(80, 'Enter a shorter name.'),
  token: z.string().min(1, 'Enter the token.'),
  to: z.string().optional(),
});

/** Serves `/login`: a name and a token become a session. */
export function logInRoutes(server: FastifyInstance, guard: Guard, options: LogInOptions): void {
  const { publicUrl, render } = options;

  server.get<{ Querystring: { to?: string } }>('/login', async (request, reply) => {
    const to = localPath(request.query.to);
    const viewer = guard.viewerOf(request, reply);
    return viewer ? reply.redirect(to, 303) : send(reply, { to });
  });

  server.post<{ Body: Partial<Record<string, string>> }>('/login', async (request, reply) => {
    const to = localPath(request.body?.to);
    const { data, error } = form.safeParse(request.body ?? {});
    if (error) return send(reply.code(400), { to, name: request.body?.name, error: error.issues[0]?.message });
    const role = guard.roleOf(data.token, request, reply);
    if (role === undefined) return send(reply.code(401), { to, name: data.name, error: 'The token is wrong.' });
    setSession(reply, { name: data.name, role }, isHttps(request, publicUrl));
    return reply.redirect(to, 303);
  });

  function send(reply: FastifyReply, page: LogInPage): FastifyReply {
    return reply.type('text/html; charset=utf-8').send(render(page));
  }
}

/** Serves `/logout`, to those who have access. */
export function logOutRoutes(server: FastifyInstance, publicUrl: string | undefined): void {
  server.post('/logout', async (request: FastifyRequest, reply) => {
    clearSession(reply, isHttps(request, publicUrl));
    return reply.redirect('/login', 303);
  });
}

interface LogInOptions {
  publicUrl: string | undefined;
  render(page: LogInPage): string;
}
