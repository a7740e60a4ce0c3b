import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { feedferry, start } from '../feedferry.ts';
import { createsReach, writeTalks, writeTalksSync } from '../fixtures.ts';
import { combinations, type Engines, openSite, type Site, writeTarget } from '../site.ts';

const ROWS = 24;
const TAKE_OVER_AFTER = '1';
/** Longer than records are claimed for: twice as long as a run. */
const SUSPENDED_MS = 3_000;

/** A site whose creates take a while, so that a process can be suspended among them. */
async function slowSite(engines: Engines, externalId: boolean): Promise<Site> {
  const site = await openSite(engines, { faults: { seed: 1, faults: [{ kind: 'latency', ms: 300, method: 'POST' }] } });
  if (!externalId) writeTarget(site, '  concurrency: 4\n  lookupAfter: 500ms\n');
  writeTalksSync(site);
  writeTalks(
    site,
    Array.from({ length: ROWS }, (_, index) => `${index},Talk ${index},2027-03-01,18:00`),
  );
  return site;
}

describe.each(combinations)('A process that is suspended past its leases, on $ledger and $queue', (engines) => {
  test.each([true, false])(
    'It creates nothing that another process has created (external id: %s)',
    async (externalId) => {
      await using site = await slowSite(engines, externalId);
      const variables = { ...site.variables, TAKE_OVER_AFTER };
      const suspended = start(['sync', '--json'], variables);
      await createsReach(site, 3);
      suspended.child.kill('SIGSTOP');
      await sleep(SUSPENDED_MS);
      // A process that was stopped within a transaction of SQLite keeps the file locked: then the others can only fail.
      const next = await feedferry(['sync', '--json'], variables);
      suspended.child.kill('SIGCONT');
      const last = await suspended.finished;
      if (next.exitCode === 0) expect(last.json()).toMatchObject({ runs: [{ error: { code: 'FF_RUN_ABANDONED' } }] });
      else expect([engines.ledger, next.stderr]).toEqual(['sqlite', expect.stringContaining('locked')]);

      expect(await feedferry(['sync', '--json'], variables)).toMatchObject({ exitCode: 0, stderr: '' });
      const titles = (await site.items('calendar/events')).map(({ title }) => title);
      expect(titles.sort()).toEqual(Array.from({ length: ROWS }, (_, index) => `Talk ${index}`).sort());
    },
  );
});
