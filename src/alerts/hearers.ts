import type { AlertKind, AlertsConfig, OwnerConfig, SyncConfig } from '../config/types.ts';

/** A sync of which somebody hears. If its file has mistakes, only the name may be known. */
export type HeardSync = Pick<SyncConfig, 'name'> &
  Partial<Pick<SyncConfig, 'alerts' | 'owner' | 'schedule' | 'resource' | 'sources'>>;

/** An owner of a feed; with `sources`, only of these of several sources. */
export type FeedOwner = OwnerConfig & { sources?: readonly string[] };

/** Who hears of a sync: a webhook, people by e-mail, or an owner of the feed. */
export type Hearer = { /** The name in the ledger. */ channel: string } & (
  | { is: 'webhook'; on: readonly AlertKind[] }
  | { is: 'email'; on: readonly AlertKind[]; to: readonly string[] }
  | { is: 'owner'; owner: FeedOwner; to: readonly [string] }
);

/** Lists who hears of a sync. */
export function hearersOf({ alerts, ...sync }: HeardSync, config: AlertsConfig): Hearer[] {
  const hearers: Hearer[] = [];
  if (alerts !== false) {
    const on = alerts?.on ?? config.on;
    const to = alerts?.email?.to ?? config.email?.to ?? [];
    if (config.webhook) hearers.push({ is: 'webhook', channel: 'webhook', on });
    if (to.length > 0) hearers.push({ is: 'email', channel: 'email', on, to });
  }
  return [
    ...hearers,
    ...ownersOf(sync).map((owner): Hearer => {
      return { is: 'owner', channel: `owner ${owner.email}`, owner, to: [owner.email] };
    }),
  ];
}

/** Lists the owners of a feed, each once. Who owns the whole feed also owns each of its sources. */
export function ownersOf({ owner = [], sources = [] }: Pick<HeardSync, 'owner' | 'sources'>): FeedOwner[] {
  const owners = new Map<string, FeedOwner>(owner.map((each) => [each.email, each]));
  for (const { name, sync } of sources) {
    for (const each of sync.owner ?? []) {
      const known = owners.get(each.email);
      if (!known) owners.set(each.email, { ...each, sources: [name] });
      else if (known.sources) owners.set(each.email, { ...known, sources: [...known.sources, name] });
    }
  }
  return [...owners.values()];
}
