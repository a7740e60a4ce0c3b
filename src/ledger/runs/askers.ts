import type { Kysely } from 'kysely';
import type { DeedsTable, LedgerTables } from '../database/schema.ts';

/** The person or program that asked for a run. */
export interface Asker {
  by: string;
  via: DeedsTable['via'];
}

/** The deeds that begin runs. */
const BEGINNING: Array<DeedsTable['deed']> = ['run', 'retry', 'approve', 'undo', 'adopt', 'purge', 'release'];

/** Adds to runs who asked for them; absent: a schedule did. */
export async function withAskers<Run extends { run: string }>(
  runs: readonly Run[],
  db: Kysely<LedgerTables>,
): Promise<Array<Run & { asked?: Asker }>> {
  if (runs.length === 0) return [];
  const ids = runs.map(({ run }) => run);
  const deeds = await db
    .selectFrom('deeds')
    .select(['run', 'doer', 'via'])
    .where('run', 'in', ids)
    .where('deed', 'in', BEGINNING)
    .execute();
  return runs.map((run) => {
    const deed = deeds.find((each) => each.run === run.run);
    return deed ? { ...run, asked: { by: deed.doer, via: deed.via } } : run;
  });
}
