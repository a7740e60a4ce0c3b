import type { Replacement } from '../../core/source-reading.ts';
import type { StagedRow } from '../../ledger/database/schema.ts';
import type { HeldChange } from '../../ledger/plans/adoptions.ts';
import type { RunContext } from '../context/run-context.ts';
import type { Withdrawn } from './missing-records.ts';

/** The records that the site has after the run. */
const PUBLISHED: ReadonlySet<StagedRow['op']> = new Set(['create', 'update', 'unchanged']);

/** Returns the replacements that take place: an event that is held, or rejected because of its files, leaves its days on the site. */
export async function publishedReplacements(
  run: string,
  { all, holds }: { all: readonly Replacement[]; holds: readonly HeldChange[] },
  { ledger }: Pick<RunContext, 'ledger'>,
): Promise<Replacement[]> {
  const events = await ledger.plans.alreadyStaged(
    run,
    all.flatMap(({ by }) => by ?? []),
  );
  const published = new Set(events.flatMap(({ key, op }) => (PUBLISHED.has(op) ? [key] : [])));
  for (const { key } of holds) published.delete(key);
  return all.filter(({ by }) => by === undefined || published.has(by));
}

/** Stages the records that are not replaced for now, and returns the other withdrawn ones. */
export async function keepUnreplaced(
  run: string,
  { withdrawn, replaced }: { withdrawn: ReadonlyMap<string, Withdrawn>; replaced: readonly string[] },
  { ledger }: Pick<RunContext, 'ledger'>,
): Promise<ReadonlyMap<string, Withdrawn>> {
  const leaving = new Set(replaced);
  const isKept = (key: string, { as }: Withdrawn) => as === 'replaced' && !leaving.has(key);
  const kept = [...withdrawn].filter((each) => isKept(...each));
  await ledger.plans.add(kept.map(([key, { at = 'feed' }]) => ({ run, key, place: at, op: 'skipped' })));
  return new Map([...withdrawn].filter((each) => !isKept(...each)));
}
