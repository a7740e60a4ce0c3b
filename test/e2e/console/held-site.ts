import { expect } from 'vitest';
import { threeTalks, writeTalks, writeTalksSync } from '../fixtures.ts';
import { openSite, type Site } from '../site.ts';

/** Creates a website with one sync whose last run is held, because two of its three talks are missing from the feed. */
export async function openHeldSite(options: { target?: string } = {}): Promise<{ site: Site; held: string }> {
  const site = await openSite({ ledger: 'sqlite', queue: 'in-process' }, options);
  writeTalksSync(site, 'missing: { policy: delete, after: 1 run, threshold: { percent: 25, absolute: 1 } }');
  writeTalks(site, threeTalks);
  await site.sync();
  writeTalks(site, threeTalks.slice(0, 1));
  const [report] = await site.sync();
  expect(report?.status).toBe('held');
  return { site, held: report?.run ?? '' };
}
