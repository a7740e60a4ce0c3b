import type fc from 'fast-check';
import { expect } from 'vitest';
import type { LedgerSite } from './ledger-site.ts';
import { type Hand, holds, type Model, toRow } from './model.ts';
import { knowledgeOf, type Row } from './row.ts';

/** Something that happens to ledger and CMS, and to the model as well. */
export type Step = fc.AsyncCommand<Model, LedgerSite>;

/**
 * After every step the ledger has what the model has, and the CMS has nothing twice.
 * @param check whether it can happen
 */
export function step(
  name: string,
  run: (model: Model, site: LedgerSite) => Promise<void>,
  check = (_: Model) => true,
): Step {
  return {
    check,
    async run(model, site) {
      await run(model, site);
      const rows = await site.rows();
      expect(rows).toEqual(model.records.map(toRow));
      for (const row of rows) expectKnowledge(row);
      await expectOutstanding(model, site);
      expectCms(model, site);
    },
    toString: () => name,
  };
}

/** What the ledger says that is known follows from the rest, and nothing is open of a record that is through. */
function expectKnowledge(row: Row): void {
  expect(row.knows).toBe(knowledgeOf(row));
  if (['delivered', 'removed', 'deleted'].includes(row.status)) expect(row.open).toEqual([]);
}

async function expectOutstanding({ records }: Model, { sync, ledgerOf }: LedgerSite): Promise<void> {
  const all = records.map(({ key }) => key);
  const { pending, dueInMs } = await ledgerOf(0).records.outstanding(sync, all);
  const open = records.filter(({ status }) => status === 'pending');
  expect(pending).toBe(open.length);
  expect(dueInMs === 0).toBe(open.length === 0 || open.some(({ due, lease }) => due && !lease));
}

function expectCms({ records, deleted }: Model, { cms }: LedgerSite): void {
  const present = cms.items.map(({ key }) => key);
  expect(present.toSorted(), 'items of the CMS').toEqual([...new Set(present)].toSorted());
  for (const { key, status, cmsId, delivered } of records) {
    if (status !== 'delivered' || deleted.has(key)) continue;
    expect(cms.items).toContainEqual({ id: cmsId, key, version: delivered });
  }
}

/** Chooses among those that there are. */
export function pick<T>(choices: readonly T[], choice: number): T {
  return choices[choice % choices.length] as T;
}

export function someHand({ hands }: Model): boolean {
  return hands.length > 0;
}

/** Those that still have their lease. */
export function holding(model: Model): Hand[] {
  return model.hands.filter((hand) => holds(model, hand));
}
