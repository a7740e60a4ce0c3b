import type fc from 'fast-check';
import type { ClaimedRecord } from '../../../../src/ledger/records/claimed-record.ts';
import { LEASE_MS, type LedgerSite } from './ledger-site.ts';
import { type Fate, keep, lookUp, send } from './protocol.ts';

/** What happens to a worker: to each of its requests, and after how many turns it crashes. */
export interface Luck {
  fates: Fate[];
  turns: number;
}

/** Workers who share a ledger and a CMS. */
export interface Crew {
  site: LedgerSite;
  /** Says whose turn it is. */
  scheduler: fc.Scheduler;
  claims: Set<string>;
  /** Claims whose lease has lapsed: their workers know it by their own clocks (src/sync/deliver/lease.ts). */
  lapsed: Set<string>;
}

/**
 * A worker who claims the keys, sends a request for each and settles, again and again until it crashes. Others have their
 * turns before it searches the CMS and before it sends; the ledger is used by all at once.
 */
export async function work(worker: number, keys: readonly string[], luck: Luck, crew: Crew): Promise<void> {
  const { site, scheduler, claims, lapsed } = crew;
  const { claim, settle } = site.ledgerOf(worker).records;
  const mayAct = (record: ClaimedRecord) => turns < luck.turns && !lapsed.has(record.claim);
  let [turns, requests] = [0, 0];
  while (turns < luck.turns) {
    const records = await claim(site.sync, keys, LEASE_MS);
    for (const record of records) claims.add(record.claim);
    for (const record of records) {
      await turn(`looks for ${record.key}`);
      if (!mayAct(record)) break;
      const found = lookUp(record, site);
      await turn(`sends ${record.key}`);
      if (!mayAct(record) || !(await keep(record, found, site.ledgerOf(worker)))) break;
      const result = send(record, found, site, luck.fates[requests % luck.fates.length] ?? 'answered');
      requests += 1;
      await settle(record, result);
    }
    if (records.length === 0) await turn('waits');
  }

  async function turn(what: string): Promise<void> {
    await scheduler.schedule(Promise.resolve(), `worker ${worker} ${what}`);
    turns += 1;
  }
}

/** When its turn comes, lets the leases of all lapse. */
export async function lapseAll({ site, scheduler, claims, lapsed }: Crew): Promise<void> {
  await scheduler.schedule(Promise.resolve(), 'all leases lapse');
  const lapsing = [...claims];
  for (const claim of lapsing) lapsed.add(claim);
  await site.lapse(lapsing);
}
