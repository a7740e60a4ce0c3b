import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Guard } from './guard.ts';
import { addressOf } from './rate-cap.ts';

const params = z.object({ sync: z.string(), link: z.string().max(200) });

/**
 * Serves the page of a feed to whoever has a link to it, without an account: read-only, and in no search engine.
 * @param render returns the page, and whether the link works
 */
export function ownerRoutes(
  server: FastifyInstance,
  { guard, render }: { guard: Guard; render(sync: string, link: string): Promise<{ page: string; works: boolean }> },
): void {
  server.get('/owners/:sync/:link', { onRequest: guard.linkHook }, async (request, reply) => {
    const { sync = '', link = '' } = params.safeParse(request.params).data ?? {};
    const { page, works } = await render(sync, link);
    if (!works) guard.countFailure(addressOf(request), reply);
    reply.headers({ 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex, nofollow' });
    return reply
      .code(works ? 200 : 404)
      .type('text/html; charset=utf-8')
      .send(page);
  });
}
