import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { feedferry, start } from '../feedferry.ts';
import { combinations, type Engines, openSite, type Site } from '../site.ts';

const ROWS = 24;
const TAKE_OVER_AFTER = '1';
/** Longer than records are claimed for: twice as long as a run. */
const SUSPENDED_MS = 3_000;

/** A site whose creates take a while, so that a process can be suspended among them. */
async function slowSite(engines: Engines, externalId: boolean): Promise<Site> {
  const site = await openSite(engines, { faults: { seed: 1, faults: [{ kind: 'latency', ms: 300, method: 'POST' }] } });
  if (!externalId) {
    site.write(
      'feedferry.yaml',
      'target: { baseUrl: "${CMS_BASE_URL}", token: "${CMS_API_TOKEN}", timezone: America/New_York, concurrency: 4, lookupAfter: 500ms }\n',
    );
  }
  site.write(
    'syncs/talks.yaml',
    'resource: events\nsource: { connector: csv, url: ./talks.csv }\nkey: id\nmap: { title: title, date: date, time.start: start }\n',
  );
  const rows = Array.from({ length: ROWS }, (_, index) => `${index},Talk ${index},2027-03-01,18:00`);
  site.write('syncs/talks.csv', ['id,title,date,start', ...rows].join('\n'));
  return site;
}

async function createsReach(site: Site, count: number): Promise<void> {
  while ((site.sandbox.stats().requests['POST /calendar/events'] ?? 0) < count) await sleep(5);
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
