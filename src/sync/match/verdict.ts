import type { Verdict } from '../../ledger/plans/verdict.ts';

/**
 * The verdict about creates that were compared with the items of the CMS and the records of other syncs, or by which a person wants
 * deleted items again.
 * @param creates how many
 */
export const judged = (creates: number) => ({ creates }) as Verdict;

/** The verdict about a plan that creates nothing. */
export const createsNothing = judged(0);
