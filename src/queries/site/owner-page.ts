import { type Digest, feedPage } from '../../alerts/digests/compose.ts';
import { digestFacts } from '../../alerts/digests/facts.ts';
import { ownerOfLink } from '../../alerts/digests/link.ts';
import type { App } from '../../app/app.ts';
import { siteTime } from '../../core/dates/site-time.ts';

/** Returns what the owner of a feed may see of it by a link; undefined if the link does not work. */
export async function ownerPageOf(
  name: string,
  link: string,
  { config, ledger }: Pick<App, 'config' | 'ledger'>,
): Promise<Digest | undefined> {
  const { timezone } = config.target;
  const sync = config.syncs.find((each) => each.name === name);
  const owner = sync && (await ownerOfLink(sync, link, { now: Date.now(), secrets: ledger.sessions }));
  if (!owner) return undefined;
  const health = await ledger.alerts.health(name);
  const today = siteTime(health.now, timezone).slice(0, 10);
  return feedPage(await digestFacts(sync, owner, { health, today, ledger }), owner, timezone);
}
