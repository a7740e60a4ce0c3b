import { randomUUID } from 'node:crypto';
import { isObject } from '../core/record.ts';
import { createPasswordCipher } from '../sync/passwords/password-cipher.ts';
import { foreignCursor } from './answers/paging.ts';
import type { Queries } from './create-queries.ts';

const OWNER = 'cursor';

type AnyQuery = (...given: unknown[]) => unknown;

/**
 * Returns the same queries with sealed cursors: a position in a list may have a key, which may be an e-mail address, and addresses of pages
 * are written to logs.
 * @param options `secret`: of all processes that serve the same pages; absent: cursors are valid in this process only
 */
export function withSealedCursors(
  queries: Queries,
  { secret = randomUUID(), dataDir }: { secret?: string | undefined; dataDir: string },
): Queries {
  const cipher = createPasswordCipher({ secret, dataDir });
  const sealed = Object.entries(queries).map(([name, query]) => [name, sealing(query as AnyQuery)]);
  return Object.fromEntries(sealed) as Queries;

  function sealing(query: AnyQuery): AnyQuery {
    return (...given) => {
      const answer = query(...given.map(opened));
      return answer instanceof Promise ? answer.then(withSealedNext) : answer;
    };
  }

  function withSealedNext(answer: unknown): unknown {
    if (!isObject(answer) || typeof answer.next !== 'string') return answer;
    return { ...answer, next: cipher.seal(answer.next, OWNER) };
  }

  function opened(given: unknown): unknown {
    if (!isObject(given) || typeof given.after !== 'string') return given;
    try {
      return { ...given, after: cipher.open(given.after, OWNER) };
    } catch (cause) {
      throw foreignCursor(given.after, cause);
    }
  }
}
