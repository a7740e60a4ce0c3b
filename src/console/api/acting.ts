import { z } from 'zod';
import { type ActionName, type AnyAction, actionTable } from '../../app/actions/actions.ts';
import { CodedError } from '../../core/errors.ts';
import type { Endpoint } from './endpoint.ts';

/** An endpoint that acts, the page to which its form leads if it begins no run, and what the page says then. */
type Acting = Endpoint & { leadsTo: string; done: string };

/**
 * Everything that people and programs can do, by name: an endpoint of the API, and a form at the same address without `/api`. The
 * form sends the body of the endpoint, and pages use `actionForm` to show it.
 */
export const acting: Readonly<Record<ActionName | 'examine', Acting>> = {
  ...(Object.fromEntries(
    Object.entries(actionTable).map(([name, action]) => [name, toEndpoint(name, action)]),
  ) as Record<ActionName, Acting>),
  examine: {
    method: 'POST',
    path: '/doctor',
    role: 'operate',
    summary: 'Start an examination, unless one is in progress',
    done: 'The examination has begun.',
    response: z.object({ started: z.literal(true) }),
    leadsTo: '/doctor',
    handle(_, { queries }) {
      queries.examine();
      return { started: true };
    },
  },
};

export type ActingName = keyof typeof acting;

function toEndpoint(name: string, action: unknown): Acting {
  const { path, role, summary, done, input, needs = [], confirms, response, leadsTo = path } = action as AnyAction;
  const confirm = z.string().trim().describe('the name of the sync');
  const needed = { ...requiredOf(input, needs), ...(confirms && { confirm }) };
  return {
    method: 'POST',
    ...{ path, role, summary, done, response, leadsTo },
    body: Object.keys(needed).length > 0 ? input.extend(needed) : input,
    begins: 'started' in (response as z.ZodObject).shape,
    async handle({ params, body: { confirm: confirmed, ...body } }, { act, actor }) {
      const given: Record<string, unknown> = { ...params, ...body };
      if (!confirms || confirmed === given.sync)
        return act(name as ActionName, given as never, actor) as Promise<object>;
      const message = `This needs the name of the sync as confirmation: "${given.sync}". Nothing was done.`;
      throw new CodedError('FF_HTTP_REQUEST', message);
    },
  };
}

/** The members of an input that programs and forms have to give. */
function requiredOf({ shape }: z.ZodObject, needs: readonly string[]): z.ZodRawShape {
  return Object.fromEntries(needs.map((member) => [member, (shape[member] as z.ZodOptional).unwrap()]));
}
