import { setTimeout as sleep } from 'node:timers/promises';
import type { Place } from './place.ts';
import type { Site } from './site.ts';

const LOOK_MS = 10;

/** Requests that the CMS has answered since it began. */
export async function requestsTo({ sandbox }: Pick<Place, 'sandbox'>): Promise<number> {
  return total(await sandbox.requests(), () => true);
}

/** Those of them that were to change something. */
export async function writesTo({ sandbox }: Site): Promise<number> {
  return total(await sandbox.requests(), (route) => !route.startsWith('GET '));
}

/** Those of them that were to create an item. */
export async function createsAt({ sandbox }: Site): Promise<number> {
  return total(await sandbox.requests(), (route) => /^POST .*(events|accounts)$/.test(route));
}

/** Waits until another write has been answered, though no longer than `ms`. */
export async function nextWrite(site: Site, ms: number): Promise<void> {
  const deadline = Date.now() + ms;
  let before = await writesNow(site);
  while (Date.now() < deadline) {
    const now = await writesNow(site);
    if (now !== undefined && before !== undefined && now > before) return;
    before ??= now;
    await sleep(LOOK_MS);
  }
}

/** The CMS may be down just now. */
function writesNow(site: Site): Promise<number | undefined> {
  return writesTo(site).catch(() => undefined);
}

function total(requests: Record<string, number>, counts: (route: string) => boolean): number {
  const counted = Object.entries(requests).filter(([route]) => counts(route));
  return counted.reduce((sum, [, count]) => sum + count, 0);
}
