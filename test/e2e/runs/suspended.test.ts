import { describe, expect, test } from 'vitest';
import { start } from '../feedferry.ts';
import { setFaults, writeTalks, writeTalksSync } from '../fixtures.ts';
import { inTurn } from '../in-turn.ts';
import { runHere } from '../run-here.ts';
import { type Engines, openSite, type Site, writeTarget } from '../site.ts';

const ROWS = 16;

async function siteOfTalks(engines: Engines, externalId: boolean): Promise<Site> {
  const site = await openSite(engines);
  if (!externalId) writeTarget(site, '  concurrency: 4\n  lookupAfter: 500ms\n');
  writeTalksSync(site);
  writeTalks(
    site,
    Array.from({ length: ROWS }, (_, index) => `${index},Talk ${index},2027-03-01,18:00`),
  );
  return site;
}

// Leases are a matter of the ledger. Whether items have external ids matters to the search for them, not to the engines.
const cases = inTurn([{ externalId: false }, { externalId: true }]);

describe('A process that is suspended past its leases', () => {
  test.each(cases)(
    'It creates nothing that another process has created, on $ledger and $queue (external id: $externalId)',
    async ({ externalId, ...engines }) => {
      await using site = await siteOfTalks(engines, externalId);
      site.variables.TAKE_OVER_AFTER = '1';
      const held = await setFaults(site, { kind: 'hold', method: 'POST', skip: 3 });
      const suspended = start(['sync', '--json'], site.variables);
      await held();
      suspended.child.kill('SIGSTOP');
      await setFaults(site);
      // It waits for the end of the leases. A process that was stopped within a transaction of SQLite keeps the file locked: then
      // the others can only fail.
      const next = await runHere(['sync', '--json'], site.variables);
      suspended.child.kill('SIGCONT');
      const last = await suspended.finished;
      if (next.exitCode === 0) expect(last.json()).toMatchObject({ runs: [{ error: { code: 'FF_RUN_ABANDONED' } }] });
      else expect([engines.ledger, next.stderr]).toEqual(['sqlite', expect.stringContaining('locked')]);

      expect(await site.sync()).toMatchObject([{ status: 'success' }]);
      const titles = (await site.items('calendar/events')).map(({ title }) => title);
      expect(titles.sort()).toEqual(Array.from({ length: ROWS }, (_, index) => `Talk ${index}`).sort());
    },
  );
});
