import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src/ledger/database/open.ts';
import type { LedgerDatabase } from '../../../src/ledger/database/schema.ts';
import { hasEngine, ledgerEngines } from '../../support/engines.ts';
import { withLedger } from '../../support/ledger.ts';
import { rounds } from '../../support/long.ts';
import { createLedgerSite, type LedgerSite } from './model/ledger-site.ts';
import { newModel } from './model/model.ts';
import { fates } from './model/protocol.ts';
import { keys, steps } from './model/steps.ts';
import { lapseAll, work } from './model/worker.ts';

const HISTORIES = rounds(10, 400);
/** As long as other tests have, or longer in the long form. */
const timeout = HISTORIES * 3_000;

// Claims, held against a model of theirs. Time does not pass: leases lapse and pauses end when a step says so.
describe.each(ledgerEngines.filter(hasEngine))('Claims on %s', (engine) => {
  const opened = withLedger(engine);
  let database: LedgerDatabase;
  let sites = 0;

  beforeAll(async () => {
    const { dataDir, databaseUrl } = opened;
    database = await openDatabase({ dataDir, ...(databaseUrl ? { databaseUrl } : {}) });
  });

  afterAll(() => database.db.destroy());

  /** A new sync in the same ledger, planned once. */
  async function newSite(recreate: boolean): Promise<LedgerSite> {
    sites += 1;
    const site = createLedgerSite(database, [opened.ledger, opened.second], { sync: `site ${sites}`, recreate });
    await site.plan(new Map(keys.map((key) => [key, 1])));
    return site;
  }

  test('Any steps of any workers match the model, and every record is delivered once', { timeout }, async () => {
    const commands = fc.commands(steps, { maxCommands: 60, size: 'max' });
    const property = fc.asyncProperty(commands, fc.boolean(), async (someSteps, recreate) => {
      const site = await newSite(recreate);
      const model = newModel(keys, 1);
      await fc.asyncModelRun(() => ({ model, real: site }), someSteps);

      const alive = model.records.filter(({ status }) => status !== 'deleted');
      const wanted = new Map(alive.map((record) => [record.key, record.wanted + 1]));
      await site.converge(wanted);
      const left = [...wanted].filter(([key]) => recreate || !model.deleted.has(key));
      expect(versionsOf(site)).toEqual(left);
    });
    await fc.assert(property, { numRuns: HISTORIES });
  });

  test('Concurrent workers that crash or lose leases deliver every record once', { timeout }, async () => {
    const luck = fc.record({ fates: fc.array(fc.constantFrom(...fates), { minLength: 1 }), turns: fc.nat(16) });
    const workers = fc.array(luck, { minLength: 2, maxLength: 4 });
    const property = fc.asyncProperty(fc.scheduler(), workers, fc.nat(3), async (scheduler, lucks, lapses) => {
      const site = await newSite(true);
      const crew = { site, scheduler, lapsed: new Set<string>(), claims: new Set<string>() };
      const working = lucks.map((each, worker) => work(worker, keys, each, crew));
      for (let lapse = 0; lapse < lapses; lapse += 1) working.push(lapseAll(crew));
      await scheduler.waitFor(Promise.all(working));

      expect(keysOf(site)).toEqual([...new Set(keysOf(site))]);
      await site.converge(new Map(keys.map((key) => [key, 2])));
      expect(versionsOf(site)).toEqual(keys.map((key) => [key, 2]));
    });
    await fc.assert(property, { numRuns: HISTORIES });
  });
});

function keysOf({ cms }: LedgerSite): string[] {
  return cms.items.map(({ key }) => key);
}

function versionsOf({ cms }: LedgerSite): Array<[string, number]> {
  return cms.items.map(({ key, version }): [string, number] => [key, version]).sort();
}
