import { describe, expect, test } from 'vitest';
import { start } from '../feedferry.ts';
import { setFaults, threeTalks, writeTalks, writeTalksSync } from '../fixtures.ts';
import { runHere } from '../run-here.ts';
import { openSite, type Site, simplest, writeTarget } from '../site.ts';

/** A site whose items carry no external id, and that waits for a create for as long as a request may take. */
async function plainSite(more = ''): Promise<Site> {
  const site = await openSite(simplest);
  writeTarget(site, `  concurrency: 4\n${more}`);
  writeTalksSync(site);
  writeTalks(site, threeTalks);
  return site;
}

const titles = async (site: Site) => (await site.items('calendar/events')).map(({ title }) => title).sort();

describe('A create that the CMS takes long to apply', () => {
  test.each(['SIGKILL', 'SIGTERM'] as const)(
    'It is not sent again by the process that follows after %s',
    async (signal) => {
      await using site = await plainSite('  timeout: 2s\n');
      const struck = await setFaults(site, { kind: 'latency', ms: 1_200, method: 'POST' });
      const first = start(['sync'], { ...site.variables, STOP_AFTER: '0.1' });
      await struck(3);
      first.child.kill(signal);
      await first.finished;
      const { exitCode } = await runHere(['sync'], site.variables);
      expect([exitCode, await titles(site)]).toEqual([0, ['Maps', 'Ships', 'Tides']]);
    },
  );
});

describe('A create that was applied, but answered with an error', () => {
  // Each waits as long as a request may take.
  test.concurrent.each([302, 400, 408, 422, 429, 500])(
    'It is found before another create, although the source has changed (%i)',
    async (status) => {
      await using site = await plainSite('  maxAttempts: 1\n  timeout: 1s\n');
      await setFaults(site, { kind: 'error', status, when: 'after', method: 'POST' });
      const aborted = AbortSignal.timeout(3_000);
      await site.sync(['talks'], { signal: aborted });
      await setFaults(site);
      writeTalks(
        site,
        threeTalks.map((row) => row.replace('2027-03-', '2027-04-')),
      );
      expect(await site.sync()).toMatchObject([{ status: 'success', counts: { failed: 0, held: 0 } }]);
      const events = await site.items('calendar/events');
      expect(events.map(({ title, date }) => `${title} ${date}`).sort()).toEqual([
        'Maps 2027-04-01',
        'Ships 2027-04-02',
        'Tides 2027-04-03',
      ]);
    },
  );
});
