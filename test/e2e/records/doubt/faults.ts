import { setFaults } from '../../fixtures.ts';
import type { Site } from '../../site.ts';

/** What the CMS does with one request. */
export type Answer =
  | 'served'
  /** The request is applied and answered with this status all the same; with 0, the connection breaks instead. */
  | { applied: number }
  /** The request is not applied, and answered with this status; with 0, the connection breaks instead. */
  | { refused: number };

/** Faults of the requests of a method to a route: the first answer is for the first request, the last one for all that follow. */
export interface Script {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  route?: 'items' | 'item';
  answers: Answer[];
}

/** Replaces the faults of the sandbox by scripts. Without one, all is well again. */
export async function play(site: Site, ...scripts: Script[]): Promise<void> {
  await setFaults(site, ...scripts.flatMap(faultsOf));
}

function faultsOf({ method, route, answers }: Script): object[] {
  return answers.flatMap((answer, index) => {
    if (answer === 'served') return [];
    const when = 'applied' in answer ? 'after' : 'before';
    const status = 'applied' in answer ? answer.applied : answer.refused;
    return {
      ...(status === 0 ? { kind: 'reset' } : { kind: 'error', status }),
      method,
      when,
      ...(route ? { route: route === 'item' ? '/calendar/events/:id' : '/calendar/events' } : {}),
      ...(index > 0 ? { skip: index } : {}),
      ...(index < answers.length - 1 ? { times: 1 } : {}),
    };
  });
}
