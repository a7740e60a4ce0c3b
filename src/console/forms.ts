import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Act } from '../app/actions/actions.ts';
import { filledPath, runPath } from '../core/text/addresses.ts';
import { needs } from './access/guard.ts';
import { pathParams } from './access/path-params.ts';
import { acting } from './api/acting.ts';
import { contextOf, parsed } from './api/endpoint.ts';

const nothing = z.object({});
const texts = z.record(z.string(), z.unknown()).catch({});
/** Where a form leads back to, and the id of the hint on that page about what is still to be filled in. */
const leading = z.object({
  back: z
    .string()
    .regex(/^\/(?![/\\])/)
    .optional(),
  hint: z
    .string()
    .regex(/^[\w-]+$/)
    .optional(),
});

/**
 * Serves the forms of all actions. A form does what its endpoint does, and then leads to the page of the run that it began, or
 * back to its own page. A form without a selection only leads back, to the hint about it.
 */
export function formRoutes(server: FastifyInstance, act: () => Act): void {
  for (const [name, action] of Object.entries(acting)) {
    const { path, role, params = pathParams(path), body = nothing, leadsTo, handle } = action;
    server.post(path, { onRequest: needs(role) }, async (request, reply) => {
      const { csrf: _, back: __, hint: ___, ...fields } = filledIn(request.body);
      const given = parsed(params, request.params) as Record<string, string>;
      const { back = filledPath(leadsTo, given), hint } = parsed(leading, filledIn(request.body));
      const typed = typedAs(body, fields);
      // Without a selection, some actions would be about all.
      if (hint !== undefined && !('keys' in typed || 'code' in typed)) return reply.redirect(`${back}#${hint}`, 303);
      const input = { params: given, query: {}, body: parsed(body, typed) };
      const { run } = (await handle(input, contextOf(request, act()))) as { run?: string };
      return reply.redirect(withDone(run === undefined ? back : runPath(run), name), 303);
    });
  }
}

/** The page to which a form leads says what was done. */
function withDone(path: string, done: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams({ done })}`;
}

/** Returns the fields that have a value. */
function filledIn(body: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(texts.parse(body)).filter(([, value]) => String(value).trim() !== ''));
}

/** Returns the texts of a form as what a schema asks for: one checkbox is a list of one, a text of digits a number. */
function typedAs({ shape }: z.ZodObject, fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const asked = shape[name];
      const schema = asked instanceof z.ZodOptional ? asked.unwrap() : asked;
      if (schema instanceof z.ZodArray) return [name, [value].flat()];
      if (schema instanceof z.ZodNumber) return [name, Number(value)];
      return [name, schema instanceof z.ZodBoolean ? true : value];
    }),
  );
}
