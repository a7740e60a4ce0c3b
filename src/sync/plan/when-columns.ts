import type { DesiredRecord } from '../../core/record.ts';
import type { StagedRow } from '../../ledger/database/schema.ts';

/** The columns of a staged row that hold the first and last day of an event, and which occurrence of its series it is. */
export function whenColumns({ payload: { date, endDate }, occurrence }: Pick<DesiredRecord, 'payload' | 'occurrence'>) {
  return {
    starts_on: typeof date === 'string' ? date : null,
    ends_on: typeof endDate === 'string' ? endDate : null,
    series: occurrence?.series ?? null,
    slot: occurrence?.slot ?? null,
  } satisfies Partial<StagedRow>;
}
