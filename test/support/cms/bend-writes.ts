import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Payload } from '../../../src/core/record.ts';
import type { SandboxParts } from '../../../src/sandbox/start.ts';
import type { Store } from '../../../src/sandbox/store/store.ts';
import { inTransaction } from './store-rows.ts';
import { struckBy } from './strike-faults.ts';

/** Lets faults keep a change from being applied, or from being shown. To be called before the routes are added. */
export function bendWrites(api: FastifyInstance, { store, events, accounts, switches }: SandboxParts): void {
  api.addHook('onRoute', (route) => {
    const kind = [events, accounts].find(({ path }) => route.routePath === `${path}/:id`);
    const serve = route.handler;
    if (!kind) return;
    route.handler = function (request, reply) {
      const unapplied = struckBy(request, 'unapplied');
      if (request.method === 'GET' || !(unapplied || struckBy(request, 'staleAnswer'))) {
        return serve.call(this, request, reply);
      }
      const before = kind.table.find(idOf(request));
      const answer = unapplied
        ? rolledBack(store, () => serve.call(this, request, reply))
        : serve.call(this, request, reply);
      const isShownAsBefore =
        unapplied?.shows !== 'sent' && request.method !== 'DELETE' && switches.answers === 'whole';
      if (!before || !isShownAsBefore) return answer;
      const { id } = answer as Payload;
      return { ...kind.present(before), ...kind.presentWritten?.(before), id };
    };
  });
}

function idOf(request: FastifyRequest): number {
  return Number((request.params as { id: string }).id);
}

/** Returns what the work returns, without what it writes. */
function rolledBack<Result>(store: Store, work: () => Result): Result {
  const results: Result[] = [];
  const undo = new Error('so that nothing is changed');
  try {
    inTransaction(store, () => {
      results.push(work());
      throw undo;
    });
  } catch (error) {
    if (error !== undo) throw error;
  }
  return results[0] as Result;
}
