/** What the ledger lies on, and what carries the keys. */
export interface Combination {
  name: string;
  ledger: 'sqlite' | 'postgresql';
  queue: 'in-process' | 'bullmq';
}

export const combinations: Combination[] = (['sqlite', 'postgresql'] as const).flatMap((ledger) =>
  (['in-process', 'bullmq'] as const).map((queue) => ({ name: `${ledger}+${queue}`, ledger, queue })),
);
