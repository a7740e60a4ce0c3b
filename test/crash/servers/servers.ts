import type { TestPrograms } from '../../support/find-programs.ts';
import { type PrivatePostgres, startPrivatePostgres } from '../../support/private-postgres.ts';
import type { Combination } from '../combination.ts';

/** The servers that outlive a round; each round has a sandbox and a Redis of its own. */
export interface Servers {
  programs: TestPrograms;
  /** Started when it is first asked for. */
  postgres(): Promise<PrivatePostgres>;
  close(): Promise<void>;
}

export function openServers(programs: TestPrograms): Servers {
  let postgres: Promise<PrivatePostgres> | undefined;
  return {
    programs,
    postgres() {
      if (!programs.postgresBin) throw new Error('there is no PostgreSQL');
      postgres ??= startPrivatePostgres(programs.postgresBin);
      return postgres;
    },
    async close() {
      await (await postgres)?.stop();
    },
  };
}

/** The server that a combination needs and that is not at hand. */
export function missingServer({ ledger, queue }: Combination, programs: TestPrograms): string | undefined {
  if (queue === 'bullmq' && !programs.redisServer) return 'Redis';
  if (ledger === 'postgresql' && !programs.postgresBin) return 'PostgreSQL';
  return undefined;
}
